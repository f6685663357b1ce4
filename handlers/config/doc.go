// Package config is the table of settings, and what follows from it: flags, variables, their checks
// and defaults, --help, and the options of the npm package.
//
// # Files
//
//	settings.go  lists the settings, and which of them contradict each other
//	value.go     parses and formats each kind of value
//	bounds.go    checks single values
//	check.go     checks all settings together, and formats the problems
//	config.go    defines Config, the settings of the service
//	program.go   defines Program, which adds the settings of the command
//	latency.go   parses a latency, and makes fault rules of it
package config
