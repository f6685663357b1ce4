package registry

import (
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox"
)

// TestIdlenessBeyondInt64 uses a clock beyond the range of an int64 of nanoseconds.
func TestIdlenessBeyondInt64(t *testing.T) {
	t.Parallel()
	for _, year := range []int{2, 2262, 2263, 9998} {
		now := time.Date(year, time.June, 1, 0, 0, 0, 0, time.UTC)
		sb := newEntry(sandbox.NewOrigin(&sandbox.Options{Origin: testBaseline(0), Machine: func() time.Time {
			return now
		}}))
		if used := sb.LastUsed(); !used.Equal(now) {
			t.Errorf("in %d it was used at %v", year, used)
		}
		if idle := sb.idleFor(now.Add(time.Hour)); idle != time.Hour {
			t.Errorf("in year %d, idle for %v after an hour", year, idle)
		}
	}
}
