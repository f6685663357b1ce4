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
	}{{0, 600, 1200}, {4, 600, 1200}, {12, 200, 400}, {16, 150, 300}, {48, 150, 100}, {191, 150, 25}, {192, 100,
		25}, {4800, 100, 1}, {48_000, 100, 1}} {
		live = test.live
		c.bound(keepGarbage)
		if c.adjust(); percent != test.bounded {
			t.Errorf("%d MiB in use, bounded: %d percent, want %d", live, percent, test.bounded)
		}
		if c.bound(0); percent != test.want {
			t.Errorf("%d MiB in use: %d percent, want %d", live, percent, test.want)
		}
	}
	var none *collector // as with GOGC set
	none.run(t.Context())
	none.bound(1)
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

// TestIdleMemoryIsReleased runs a series of checks with the given sizes, in MiB. Memory must be
// released after a burst of requests, but neither during one nor again while it is in use.
func TestIdleMemoryIsReleased(t *testing.T) {
	t.Parallel()
	// After is the held memory after the release, or -1 if there must be no release.
	type look struct{ held, made, after, goroutines int64 }
	for name, looks := range map[string][]look{
		"a small server": {{14, 5, -1, 10}, {31, 1, -1, 10}, {20, 0, -1, 10}},
		"a storm": {{14, 5, -1, 10}, {800, 4000, -1, 10}, {800, 200, -1, 10}, {800, 1, 20, 10},
			{20, 1, -1, 10}, {56, 1, -1, 10}, {57, 1, 20, 10}},
		"a large server": {{331, 331, -1, 10}, {331, 0, 320, 10}, {320, 0, -1, 10}, {430, 30, -1, 10},
			{433, 30, 320, 10}},
		"readers that stay, and go": {{320, 0, 310, 4000}, {310, 0, -1, 4000}, {310, 0, -1, 2001}, {310, 0, 20, 2000},
			{20, 0, -1, 500}},
		"few readers":             {{320, 0, 310, 60}, {310, 0, -1, 3}},
		"one that became smaller": {{900, 0, 880, 10}, {100, 0, -1, 10}, {156, 0, -1, 10}, {157, 0, 100, 10}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var now held
			m := &idleMemory{}
			for i, l := range looks {
				given := false
				now = held{bytes: l.held << 20, made: now.made + l.made<<20, goroutines: l.goroutines}
				m.measure = func() held { return now }
				m.release = func() { given, now.bytes = true, l.after<<20 }
				m.look()
				if want := l.after >= 0; given != want {
					t.Errorf("look %d, at %d MiB with %d made since: given back: %t, want %t", i+1, l.held, l.made,
						given, want)
				}
			}
		})
	}
}

// TestMeasureHeld allocates a block and checks the measurement.
func TestMeasureHeld(t *testing.T) {
	t.Parallel()
	before := measureHeld()
	block := make([]byte, 32<<20)
	after := measureHeld()
	if after.made-before.made < int64(len(block)) || after.bytes < int64(len(block)) || after.goroutines < 1 {
		t.Errorf("held %+v, and %+v with %d bytes more", before, after, len(block))
	}
	block[0] = 1
}
