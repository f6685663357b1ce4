// Petstore serves an in-memory pet store to develop and test clients against. Its data is believable
// and the same in every run, and a request resets it.
//
// Usage:
//
//	petstore [flags]
//
// README.md explains its use, and handlers/command/README.md lists the flags.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"example.com/petstore/handlers/command"
)

// gcPercent lets the heap grow to 2.5 times the live heap before a collection, until the server
// begins to serve. GOGC in the environment takes precedence.
const gcPercent = 150

// oneSignal is the time in which several signals count as one. timeout(1) sends a signal to the
// process and then to its group.
const oneSignal = time.Second

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	signalled, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, end := context.WithCancelCause(context.Background())
	context.AfterFunc(signalled, func() {
		end(context.Cause(signalled))
		time.Sleep(oneSignal)
		stop() // from now on, a signal ends the program at once
	})
	signal.Ignore(syscall.SIGPIPE) // the reader of standard error may have gone
	os.Exit(command.Run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}
