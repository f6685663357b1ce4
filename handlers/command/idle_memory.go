package command

import (
	"context"
	"os"
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

// A heap of at least largeHeap is collected when it has grown by largePercent, which is less than
// main sets. With 10,000 sandboxes that saves 50 MB at little cost, because collections of a large
// heap are rare in any case.
const (
	largeHeap    = 128 << 20 // bytes in use
	largePercent = 100
)

// held is a measurement of the process's memory.
type held struct {
	bytes      int64
	made       int64 // bytes allocated since the start
	goroutines int64
	used       int64 // bytes in use after the last collection
}

// idleMemory returns unused memory to the operating system.
type idleMemory struct {
	measure func() held
	release func()                         // takes as long as two collections
	tune    func(percent int) (before int) // nil if GOGC is set
	usual   int                            // the percentage for a small heap; 0 while the heap is small
	last    held
	least   int64 // the least bytes held since the last release
	most    int64 // the most goroutines since the last release
}

func newIdleMemory() *idleMemory {
	m := &idleMemory{measure: measureHeld, release: giveBack}
	if os.Getenv("GOGC") == "" {
		m.tune = debug.SetGCPercent
	}
	return m
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
// runs fewer goroutines. It also sets the collection percentage for a large heap.
func (m *idleMemory) look() {
	now := m.measure()
	switch large := now.used >= largeHeap; {
	case m.tune == nil:
	case large && m.usual == 0:
		m.usual = m.tune(largePercent)
	case !large && m.usual != 0:
		m.tune(m.usual)
		m.usual = 0
	}
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
		{Name: "/gc/heap/live:bytes"},
	}
	metrics.Read(samples)
	total, released, made := samples[0].Value.Uint64(), samples[1].Value.Uint64(), samples[2].Value.Uint64()
	goroutines, used := samples[3].Value.Uint64(), samples[4].Value.Uint64()
	return held{bytes: int64(total - released), made: int64(made), goroutines: int64(goroutines), used: int64(used)}
}
