package journal

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestQueueAgainstSlice adds and removes values at random, so that the queue grows with its start
// at every index.
func TestQueueAgainstSlice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var q queue[int]
		var want []int
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				for range rapid.IntRange(1, 12).Draw(t, "pushed") {
					v := len(want) + 1000
					q.push(v)
					want = append(want, v)
				}
			},
			"pop": func(t *rapid.T) {
				for range rapid.IntRange(0, len(want)).Draw(t, "popped") {
					if got := q.pop(); got != want[0] {
						t.Fatalf("pop() = %d, want %d", got, want[0])
					}
					want = want[1:]
				}
			},
			"": func(t *rapid.T) {
				got := []int{}
				for i := range q.n {
					got = append(got, *q.at(i))
				}
				if diff := cmp.Diff(append([]int{}, want...), got); diff != "" {
					t.Fatalf("-want +got:\n%s", diff)
				}
				if kept := len(q.items) - len(slices.DeleteFunc(slices.Clone(q.items), func(v int) bool { return v == 0 })); len(q.items)-kept != q.n {
					t.Fatalf("%d of %d values are still held", len(q.items)-kept, q.n)
				}
			},
		})
	})
}
