// Package command is the program around the service: its flags and environment,
// seeding, listening and shutting down. main calls [Run] and nothing else of the
// module.
//
// CONTRIBUTING.md says how to add a flag.
//
// # Files
//
//	command.go      Run, exit codes
//	options.go      what flags and variables choose, and which choices are invalid
//	flags.go        the flags in groups
//	values.go       values that pflag does not have: dates, times, shares, rates
//	environment.go  flags from variables, and misspelt variables
//	help.go         --help
//	seed.go         the initial data, and the progress of generating it
//	certificate.go  the certificate of HTTPS, from files or made in memory
//	serve.go        listening, serving, shutting down
//	stdin.go        --exit-with-stdin
//	addresses.go    the addresses to open
//	server.go       the HTTP server, and what it bounds
//	memory.go       what the program and Go's collector may use
//	idle_memory.go  what of it is given back when a storm is over
//	ready.go        --wait-ready
//	log.go          the log's format and level
//	spool.go        standard error, which nobody has to read
package command
