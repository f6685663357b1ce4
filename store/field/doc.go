// Package field reads single values and says what is wrong with them, in the same
// words wherever a value comes from: a body, a path, a query, a header or a file.
//
// # Files
//
//	problem.go   Problem: what is wrong with one field; Problems, of one input
//	value.go     the values of JSON: text, integer, boolean, one of several, date-time
//	integer.go   what an integer is
//	datetime.go  what a date-time is
//	nearest.go   the name that a misspelt one was meant to be
//	words.go     how values are named, listed and quoted
package field
