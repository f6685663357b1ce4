// Package logs limits the number of log records that clients can cause.
//
// # Files
//
//	bounded.go  limits the rate of log records that clients can cause
package logs
