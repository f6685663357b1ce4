package command

import (
	"context"
	"io"
	"log/slog"

	"example.com/petstore/handlers"
)

// serveMCP serves the coding agent at standard input and output, and calls ended when it is
// gone.
func (o *options) serveMCP(ctx context.Context, ended func(), service *handlers.Server, stdout io.Writer, logger *slog.Logger, address string) {
	defer ended()
	if err := service.ServeMCP(ctx, o.stdin, stdout, address); err != nil {
		logger.Info("the client at standard output has gone", "cause", err)
	}
}
