// Package field parses and validates values. It reports problems in the same words for a body, a
// path, a query, a header and a file.
//
// [Fields] describe one kind of JSON object: for each field, its name, the [Reader] of its value,
// where the value is stored, and its default. A [Reading] collects the problems and their
// locations.
//
// # Files
//
//	object.go    reads objects described by Fields
//	nested.go    reads objects and arrays inside an object
//	reader.go    reads strings, numbers, booleans, enums and date-times
//	reading.go   collects the problems with an input
//	problem.go   defines Problem, Problems, and Path, the location of a value
//	text.go      parses integers and date-times
//	nearest.go   suggests a known name for a misspelt one
//	syntax.go    locates JSON syntax errors; removes a byte order mark
//	words.go     names, lists, quotes and truncates values
package field
