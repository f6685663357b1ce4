// Package logs limits how many log records clients can cause.
//
// # Files
//
//	bounded.go  limits the rate of log records that clients can cause
package logs
