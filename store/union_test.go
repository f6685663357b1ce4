package store

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestUnion compares pages of a union with slices of the merged ids. The ids are
// dealt to the sets in runs, so that sets interleave, follow one another, differ
// in size and stay empty.
func TestUnion(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sets := make([]*idSet, rapid.IntRange(1, 12).Draw(t, "sets"))
		for k := range sets {
			sets[k] = new(idSet)
		}
		var merged []int64
		id := int64(0)
		for range rapid.IntRange(0, 30).Draw(t, "runs") {
			set := sets[rapid.IntRange(0, len(sets)-1).Draw(t, "set")]
			gap := int64(rapid.IntRange(1, 50).Draw(t, "gap"))
			for range rapid.IntRange(1, 80).Draw(t, "length") {
				id += gap
				set.m.Set(id, struct{}{})
				merged = append(merged, id)
			}
		}
		u := union(sets)
		total := len(merged)
		if u.len() != total {
			t.Fatalf("length is %d, want %d", u.len(), total)
		}
		offset := rapid.IntRange(0, total).Draw(t, "offset")
		limit := rapid.IntRange(0, total).Draw(t, "limit")
		limit = min(limit, total-offset)
		before := []int64{-1}
		if got, want := u.page(before, offset, limit), slices.Concat(before,
			merged[offset:offset+limit]); !slices.Equal(got, want) {
			t.Errorf("page of %d at %d is %v, want %v", limit, offset, got, want)
		}
	})
}
