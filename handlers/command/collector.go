package command

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// Between two collections, the heap may grow by growthPercent of the live heap, or by leastGrowth
// if that is more. Without this minimum, a heap of a few megabytes would be collected far too
// often. A live heap of at least largeHeap may grow only by largePercent, because more growth would
// fragment it. Ten thousand sandboxes need such a heap.
const (
	leastGrowth   = 24 << 20 // bytes
	growthPercent = 150
	largeHeap     = 192 << 20 // bytes
	largePercent  = 100
)

// smallestHeap is the smallest heap size to which the runtime applies the GOGC percentage.
const smallestHeap = 4 << 20 // bytes

// collector sets, after each garbage collection, how much the heap may grow until the next
// collection. The runtime's memory limit takes precedence. A nil collector does nothing.
type collector struct {
	base func() int64          // growthBase, except in tests
	set  func(percent int) int // debug.SetGCPercent, except in tests

	mu   sync.Mutex
	most int64 // the limit set by the method bound, or 0 for none; guarded by mu
}

// newCollector returns nil if GOGC is set in the environment.
func newCollector() *collector {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	return &collector{base: growthBase, set: debug.SetGCPercent}
}

// run adjusts the growth now and, until ctx ends, after each collection. It returns at once.
func (c *collector) run(ctx context.Context) {
	if c == nil || ctx.Err() != nil {
		return
	}
	c.adjust()
	// The next collection finds this object unused and calls its finalizer, which calls run again.
	// The object must be larger than those that the tiny allocator combines, because their
	// finalizers may never run.
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

// bound limits the growth of the heap to the given number of bytes. 0 removes the limit.
func (c *collector) bound(bytes int64) {
	if c == nil {
		return
	}
	c.mu.Lock()
	c.most = bytes
	c.mu.Unlock()
	c.adjust()
}

// growthBase returns the number of bytes to which the runtime applies the GOGC percentage.
func growthBase() (bytes int64) {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"},
		{Name: "/gc/scan/globals:bytes"}}
	metrics.Read(samples)
	for _, s := range samples {
		bytes += int64(s.Value.Uint64())
	}
	return bytes
}
