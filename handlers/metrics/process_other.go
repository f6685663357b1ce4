//go:build !linux

package metrics

// WriteProcess does nothing on this system.
func WriteProcess(*Text) {}
