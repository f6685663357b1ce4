package sandbox

import (
	"testing"
)

// TestPolicyOf checks that a policy has the shortest window with an integer quota, up to 1,000 s.
func TestPolicyOf(t *testing.T) {
	t.Parallel()
	for requests, want := range map[float64]Policy{
		10: {10, 1}, 0.5: {1, 2}, 2.5: {5, 2}, 0.0013: {1, 770}, 3.14159265: {3, 1}, MinRateLimit: {1, 1000}, MaxRateLimit: {1_000_000, 1},
		0.999: {999, 1000}, 1.001: {1001, 1000}, 2.0001: {2, 1},
	} {
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
