package command

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// After a burst of load, idleMemory returns unused memory to the operating system. Without this,
// the garbage collector would run only after the heap has grown enough or after two minutes, and it
// would return the memory slowly.
const (
	lookEvery  = 5 * time.Second
	worthwhile = 32 << 20 // bytes; growth by 1/4 and this many bytes since the last release justifies another one
	calm       = 8        // idle: at most 1/8 of the held memory was allocated since the last check
	crowd      = 64       // if at least this many goroutines ran and half of them have ended, they left memory behind
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
	release func() // runs two collections
	last    held
	least   int64 // the minimum of held.bytes since the last release
	most    int64 // the maximum of held.goroutines since the last release
}

func newIdleMemory() *idleMemory {
	return &idleMemory{measure: measureHeld, release: giveBack}
}

// giveBack returns all unused memory to the operating system. The second collection, by
// FreeOSMemory, frees the objects in each sync.Pool, which survive the first.
func giveBack() {
	runtime.GC()
	debug.FreeOSMemory()
}

// run calls look at regular intervals until ctx is done.
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

// look releases memory if the program is idle, and since the last release the memory has grown or
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
