package registry

import (
	"testing"
	"time"
)

// TestBrownoutDrawsAreIndependent checks that a brown-out hits the same requests however many
// draws faults have made, and other requests than the faults.
func TestBrownoutDrawsAreIndependent(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	same := 0
	for range 1000 {
		draws := r.Default().Draw()
		before := draws.ForBrownout()
		want := before.Float64()
		fault := draws.Float64()
		after := draws.ForBrownout()
		if got := after.Float64(); got != want {
			t.Fatalf("after a draw the brown-out draws %g, before %g", got, want)
		}
		if (fault < 0.5) == (want < 0.5) {
			same++
		}
	}
	if same < 440 || same > 560 {
		t.Errorf("brown-out and faults agree on %d of 1000 requests, want about half", same)
	}
}
