// Petstore serves an in-memory pet store for developing and testing HTTP clients. Its data is
// realistic and the same in every run. A request resets the data.
//
// Usage:
//
//	petstore [flags]
//
// README.md explains how to use it, and handlers/command/README.md lists the flags.
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

// gcPercent is the garbage collection target percentage until the server begins to serve. GOGC in
// the environment takes precedence.
const gcPercent = 150

// oneSignal is the time within which several signals count as one. timeout(1), for example, sends a
// signal to the process and then to its process group.
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
		stop() // from now on, a signal kills the program at once
	})
	signal.Ignore(syscall.SIGPIPE) // standard error may be a closed pipe
	os.Exit(command.Run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}
