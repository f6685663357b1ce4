package sandbox

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestCheckRateLimit(t *testing.T) {
	t.Parallel()
	nan := 0.0
	nan /= nan
	for requests, ok := range map[float64]bool{0: true, 0.5: true, 1e6: true, 0.001: true, 0.0009: false,
		1e6 + 1: false, -1: false, nan: false} {
		if err := CheckRateLimit(requests); (err == nil) != ok {
			t.Errorf("CheckRateLimit(%v) = %v", requests, err)
		}
	}
}

// timed is a limiter on a clock that the test moves.
type timed struct {
	Limiter
	clock *Clock
	now   time.Time
}

func newTimed(requests float64) *timed {
	l := &timed{now: time.Date(2026, time.July, 1, 12, 0, 0, 0, time.UTC)}
	l.clock = NewClock(func() time.Time { return l.now })
	l.Policy = PolicyOf(requests)
	return l
}

func (l *timed) expect(t *testing.T, client string, ok bool, remaining, wait int) {
	t.Helper()
	if got, want := l.Take(client, l.clock), (Allowance{ok, remaining, wait}); got != want {
		t.Errorf("Take(%s) = %+v, want %+v", client, got, want)
	}
}

func TestLimiterIsBounded(t *testing.T) {
	t.Parallel()
	l := newTimed(1)
	l.expect(t, "first", true, 0, 1)
	l.expect(t, "second", true, 0, 1)
	for i := range maxClients - 2 {
		l.expect(t, fmt.Sprint(i), true, 0, 1)
	}
	l.expect(t, "first", false, 0, 1)  // still known, and now the most recent client
	l.expect(t, "another", true, 0, 1) // replaces the second client
	if n := l.clients.Len(); n != maxClients {
		t.Errorf("%d clients, want %d", n, maxClients)
	}
	if want := int64(maxClients * clientBytes); l.Bytes() != want {
		t.Errorf("%d bytes, want %d", l.Bytes(), want)
	}
	l.expect(t, "first", false, 0, 1)
	l.expect(t, "second", true, 0, 1)
}

func TestLimiterUnderLoad(t *testing.T) {
	t.Parallel()
	l := newTimed(100)
	var ok atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				if l.Take("a", l.clock).OK {
					ok.Add(1)
				}
			}
		})
	}
	all.Wait()
	if ok.Load() != 100 {
		t.Errorf("%d requests got through, want 100", ok.Load())
	}
}

// TestPolicyOf checks that a policy has the shortest window with an integer quota, up to 1,000 s.
func TestPolicyOf(t *testing.T) {
	t.Parallel()
	for requests, want := range map[float64]Policy{
		10: {10, 1}, 0.5: {1, 2}, 2.5: {5, 2}, 0.0013: {1, 770}, 3.14159265: {3, 1}, MinRateLimit: {1, 1000},
		MaxRateLimit: {1_000_000, 1},
		0.999:        {999, 1000}, 1.001: {1001, 1000}, 2.0001: {2, 1},
	} {
		if got := PolicyOf(requests); got != want {
			t.Errorf("PolicyOf(%v) = %+v, want %+v", requests, got, want)
		}
	}
}
