package sandbox

import (
	"testing"
	"time"
)

// TestPolicyOfLongWindows: a number that is whole in 1,000 s and in no shorter window.
func TestPolicyOfLongWindows(t *testing.T) {
	t.Parallel()
	for requests, want := range map[float64]Policy{0.999: {999, 1000}, 1.001: {1001, 1000}, 2.0001: {2, 1}} {
		if got := PolicyOf(requests); got != want {
			t.Errorf("PolicyOf(%v) = %+v, want %+v", requests, got, want)
		}
	}
	for _, requests := range []float64{MinRateLimit, MaxRateLimit} {
		if err := CheckRateLimit(requests); err != nil {
			t.Errorf("CheckRateLimit(%v) = %v", requests, err)
		}
	}
}

// TestReadableRunes keeps the ends of the ranges that a canonical name has.
func TestReadableRunes(t *testing.T) {
	t.Parallel()
	if got := []rune{readableRune('a'), readableRune('z'), readableRune('A'), readableRune('Z'), readableRune('0'), readableRune('9')}; string(got) != "azaz09" {
		t.Errorf("azAZ09 is readable as %s", string(got))
	}
	if got := []rune{readableRune('`'), readableRune('{'), readableRune('@'), readableRune('['), readableRune('/'), readableRune(':')}; string(got) != "------" {
		t.Errorf("the runes beside are readable as %s", string(got))
	}
}

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
