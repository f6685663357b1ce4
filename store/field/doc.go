// Package field reads values and says what is wrong with them, in the same words
// wherever a value comes from: a body, a path, a query, a header or a file.
//
// [Fields] say what a JSON object has, once for each kind of object: the name of each
// field, the [Reader] of its value, where the value goes, and what it is where it is
// not there. A [Reading] collects all that is wrong, each with its place.
//
// # Files
//
//	object.go    Fields, and the Object that is read by them
//	nested.go    objects and arrays in it
//	reader.go    the other values: text, integer, boolean, one of several, date-time
//	reading.go   Reading: what is wrong with a document, collected while it is read
//	problem.go   Problem: what is wrong with one field; Problems, of one input
//	path.go      where in a document a value stands
//	integer.go   what an integer is
//	datetime.go  what a date-time is
//	nearest.go   the name that a misspelt one was meant to be
//	syntax.go    reports where a text is not JSON
//	mark.go      the byte order mark before a document
//	words.go     how values are named, listed and quoted
package field
