// Package command implements the petstore program. It reads the flags and the environment, creates
// the initial data, listens, and shuts down. main calls only [Run].
//
// CONTRIBUTING.md says how to add a flag.
//
// # Output and end
//
// The program writes one line to standard output, after it has bound the port. It writes everything
// else to standard error. If standard error blocks, the program continues. With --mcp, the line
// goes to standard error too, and standard output contains only messages of the Model Context
// Protocol.
//
// The program stops on SIGINT, SIGTERM or SIGHUP. With --mcp, or with --exit-with-stdin, which
// needs a pipe or a socket, it also stops when standard input ends. It then logs the reason,
// gives running requests 10 s to finish, and exits with code 0. Requests that only wait, for a
// delay or the next event, end immediately, with a 503 if nothing was sent yet. Another signal, at
// least one second later, kills the program immediately. Exit code 1 means that the program could
// not run, for example because the port was taken, or that it failed later. Exit code 2 means that
// a flag, a variable, or a file given by a flag or variable is invalid.
//
// # Files
//
//	command.go      runs the program and returns its exit code
//	options.go      defines, reads and validates the options; formats --help
//	environment.go  sets flags from variables and reports unknown ones
//	seed.go         creates the initial data and shows the progress
//	keep.go         saves all sandboxes in the file of --keep
//	keep_unix.go    locks a file, for keep.go
//	keep_other.go   replaces keep_unix.go on systems without locks
//	certificate.go  loads or makes the certificate for HTTPS
//	roots.go        finds the certificates that webhooks trust
//	reload.go       reloads certificate files when they change
//	serve.go        listens, serves and shuts down
//	stdin.go        implements --exit-with-stdin and --mcp
//	addresses.go    finds the URLs to open in a browser
//	server.go       creates the HTTP server and sets its limits
//	memory.go       limits the program's memory; returns it after a burst
//	collector.go    sets how much the heap may grow between collections
//	ready.go        implements --wait-ready
//	completion.go   implements --completion
//	log.go          sets the format and level of the log
//	spool.go        writes to standard error without waiting for its reader
package command
