//go:build unix

package connections

import (
	"math"
	"syscall"
)

// openFiles returns the limit on open files, or the maximum int32 if the limit is higher or
// unknown. The limit is the hard limit, because the Go runtime has raised the soft limit to it.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return math.MaxInt32
	}
	return min(uint64(limit.Cur), math.MaxInt32)
}
