package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"example.com/petstore/handlers"
)

// errMCPEnded is why the program ends when its coding agent does.
var errMCPEnded = errors.New("standard input ended, and --mcp is set")

// serveMCP serves the coding agent at standard input and output until it is gone, and returns
// why that is.
func (o *options) serveMCP(ctx context.Context, service *handlers.Server, stdout io.Writer, address string) error {
	if err := service.ServeMCP(ctx, o.stdin, stdout, address); err != nil {
		return fmt.Errorf("the client of --mcp has gone: %w", err)
	}
	return errMCPEnded
}
