package registry

import (
	"testing"
	"time"
)

// TestOneTimerAtMost checks that an additional sandbox starts no second timer, and that no timer
// starts after Close or without a ttl.
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

// TestHeldSandboxesAreNotLookedAtAlways checks that a held idle sandbox does not make every
// request to a full server search all sandboxes.
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
