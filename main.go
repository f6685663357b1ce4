// Petstore serves an in-memory pet store for people who build against one:
// seeded with believable data, the same every time, and back to it on request.
//
// Usage:
//
//	petstore [flags]
//
// README.md has the flags and what to do with them.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"example.com/petstore/handlers/command"
)

// gcPercent lets the heap grow to two and a half times what lives before it is collected,
// which takes some of the collector's work off a request and costs a few megabytes; with
// 200 it would be three more, and no faster. GOGC in the environment says otherwise.
const gcPercent = 150

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	signalled, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, end := context.WithCancelCause(context.Background())
	context.AfterFunc(signalled, func() {
		stop() // before the program says that it ends: a second signal then ends it at once
		end(context.Cause(signalled))
	})
	signal.Ignore(syscall.SIGPIPE) // who read standard error may have gone
	os.Exit(command.Run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}
