// Package lifecycle holds the deprecation, sunset and stability of a sandbox's operations, and
// records the callers of deprecated operations.
//
// # Files
//
//	lifecycle.go  holds the lifecycles of all operations
//	check.go      completes and validates a lifecycle
//	fields.go     reads a lifecycle and its dates from JSON
//	report.go     records the use of deprecated operations
//	junit.go      formats a report as a JUnit file
package lifecycle
