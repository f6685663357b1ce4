package command

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
)

// checkStdin refuses a standard input whose end does not mean that the parent process has ended: a
// terminal, a file or /dev/null. A pipe or a socket ends when no process has its other end open,
// even if the parent was killed.
func checkStdin(stdin io.Reader) error {
	file, isFile := stdin.(*os.File)
	if !isFile && stdin != nil {
		return nil // a pipe in memory
	}
	if isFile {
		if info, err := file.Stat(); err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 {
			return nil
		}
	}
	return usagef("--exit-with-stdin requires standard input to be a pipe or a socket that the program that starts petstore keeps open")
}

// errStdinEnded means that standard input has ended.
var errStdinEnded = errors.New("standard input ended, and --exit-with-stdin is set")

// untilEnd returns a context that ends with ctx or, because of [errStdinEnded], with stdin. It
// discards stdin's contents.
func untilEnd(ctx context.Context, stdin io.Reader) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, stdin) // an error is an end too
		cancel(errStdinEnded)
	}()
	return ctx, func() { cancel(nil) }
}
