package command

import (
	"context"
	"runtime"
	"testing"
)

// TestGrowthOfTheHeap checks the growth for heaps of several sizes, in MiB, with and without the
// bound while the file of --keep is written.
func TestGrowthOfTheHeap(t *testing.T) {
	t.Parallel()
	var live int64
	var percent int
	c := &collector{base: func() int64 { return live << 20 }, set: func(to int) int { percent = to; return 0 }}
	for _, test := range []struct {
		live          int64
		want, bounded int // percent
	}{{0, 600, 1200}, {4, 600, 1200}, {12, 200, 400}, {16, 150, 300}, {48, 150, 100}, {127, 150, 37}, {128, 100, 37}, {4800, 100, 1}, {48_000, 100, 1}} {
		live = test.live
		end := c.bound(keepGarbage)
		if c.adjust(); percent != test.bounded {
			t.Errorf("%d MiB in use, bounded: %d percent, want %d", live, percent, test.bounded)
		}
		if end(); percent != test.want {
			t.Errorf("%d MiB in use: %d percent, want %d", live, percent, test.want)
		}
	}
	var none *collector // as with GOGC set
	none.run(t.Context())
	none.bound(1)()
}

// TestCollectionsAdjustTheGrowth checks that each collection is followed by an adjustment.
func TestCollectionsAdjustTheGrowth(t *testing.T) {
	t.Parallel()
	adjusted := make(chan struct{}, 1000)
	c := &collector{base: growthBase, set: func(int) int { adjusted <- struct{}{}; return 0 }}
	ctx, end := context.WithCancel(t.Context())
	c.run(ctx)
	for range 3 {
		<-adjusted
		runtime.GC()
	}
	end()
}
