// Package command is the program around the service: flags and environment, seeding, listening and
// shutting down. main calls only [Run].
//
// CONTRIBUTING.md says how to add a flag.
//
// # Output and end
//
// Standard output gets one line, once the port is bound. Everything else goes to standard error,
// which needs no reader. With --mcp, that line goes to standard error too, and standard output has
// only the messages of the Model Context Protocol.
//
// The program stops on SIGINT, SIGTERM or the end of standard input (with --mcp, or with
// --exit-with-stdin, which needs a pipe or a socket). It then reports why, finishes the running
// requests within 10 s, and ends with exit code 0. Requests that only wait, for a delay or the next
// event, end at once, with a 503 if nothing was sent yet. Another signal, a second later or more, ends
// the program at once. Exit code 1 means that it could not run, for example because the port was
// taken; 2 means invalid flags, variables, fixtures or worlds.
//
// # Files
//
//	command.go      runs the program and returns its exit code
//	options.go      reads and validates the options
//	flags.go        makes flags of the settings in package config
//	environment.go  sets flags from variables and reports unknown ones
//	help.go         formats --help
//	seed.go         makes the initial data and shows the progress
//	keep.go         saves all sandboxes in the file of --keep
//	keep_unix.go    locks that file
//	keep_other.go   replaces keep_unix.go on systems without locks
//	certificate.go  loads or makes the certificate for HTTPS
//	roots.go        finds the certificates that webhooks trust
//	reload.go       reads certificate files again when they change
//	serve.go        listens, serves and shuts down
//	mcp.go          implements --mcp
//	stdin.go        implements --exit-with-stdin
//	addresses.go    finds the addresses to open
//	server.go       makes the HTTP server and sets its bounds
//	memory.go       bounds the memory of the program
//	collector.go    sets how far the heap may grow between collections
//	idle_memory.go  returns memory to the system after a burst of load
//	ready.go        implements --wait-ready
//	completion.go   implements --completion
//	log.go          sets the format and level of the log
//	spool.go        writes to standard error without waiting for its reader
package command
