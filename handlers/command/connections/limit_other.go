//go:build !unix

package connections

import "math"

// openFiles returns the maximum int32, because this system does not limit open files.
func openFiles() uint64 { return math.MaxInt32 }
