// Package command is the program around the service: its flags and environment,
// seeding, listening and ending. main calls [Run] and nothing else of the module.
//
// CONTRIBUTING.md says how to add a flag.
//
// # Files
//
//	command.go      Run, exit codes
//	options.go      what is chosen by flags and variables, and what cannot be
//	flags.go        the flags in groups
//	values.go       values that pflag does not have: dates, times, shares, rates
//	environment.go  flags from variables, and variables that are nearly a flag's
//	help.go         --help
//	seed.go         the data to begin with, and how far its making is
//	serve.go        certificate, listening, answering, ending
//	ready.go        --wait-ready
//	log.go          the log's format and level
//	spool.go        standard error, which nobody has to read
package command
