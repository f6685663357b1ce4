// Package field reads single values and says what is wrong with them, in the same
// words wherever the value comes from: a body, a path, a query, a header or a file.
//
// # Files
//
//	problem.go   Problem: what is wrong with one field
//	integer.go   what an integer is
//	datetime.go  what a date-time is
package field
