// Package metrics counts what a server does, and writes the text format of Prometheus,
// version 0.0.4.
//
// It does not use Prometheus's own client, which would add a millisecond to a start of ten,
// and 4 MB to the program.
//
// # Files
//
//	text.go       writes families and samples
//	runtime.go    writes metrics of the Go runtime
//	process_linux.go, process_other.go  write metrics of the process
//	requests.go   counts requests, their durations, and refusals
package metrics
