package command

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// What was needed in a storm is given back to the system when it is over. Left alone, Go's
// collector would run when as much has been made again as the storm left, or after two
// minutes, and give back a little at a time.
const (
	lookEvery  = 5 * time.Second
	worthwhile = 32 << 20 // bytes: that much more than there were after the last time
	calm       = 8        // one part in so many of what is held is the most that is made from one look to the next
	crowd      = 64       // goroutines: when at least so many have become half as many, those have left something
)

// A heap of at least largeHeap is collected when it has grown by largePercent, which is less
// than main sets. With 10,000 sandboxes that saves 50 MB, and costs little for each byte made:
// a collection of a large heap comes late in any case.
const (
	largeHeap    = 128 << 20 // bytes that are in use
	largePercent = 100
)

// held is what the process has of the system.
type held struct {
	bytes      int64
	made       int64 // bytes since the start
	goroutines int64
	used       int64 // bytes that the last collection has left
}

// idleMemory gives back what is not in use.
type idleMemory struct {
	measure func() held
	release func()                         // takes as long as two collections
	tune    func(percent int) (before int) // nil if GOGC is set
	usual   int                            // the percent of a heap that is not large; 0: the heap is not
	last    held
	least   int64 // bytes held when it was given back, or since
	most    int64 // goroutines when it was given back, or since
}

func newIdleMemory() *idleMemory {
	m := &idleMemory{measure: measureHeld, release: giveBack}
	if os.Getenv("GOGC") == "" {
		m.tune = debug.SetGCPercent
	}
	return m
}

// giveBack gives back all that is not in use. What a sync.Pool holds outlives one
// collection.
func giveBack() {
	runtime.GC()
	debug.FreeOSMemory()
}

// run looks until ctx ends.
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

// look gives memory back when there is calm, and more is held, or fewer need it, than when
// that was done last. It has a large heap collected more often.
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
