// Package logs bounds how much is logged of what clients do.
//
// # Files
//
//	bounded.go  a handler for lines that clients can cause as often as they like
package logs
