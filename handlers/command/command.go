package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/docker/go-units"
)

// Exit codes.
const (
	exitOK    = 0
	exitRun   = 1 // any other error; for example, the port is taken
	exitUsage = 2 // an invalid flag or variable, or an invalid file given by a flag or variable
)

// Timeouts of operations that can hang.
const (
	waitReadyTimeout = 30 * time.Second
	flushTimeout     = time.Second / 4 // for writing to standard error, which may have no reader
)

// Run runs the program and returns its exit code. It serves until ctx is done or, with --mcp or
// --exit-with-stdin, until stdin ends. It then finishes the running requests. If a flag such as
// --help or --wait-ready is given, Run only does what this flag says. It writes errors to stderr.
// It reads stdin only with --mcp or --exit-with-stdin. Otherwise, stdin may be nil.
func Run(ctx context.Context, args, environ []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o := options{stdin: stdin}
	out := &spool{w: stderr, lost: func(lines int) { o.logLoss(stderr, lines) }}
	err := o.run(ctx, args, environ, stdout, out, stderr)
	if err != nil {
		o.reportError(out, err)
	}
	out.flush(flushTimeout)
	return exitCode(err)
}

// run implements Run. It writes to standard error only through out. It uses stderr only to find out
// whether standard error is a terminal.
func (o *options) run(ctx context.Context, args, environ []string, stdout io.Writer, out *spool,
	stderr io.Writer) error {
	flags := o.flags()
	switch err := o.parse(flags, args, environ); {
	case err != nil:
		return err
	case o.Help:
		_, err := fmt.Fprint(stdout, usage, groupedUsage(flags, o.Settings()))
		return err
	case o.Version:
		_, err := fmt.Fprintln(stdout, "petstore", version())
		return err
	case flags.Changed("completion"):
		script, err := o.completionScript()
		if err == nil {
			_, err = fmt.Fprint(stdout, script)
		}
		return err
	case flags.Changed("wait-ready"):
		ctx, cancel := context.WithTimeout(ctx, waitReadyTimeout)
		defer cancel()
		return waitReady(ctx, o.WaitReady, o.TLSCert)
	}
	o.terminal = isTerminal(stderr)
	logger := slog.New(o.logHandler(out))
	for _, warning := range o.environmentWarnings(flags, environ) {
		logger.Warn(warning)
	}
	if err := o.loadCertificate(); err != nil {
		return err
	}
	if o.ExitWithStdin {
		if err := checkStdin(o.stdin); err != nil {
			return err
		}
		var cancel context.CancelFunc
		ctx, cancel = untilEnd(ctx, o.stdin)
		defer cancel()
	}
	o.boundMemory()
	if o.Config.SandboxMemory > o.Config.MaxMemory && o.Config.MaxMemory > 0 && flags.Changed("sandbox-memory") {
		logger.Warn(
			"--sandbox-memory is more than the whole server may use, so it bounds nothing; choose less, or a larger "+
				"--max-memory",
			"sandbox-memory", units.BytesSize(float64(o.Config.SandboxMemory)), "max-memory",
			units.BytesSize(float64(o.Config.MaxMemory)))
	}
	seeded := make(chan error, 1)
	go func() { seeded <- o.seedStore(out) }()
	select {
	case err := <-seeded:
		if err != nil {
			return err
		}
	case <-ctx.Done():
	}
	if ctx.Err() != nil { // ctx was done before the server listened
		logAlways(logger.Handler(), slog.LevelWarn, "stopped before it listened", reasonOf(ctx))
		return nil
	}
	return o.serve(ctx, logger, stdout, out)
}

// reasonOf returns a log attribute with the reason that a context was cancelled.
func reasonOf(ctx context.Context) slog.Attr {
	return slog.String("because", context.Cause(ctx).Error())
}

func exitCode(err error) int {
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &usage):
		return exitUsage
	}
	return exitRun
}

// usageError is an error in the command line, in the environment, or in a file that they specify.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// release is the version of a released binary. The linker sets it; see .goreleaser.yaml.
var release string

// version returns the version of the release. If this is not a release, it returns the module
// version that the go command recorded, or "devel" if there is none.
func version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
