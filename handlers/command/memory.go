package command

import (
	"math"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"example.com/petstore/handlers/config"
)

// runtimeShare is the share of --max-memory above which Go's collector works as hard as it can. The
// rest is for memory that it does not manage, such as the program itself.
const runtimeShare = 0.85

// boundMemory sets the default of --max-memory, half of the container's or else the machine's
// memory, and sets the collector's limit unless GOMEMLIMIT does.
func (o *options) boundMemory() {
	if o.Config.MaxMemory == 0 {
		has := available()
		if has == 0 {
			return // unknown memory, no bound
		}
		o.Config.MaxMemory = max(has/2, config.MinMemory)
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(int64(float64(o.Config.MaxMemory) * runtimeShare))
	}
}

// available returns the bytes of memory of the container or, if that is less, of the machine. 0
// means unknown.
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
