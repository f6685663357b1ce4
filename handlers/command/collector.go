package command

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// Between two collections the heap grows by growthPercent of the live heap, but by at least
// leastGrowth, because otherwise a heap of a few megabytes would be collected far too often. A heap
// of at least largeHeap, as with ten thousand sandboxes, grows by largePercent, because more growth
// would fragment it.
const (
	leastGrowth   = 24 << 20 // bytes
	growthPercent = 150
	largeHeap     = 192 << 20 // bytes
	largePercent  = 100
)

// smallestHeap is the smallest heap size to which the runtime applies the percentage.
const smallestHeap = 4 << 20 // bytes

// collector sets, after each garbage collection, how much the heap may grow until the next one. The
// runtime's memory limit takes precedence. A nil collector does nothing.
type collector struct {
	base func() int64          // growthBase
	set  func(percent int) int // debug.SetGCPercent

	mu   sync.Mutex
	most int64 // guarded by mu: the limit set by bound; 0 means none
}

// newCollector returns nil if GOGC is set in the environment.
func newCollector() *collector {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	return &collector{base: growthBase, set: debug.SetGCPercent}
}

// run adjusts the growth after each collection until ctx ends.
func (c *collector) run(ctx context.Context) {
	if c == nil || ctx.Err() != nil {
		return
	}
	c.adjust()
	// The next collection frees this object and then calls run again. The object must be too large
	// for the tiny allocator, which may never run its finalizer.
	runtime.SetFinalizer(new([64]byte), func(*[64]byte) { c.run(ctx) })
}

func (c *collector) adjust() {
	c.mu.Lock()
	defer c.mu.Unlock()
	base := max(smallestHeap, c.base())
	percent, bytes := int64(growthPercent), int64(leastGrowth)
	switch {
	case c.most > 0:
		percent, bytes = 1, c.most
	case base >= largeHeap:
		percent = largePercent
	}
	c.set(int(max(percent, bytes*100/base)))
}

// bound lets the heap grow by at most the given bytes until the returned function is called.
func (c *collector) bound(bytes int64) (end func()) {
	if c == nil {
		return func() {}
	}
	set := func(bytes int64) {
		c.mu.Lock()
		c.most = bytes
		c.mu.Unlock()
		c.adjust()
	}
	set(bytes)
	return func() { set(0) }
}

// growthBase returns the number of bytes to which the runtime applies the percentage.
func growthBase() (bytes int64) {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}, {Name: "/gc/scan/globals:bytes"}}
	metrics.Read(samples)
	for _, s := range samples {
		bytes += int64(s.Value.Uint64())
	}
	return bytes
}
