// Package command is the program around the service: its flags and environment,
// seeding, listening and shutting down. main calls [Run] and nothing else of the
// module.
//
// CONTRIBUTING.md says how to add a flag.
//
// # Output and end
//
// Standard output gets one line, once the port is bound; everything else goes to standard error, which
// nobody has to read. With --mcp that line goes there too, and standard output gets the messages of the
// Model Context Protocol alone. Told to stop, by SIGINT, SIGTERM or the end of standard input (--mcp, or
// --exit-with-stdin, for which it must be a pipe or a socket), the program says why, finishes the requests in flight, for 10 s
// at most, and ends with exit code 0. Those that are only waiting, for a delay or the next event, end at
// once, with a 503 if nothing was sent yet. A second signal ends the program at once. Exit code 1 means that
// it could not run, for example because the port was taken; 2 that flags, variables, fixtures or a world are bad.
//
// # Files
//
//	command.go      Run, exit codes
//	options.go      what flags and variables choose, and which choices are invalid
//	flags.go        the flags in groups
//	values.go       values that pflag does not have: dates, times, shares, rates
//	environment.go  flags from variables, and unknown variables and flags
//	help.go         --help
//	seed.go         the initial data, and the progress of generating it
//	keep.go         keeps all sandboxes in the file of --keep
//	keep_unix.go, keep_other.go  lock that file where the system can
//	certificate.go  the certificate of HTTPS, from files or made in memory
//	reload.go       rereads those files when they change
//	serve.go        listening, serving, shutting down
//	mcp.go          --mcp
//	stdin.go        --exit-with-stdin
//	addresses.go    the addresses to open
//	server.go       the HTTP server, and what it bounds
//	memory.go       what the program and Go's collector may use
//	idle_memory.go  what of it is given back when a storm is over
//	ready.go        --wait-ready
//	completion.go   --completion
//	log.go          the log's format and level
//	spool.go        standard error, which nobody has to read
package command
