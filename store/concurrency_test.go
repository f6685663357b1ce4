package store

import (
	"testing"
)

// TestCountsAfterConcurrentWrites publishes states in every way concurrently. Readers must see
// complete states, and the final usage must be exact.
func TestCountsAfterConcurrentWrites(t *testing.T) {
	t.Parallel()
	s := New(built(3, 60), Limits{})
	kept := make(chan Kept, 200)
	writers := []func(n int){
		func(n int) {
			_, _ = do(s, Pets.Create, Pet{Name: "Rex", CategoryID: int64(1 + n%3), Status: Available})
		},
		func(n int) {
			_, _ = do(s, Pets.Update, Pet{ID: int64(1 + n%70), CategoryID: int64(1 + n%2), Status: Sold})
		},
		func(n int) { _ = remove(s, Pets.Delete, int64(1+3*n%70)) },
		func(n int) { s.Undo(1 + n%3) },
		func(n int) {
			if n%20 == 0 {
				s.Reset()
			}
		},
		func(n int) {
			k := s.Keep()
			checkInvariants(t, k.State)
			kept <- k
			if n%10 == 0 {
				s.Replace(k.State, Beside{})
			}
		},
	}
	together(len(writers), func(i int) {
		for n := range 100 {
			writers[i](n)
		}
	})
	close(kept)
	var all []Kept
	for k := range kept {
		all = append(all, k)
	}
	checkInvariants(t, s.View())
	checkUsage(t, s, all)
	checkUsage(t, s.Fork(Now), all)
}
