package fault

import (
	"math"
	"testing"
)

// TestFirstDrawsAreUniform makes one draw for each of many requests, as fault rules do:
// consecutive request numbers must not give correlated draws. The seeds are fixed, so that the
// test cannot fail by chance.
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
		if chi > 43.8 { // the 99.9th percentile at 19 degrees of freedom
			t.Errorf("seed %d: chi-square = %.1f", seed, chi)
		}
		if share := runs / requests; share < 0.48 || share > 0.52 {
			t.Errorf("seed %d: %.3f of the draws are smaller than the one before, want half", seed, share)
		}
	}
}
