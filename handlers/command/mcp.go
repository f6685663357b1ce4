package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/mcp"
)

// errMCPEnded means that the MCP client has closed standard input.
var errMCPEnded = errors.New("standard input ended, and --mcp is set")

// serveMCP serves an MCP client on standard input and output until standard input ends, a write
// fails, or ctx is done. The error is never nil. It says why serving ended, except that it is
// errMCPEnded if ctx is done.
func (o *options) serveMCP(ctx context.Context, service *handlers.Server, stdout io.Writer, address string) error {
	if err := mcp.New(service, o.Config.Version).
		ServeLines(ctx, o.stdin, stdout, address, o.Config.AdminKey); err != nil {
		return fmt.Errorf("the client of --mcp has gone: %w", err)
	}
	return errMCPEnded
}
