// Package metrics counts what a server does, and writes figures in the text format of
// Prometheus, version 0.0.4.
//
// It is written by hand since Prometheus's own client would add a millisecond to a start
// that takes ten, and 4 MB to the program.
//
// # Files
//
//	text.go       Text: families and their samples
//	histogram.go  Histogram: durations
//	runtime.go    WriteRuntime: figures of Go's runtime
//	process_linux.go, process_other.go  WriteProcess: figures of the process, where Linux tells
//	requests.go   Requests: what a server was asked, and what it refused
package metrics
