package command

import (
	"math"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"example.com/petstore/handlers"
)

// runtimeShare is the share of --max-memory at which Go's collector works as hard as it
// may. The rest is for what it does not know of, such as the program itself.
const runtimeShare = 0.85

// boundMemory completes --max-memory, by half of what the container or else the machine
// has, and tells Go's collector, unless GOMEMLIMIT did.
func (o *options) boundMemory() {
	if o.config.MaxMemory == 0 {
		has := available()
		if has == 0 {
			return // nobody knows, so nothing is bound
		}
		o.config.MaxMemory = max(has/2, handlers.MinMemory)
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(int64(float64(o.config.MaxMemory) * runtimeShare))
	}
}

// available returns the bytes of memory of the machine or, where that has less, of the
// container; 0: unknown.
func available() int64 {
	least := uint64(math.MaxInt64)
	for _, ask := range []memlimit.Provider{memlimit.FromSystem, memlimit.FromCgroup} {
		if has, err := ask(); err == nil && has > 0 {
			least = min(least, has)
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return int64(least)
}
