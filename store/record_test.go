package store

import "testing"

// TestIDsUsedUp checks that creation fails after the largest id, because wrapping around would
// overwrite records. The largest id is the largest integer that every JSON parser reads exactly.
func TestIDsUsedUp(t *testing.T) {
	t.Parallel()
	s := New(must(Build(func(tx *Tx) error {
		_, err := Categories.Create(tx, Category{ID: 9007199254740990})
		return err
	})), Limits{})
	wantEqual(t, "last id", must(do(s, Categories.Create, Category{})).ID, 9007199254740991)
	_, err := do(s, Categories.Create, Category{})
	wantError(t, err, NoID, "")
	wantEqual(t, "categories", s.View().Counts().Categories, 2)
}
