// Package field reads values and reports what is wrong with them, in the same words
// for a body, a path, a query, a header and a file.
//
// [Fields] describe a JSON object, once for each kind of object: the name of each field,
// the [Reader] of its value, where the value is stored, and its value if it is missing. A
// [Reading] collects all problems, each with its place.
//
// # Files
//
//	object.go    reads objects by their Fields
//	nested.go    reads objects and arrays inside an object
//	reader.go    reads texts, integers, booleans, enums and date-times
//	reading.go   collects the problems of a document
//	problem.go   defines Problem and Problems
//	path.go      names the place of a value in a document
//	integer.go   parses integers
//	datetime.go  parses date-times
//	nearest.go   suggests a known name for a misspelt one
//	syntax.go    reports where a text is not JSON
//	mark.go      removes a byte order mark
//	words.go     names, lists and quotes values in messages
package field
