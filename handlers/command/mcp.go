package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/mcp"
)

// errMCPEnded means that the coding agent has ended.
var errMCPEnded = errors.New("standard input ended, and --mcp is set")

// serveMCP serves the coding agent on standard input and output until it ends, and returns why.
func (o *options) serveMCP(ctx context.Context, service *handlers.Server, stdout io.Writer, address string) error {
	if err := mcp.New(service, o.Config.Version).ServeLines(ctx, o.stdin, stdout, address, o.Config.AdminKey); err != nil {
		return fmt.Errorf("the client of --mcp has gone: %w", err)
	}
	return errMCPEnded
}
