// Package memory keeps a process within a number of bytes. It refuses an allocation that would
// exceed them before it is made.
//
//	budget.go   accounts for used and reserved memory
//	costs.go    lists what is reserved for each kind of thing
//	full.go     formats the error of a refused request
//	measure.go  reads the Go runtime's memory figures
package memory
