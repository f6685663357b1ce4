package store

import (
	"testing"
)

// TestIDsUsedUp checks that creation fails after the largest id, because wrapping around would
// overwrite records. The largest id is the largest integer that every JSON parser reads exactly.
func TestIDsUsedUp(t *testing.T) {
	t.Parallel()
	s := New(must(Build(func(tx *Tx) error {
		_, err := tx.CreateCategory(Category{ID: 9007199254740990})
		return err
	})), Limits{})
	wantEqual(t, "last id", must(do(s, (*Tx).CreateCategory, Category{})).ID, 9007199254740991)
	_, err := do(s, (*Tx).CreateCategory, Category{})
	wantError(t, err, NoID, "")
	wantEqual(t, "categories", s.View().Counts().Categories, 2)
}

// TestStatusesAreInCodePointOrder checks the order of the statuses. Sorting by status reads their
// indexes in this order.
func TestStatusesAreInCodePointOrder(t *testing.T) {
	t.Parallel()
	got := Statuses()
	wantEqual(t, "statuses", got, []PetStatus{"available", "pending", "sold"})
	got[0] = "other"
	wantEqual(t, "statuses after a caller changed its copy", Statuses()[0], Available)
}
