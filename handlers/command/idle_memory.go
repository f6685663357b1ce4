package command

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// After a burst of load, memory is returned to the operating system. Without this, Go's collector
// would run only when the heap has doubled or after two minutes, and would return memory slowly.
const (
	lookEvery  = 5 * time.Second
	worthwhile = 32 << 20 // bytes: the least growth since the last release that makes another one worthwhile
	calm       = 8        // idle means: less than 1/8 of the held memory was allocated since the last check
	crowd      = 64       // goroutines: if at least this many have halved, they have left memory behind
)

// held is a measurement of the process's memory.
type held struct {
	bytes      int64
	made       int64 // bytes allocated since the start
	goroutines int64
}

// idleMemory returns unused memory to the operating system.
type idleMemory struct {
	measure func() held
	release func() // takes as long as two collections
	last    held
	least   int64 // the least bytes held since the last release
	most    int64 // the most goroutines since the last release
}

func newIdleMemory() *idleMemory {
	return &idleMemory{measure: measureHeld, release: giveBack}
}

// giveBack returns all unused memory to the operating system. FreeOSMemory runs a second
// collection, which frees what sync.Pools keep through the first.
func giveBack() {
	runtime.GC()
	debug.FreeOSMemory()
}

// run checks periodically until ctx ends.
func (m *idleMemory) run(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			m.look()
		case <-ctx.Done():
			return
		}
	}
}

// look releases memory if the program is idle and, since the last release, holds more memory or
// runs fewer goroutines.
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
		{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/gc/heap/allocs:bytes"}, {Name: "/sched/goroutines:goroutines"},
	}
	metrics.Read(samples)
	total, released, made := samples[0].Value.Uint64(), samples[1].Value.Uint64(), samples[2].Value.Uint64()
	return held{bytes: int64(total - released), made: int64(made), goroutines: int64(samples[3].Value.Uint64())}
}
