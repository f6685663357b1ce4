// Package command is the program around the service: its environment, its help,
// what it writes to standard error, and the waiting for another server.
//
// # Files
//
//	environment.go  flags from variables, and variables that are nearly a flag's
//	help.go         the flags in groups
//	ready.go        --wait-ready
//	spool.go        standard error, which nobody has to read
package command
