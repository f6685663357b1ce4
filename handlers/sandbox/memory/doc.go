// Package memory keeps a process within a number of bytes: what would need more is
// refused before it is done.
//
//	budget.go   what is used, what is promised, and whether more fits
//	full.go     what is said of a request for which there is no room
//	measure.go  what the Go runtime says is in use
package memory
