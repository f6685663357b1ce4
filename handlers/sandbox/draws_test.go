package sandbox

import (
	"math"
	"testing"
	"time"
)

// drawn returns the first numbers of each of n requests.
func drawn(sb *Sandbox, n int) []float64 {
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
	other, _, err := r.Make("other", &Baseline{State: r.options.Baseline.State, Seed: 8})
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
	ada.Reset(PartFaults)
	if !equal(first, drawn(ada, 50)) {
		t.Error("draws do not begin anew with the faults")
	}
	ada.Reset(PartData, PartClock, PartLifecycle, PartJournal, PartReport, PartKeys, PartLimit, PartSnapshots)
	if equal(first, drawn(ada, 50)) {
		t.Error("draws begin anew with another part than the faults")
	}
	ada.Reset()
	if !equal(first, drawn(ada, 50)) {
		t.Error("draws do not begin anew with a reset")
	}
	draws := ada.Draw()
	if draws.Number() != 51 || new(Draws).Number() != 0 {
		t.Errorf("Number = %d, want 51 and 0 for none", draws.Number())
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

// TestFirstDrawsAreUniform takes one number of each of many requests, as fault
// rules do: neighbouring numbers must not make neighbouring draws. The seeds are
// fixed, so that the test cannot fail by chance.
func TestFirstDrawsAreUniform(t *testing.T) {
	t.Parallel()
	for _, seed := range []uint64{0, 1, 2, math.MaxUint64} {
		const requests, bins = 10_000, 20
		var counts [bins]float64
		var runs, last float64
		for number := range uint64(requests) {
			draws := Draws{seed: seed, number: number + 1}
			n := draws.Float64()
			counts[int(n*bins)]++
			if n < last {
				runs++
			}
			last = n
		}
		chi := 0.0
		for _, count := range counts {
			chi += (count - requests/bins) * (count - requests/bins) / (requests / bins)
		}
		if chi > 43.8 { // what chance exceeds once in a thousand, at 19 degrees of freedom
			t.Errorf("seed %d: chi-square = %.1f", seed, chi)
		}
		if share := runs / requests; share < 0.48 || share > 0.52 {
			t.Errorf("seed %d: %.3f of the draws are smaller than the one before, want half", seed, share)
		}
	}
}
