package store

import (
	"testing"
)

// TestFits checks that a state from another store may have as many records as this store's
// limit allows.
func TestFits(t *testing.T) {
	t.Parallel()
	s := New(built(2, 10), Limits{Records: 3})
	wantEqual(t, "error for as many as fit", s.Fits(built(2, 13)), nil)
	err := s.Fits(built(2, 14))
	wantError(t, err, TooLarge, "")
	wantEqual(t, "message", err.Error(), "the state has 16 records, but the sandbox can hold at most 15")
	wantError(t, s.Fork(nil).Fits(built(2, 14)), TooLarge, "")
	s.SetBaseline(built(2, 11))
	wantEqual(t, "error over a larger baseline", s.Fits(built(2, 14)), nil)
	wantEqual(t, "error for as many as a baseline may have", s.FitsBaseline(built(2, 13)), nil)
	err = s.FitsBaseline(built(2, 14))
	wantError(t, err, TooLarge, "")
	wantEqual(t, "message", err.Error(), "the state has 16 records, but its baseline can have at most 15")
	wantEqual(t, "error for a baseline without a limit", New(built(1, 0), Limits{}).FitsBaseline(built(2, 1000)), nil)
	wantEqual(t, "error without a limit", New(built(1, 0), Limits{}).Fits(built(2, 1000)), nil)
}
