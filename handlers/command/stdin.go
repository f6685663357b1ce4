package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/mcp"
)

// checkStdin returns an error if stdin is nil, a terminal, a file or /dev/null, because their end
// does not mean that the parent process has ended. A pipe or a socket ends when no process has its
// other end open, even if the parent was killed.
func checkStdin(stdin io.Reader) error {
	file, isFile := stdin.(*os.File)
	if !isFile && stdin != nil {
		return nil // the caller decides when an in-memory reader ends
	}
	if isFile {
		if info, err := file.Stat(); err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 {
			return nil
		}
	}
	return usagef(
		"--exit-with-stdin requires standard input to be a pipe or a socket that the program that starts petstore " +
			"keeps open")
}

// errStdinEnded means that standard input has ended.
var errStdinEnded = errors.New("standard input ended, and --exit-with-stdin is set")

// untilEnd returns a copy of ctx that is cancelled when stdin ends. The cause is [errStdinEnded].
// untilEnd discards the contents of stdin.
func untilEnd(ctx context.Context, stdin io.Reader) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, stdin) // a read error also counts as the end of stdin
		cancel(errStdinEnded)
	}()
	return ctx, func() { cancel(nil) }
}

// errMCPEnded means that the MCP client has closed standard input.
var errMCPEnded = errors.New("standard input ended, and --mcp is set")

// serveMCP serves an MCP client on standard input and output until standard input ends, a write
// fails, or ctx is done. The error is never nil. It is errMCPEnded if standard input has
// ended or ctx is done.
func (o *options) serveMCP(ctx context.Context, service *handlers.Server, stdout io.Writer, address string) error {
	if err := mcp.New(service, o.Config.Version).
		ServeLines(ctx, o.stdin, stdout, address, o.Config.AdminKey); err != nil {
		return fmt.Errorf("the client of --mcp has gone: %w", err)
	}
	return errMCPEnded
}
