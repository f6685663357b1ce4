// Petstore serves an in-memory pet store for developing and testing HTTP clients. Its data is
// realistic and the same in every run. Clients can reset the data with a request.
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

// gcPercent is the garbage collection target percentage during the start, until package command
// sets it. The environment variable GOGC takes precedence.
const gcPercent = 150

// oneSignal is the time during which repeated signals count as one. For example, timeout(1) sends a
// signal to the process and then the same signal to its process group.
const oneSignal = time.Second

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup(1) makes a process ignore it
		signals = append(signals, syscall.SIGHUP) // the terminal was closed
	}
	signalled, stop := signal.NotifyContext(context.Background(), signals...)
	ctx, end := context.WithCancelCause(context.Background())
	context.AfterFunc(signalled, func() {
		end(context.Cause(signalled))
		time.Sleep(oneSignal)
		stop() // from now on, a signal kills the program immediately
	})
	signal.Ignore(syscall.SIGPIPE) // a write to a closed pipe returns an error and does not kill the program
	os.Exit(command.Run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}
