package command

import (
	"math"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"example.com/petstore/handlers/config"
)

// runtimeShare is the fraction of --max-memory that becomes the Go runtime's memory limit. The rest
// is for memory that the runtime does not manage, such as the program's code.
const runtimeShare = 0.85

// boundMemory sets the default of --max-memory, which is half of the available memory. It also sets
// the runtime's memory limit, unless GOMEMLIMIT has set one. If --max-memory is not given and the
// available memory is unknown, boundMemory sets neither.
func (o *options) boundMemory() {
	if o.Config.MaxMemory == 0 {
		has := available()
		if has == 0 {
			return
		}
		o.Config.MaxMemory = max(has/2, config.MinMemory)
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(int64(float64(o.Config.MaxMemory) * runtimeShare))
	}
}

// available returns the memory of the machine, in bytes, or the container's limit if it is lower.
// It returns 0 if both are unknown.
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
