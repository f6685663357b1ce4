//go:build !unix

package connections

import "math"

// openFiles returns the limit of open files. This system has none.
func openFiles() uint64 { return math.MaxInt32 }
