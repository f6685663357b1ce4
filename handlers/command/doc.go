// Package command is the program around the service: its flags and environment,
// seeding, listening and ending. main calls [Run] and nothing else of the module.
//
// # How to add a flag
//
//  1. Add its field to options, or to [handlers.Config] if who embeds the service
//     can want it, and there its check to config_check.go.
//  2. Add it to its group in flags.go; a kind of value that pflag does not have goes
//     to values.go. The variable and the line of --help come by themselves.
//  3. Add its row to the README's table.
//
// The tests name the flag until everyFlag in options_test.go has a value for it, and
// hold the README's table to --help.
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
