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
		checkSeek(t, u, merged, offset)
	})
}

// checkSeek compares the place that seek finds in each set with a count.
func checkSeek(t *rapid.T, u union, merged []int64, offset int) {
	places := u.seek(offset)
	for k, set := range u {
		want := 0
		for _, id := range merged[:offset] {
			if _, ok := set.m.Get(id); ok {
				want++
			}
		}
		if places[k] != want {
			t.Errorf("seek(%d) is at %d of set %d, want %d", offset, places[k], k, want)
		}
		if offset < len(merged) {
			if got := set.rank(merged[offset], 0, set.m.Len()); got != want {
				t.Errorf("rank of %d in set %d is %d, want %d", merged[offset], k, got, want)
			}
		}
	}
}

// TestTreePage walks pages of a tree in both directions.
func TestTreePage(t *testing.T) {
	t.Parallel()
	const n = 3000 // three levels deep
	tree := new(tree[struct{}])
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = int64(3 * i)
		tree.m.Set(ids[i], struct{}{})
	}
	for _, desc := range []bool{false, true} {
		for _, offset := range []int{0, 1, 17, n / 2, n - 3, n - 1, n, n + 1} {
			for _, limit := range []int{0, 1, 5, n} {
				var got []int64
				tree.page(offset, limit, desc, func(id int64, _ struct{}) { got = append(got, id) })
				first := min(offset, n)
				want := ids[first:min(first+limit, n)]
				if !slices.Equal(got, want) {
					t.Errorf("page of %d at %d, desc %t, is %v, want %v", limit, offset, desc, got, want)
				}
			}
		}
		slices.Reverse(ids)
	}
}
