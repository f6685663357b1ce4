package command

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"example.com/petstore/handlers/config"
)

// runtimeShare is the fraction of --max-memory that becomes the Go runtime's memory limit. The rest
// is for memory that the runtime does not manage, such as the program's code.
const runtimeShare = 0.85

// boundMemory sets the default of --max-memory, which is half of the available memory, but at least
// [config.MinMemory]. It also sets the runtime's memory limit, unless GOMEMLIMIT has set one. If
// --max-memory is not given and the available memory is unknown, boundMemory sets neither.
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

// After a burst of load, idleMemory returns unused memory to the operating system. Without this,
// the garbage collector would run only after the heap has grown enough or after two minutes, and it
// would return the memory slowly.
const (
	lookEvery  = 5 * time.Second
	worthwhile = 32 << 20 // bytes; growth by 1/4 plus this many bytes since the last release justifies another
	calm       = 8        // idle means that at most 1/8 of the held memory was allocated since the last check
	crowd      = 64       // if at least this many goroutines ran, and half have ended, they left memory behind
)

// held is a measurement of the process's memory.
type held struct {
	bytes      int64
	made       int64 // bytes allocated since the program started
	goroutines int64
}

// idleMemory returns unused memory to the operating system.
type idleMemory struct {
	measure func() held
	release func() // giveBack, except in tests
	last    held
	least   int64 // the minimum of held.bytes since the last release
	most    int64 // the maximum of held.goroutines since the last release
}

// giveBack returns all unused memory to the operating system. The second collection, by
// FreeOSMemory, frees the objects in each sync.Pool, which survive the first.
func giveBack() {
	runtime.GC()
	debug.FreeOSMemory()
}

// look releases memory if the program is idle and, since the last release, the memory has grown or
// many goroutines have ended.
func (m *idleMemory) look() {
	now := m.measure()
	made := now.made - m.last.made
	m.last = now
	m.least, m.most = min(m.least, now.bytes), max(m.most, now.goroutines)
	grown := now.bytes >= m.least+m.least/4+worthwhile
	left := m.most >= crowd && now.goroutines <= m.most/2 && now.bytes >= worthwhile
	if made > now.bytes/calm || !grown && !left {
		return
	}
	m.release()
	m.last = m.measure()
	m.least, m.most = m.last.bytes, m.last.goroutines
}

func measureHeld() held {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
		{Name: "/gc/heap/allocs:bytes"}, {Name: "/sched/goroutines:goroutines"},
	}
	metrics.Read(samples)
	total, released, made := samples[0].Value.Uint64(), samples[1].Value.Uint64(), samples[2].Value.Uint64()
	return held{bytes: int64(total - released), made: int64(made), goroutines: int64(samples[3].Value.Uint64())}
}
