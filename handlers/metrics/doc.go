// Package metrics counts requests and writes metrics in the Prometheus text format, version 0.0.4.
//
// It does not use the Prometheus client library, which would add 1 ms to the start-up time and 4 MB
// to the binary.
//
// # Files
//
//	text.go       writes families and samples
//	runtime.go    writes metrics about the Go runtime
//	process_linux.go, process_other.go  write metrics about the process
//	requests.go   counts requests, refusals and durations
package metrics
