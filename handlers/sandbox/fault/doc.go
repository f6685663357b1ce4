// Package fault makes the requests to a sandbox slow, wrong or broken: it holds the
// rules, and decides which of them a request meets.
//
// # Files
//
//	rules.go   Rules: those of a sandbox, and which applies to a request
//	saved.go   Saved: all of them as they are, to be had again
//	rule.go    Rule: one of them
//	fields.go  one in JSON
//	check.go   what is wrong with one
//	match.go   which requests one is for
//	draws.go   the random numbers of one request
package fault
