package handlers_test

import (
	"testing"
	"time"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestLatencyFlag checks that the failures of --error-rate are delayed too.
func TestLatencyFlag(t *testing.T) {
	t.Parallel()
	for _, share := range []float64{0, 1} {
		w := NewWorld(t, func(c *handlers.Config) {
			c.Latency, c.ErrorRate = handlers.Latency{Min: 20 * time.Millisecond, Max: 25 * time.Millisecond}, share
		})
		start := time.Now()
		a := w.Get(t, "/pets")
		if waited := time.Since(start); waited < 20*time.Millisecond {
			t.Errorf("it took %v", waited)
		}
		if failed := a.Status == 503; failed != (share == 1) {
			t.Errorf("an error rate of %v answers %d", share, a.Status)
		}
	}
}
