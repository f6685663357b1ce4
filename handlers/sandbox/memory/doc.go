// Package memory keeps a process within a number of bytes: what would need more is
// refused before it is done.
//
//	budget.go   what is used, what is promised, and whether more fits
//	measure.go  what the Go runtime says is in use
package memory
