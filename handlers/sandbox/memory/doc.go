// Package memory limits the memory of a process. Requests reserve memory before they use it, and a
// reservation beyond the limit fails.
//
//	budget.go   accounts for used and reserved memory
//	costs.go    lists how much to reserve for each purpose
//	full.go     formats the error for a failed reservation
//	measure.go  reads the Go runtime's memory figures
package memory
