// Package fault defines rules that delay responses, replace them with errors or abort connections.
// It stores the rules of a sandbox and selects the rule that applies to a request.
//
// # Files
//
//	rules.go   stores a sandbox's rules and selects one for a request
//	saved.go   saves and restores a sandbox's rules
//	rule.go    defines a rule and the requests that it matches
//	fields.go  reads a rule from JSON
//	check.go   validates a rule
//	draws.go   draws random numbers for a request
package fault
