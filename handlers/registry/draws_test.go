package registry

import (
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox"
)

// drawn returns the first numbers of each of n requests.
func drawn(sb *Entry, n int) []float64 {
	var numbers []float64
	for range n {
		draws := sb.Draw()
		brownout := draws.ForBrownout()
		numbers = append(numbers, draws.Float64(), draws.Float64(), draws.NormFloat64(), brownout.Float64())
	}
	return numbers
}

func equal(a, b []float64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

func TestDrawsDependOnSeedAndNumberAlone(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 10, time.Hour)
	ada, bob := visit(t, r, "ada"), visit(t, r, "bob")
	other, _, err := r.Make("other", CreateOptions{Baseline: &sandbox.Baseline{State: r.options.Baseline.State, Seed: 8}})
	if err != nil {
		t.Fatal(err)
	}
	first := drawn(ada, 50)
	m.pass(time.Minute)
	if !equal(first, drawn(bob, 50)) {
		t.Error("two sandboxes of one seed draw differently")
	}
	if equal(first, drawn(other, 50)) {
		t.Error("two seeds draw alike")
	}
	if equal(first, drawn(ada, 50)) {
		t.Error("later requests draw what the first did")
	}
	ada.Reset(sandbox.PartFaults)
	if !equal(first, drawn(ada, 50)) {
		t.Error("draws do not begin anew with the faults")
	}
	ada.Reset(sandbox.PartData, sandbox.PartClock, sandbox.PartLifecycle, sandbox.PartJournal, sandbox.PartReport, sandbox.PartKeys, sandbox.PartLimit, sandbox.PartSnapshots)
	if equal(first, drawn(ada, 50)) {
		t.Error("draws begin anew with another part than the faults")
	}
	ada.Reset()
	if !equal(first, drawn(ada, 50)) {
		t.Error("draws do not begin anew with a reset")
	}
}

// TestBrownoutDrawsAreIndependent wants a brown-out to hit the same requests
// however much faults have drawn, and other ones than the faults.
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
