package registry

import (
	"testing"
	"time"
)

// TestOneTimerAtMost: a sandbox more starts none, nor does one after the end or where
// none ever goes.
func TestOneTimerAtMost(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	visit(t, r, "ada")
	first := r.sweeper
	visit(t, r, "bob")
	if first == nil || r.sweeper != first {
		t.Errorf("the timer was %p and is %p", first, r.sweeper)
	}

	closed, _ := newTestRegistry(t, 10, time.Hour)
	closed.Close()
	visit(t, closed, "ada")
	forever, _ := newTestRegistry(t, 10, 0)
	visit(t, forever, "ada")
	if closed.sweeper != nil || forever.sweeper != nil {
		t.Errorf("after the end the timer is %p, without a ttl %p", closed.sweeper, forever.sweeper)
	}
}

// TestHeldSandboxesAreNotLookedAtAlways: who keeps an idle sandbox does not have every
// request of a full server look through all of them.
func TestHeldSandboxesAreNotLookedAtAlways(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 10, time.Hour)
	if _, err := enter(r, "ada"); err != nil {
		t.Fatal(err)
	}
	m.pass(2 * time.Hour)
	sweep(r)
	if want := m.now().Add(r.sweepEvery()); !r.idleFrom.Equal(want) {
		t.Errorf("it is looked again at %v, want %v", r.idleFrom, want)
	}
}
