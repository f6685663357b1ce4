// Package config defines the settings of the server in one table. Flags, environment variables,
// checks, defaults, --help and the options of the npm package are derived from this table.
//
// # Files
//
//	settings.go  lists the settings and the contradictions between them
//	value.go     parses and formats each kind of value
//	bounds.go    checks single values
//	check.go     validates all settings together and formats the problems
//	config.go    defines Config, the settings of the service
//	program.go   defines Program, which adds the settings of the command
//	latency.go   parses a latency and converts it to fault rules
package config
