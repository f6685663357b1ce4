package sandbox

import (
	"testing"
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
