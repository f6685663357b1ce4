//go:build !unix

package connections

import "math"

// openFiles returns the maximum int32, because this system has no limit on open files.
func openFiles() uint64 { return math.MaxInt32 }
