package store

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// checkUsage computes the usage of a store from scratch, and compares it with the reported usage.
func checkUsage(t testing.TB, s *Store, kept []Kept) {
	t.Helper()
	current, origins, usage := s.View(), cells(s.origin), usageBeside(s, kept)
	if counted, own, places := s.own(current), ownOf(s, current), placesOf(s, current); counted != own &&
		counted != own+places {
		t.Errorf("%d own bytes are counted, and the records have %d, besides %d for their places", counted, own, places)
	}
	held := map[record]bool{}
	hold := func(state *State) {
		for place, r := range cells(state) {
			held[r] = held[r] || r != origins[place]
		}
	}
	hold(current)
	hold(s.Baseline())
	if bytes := heldBytes(held); usage.Records < bytes {
		t.Errorf("%d bytes are counted as own, and the records have %d", usage.Records, bytes)
	}
	isOrigins := map[record]bool{}
	for _, r := range origins {
		isOrigins[r] = true
	}
	for _, write := range s.history.steps {
		for _, c := range write.changes {
			if !reflect.ValueOf(c.before).IsNil() && !isOrigins[c.before] {
				held[c.before] = true
			}
		}
		if write.whole != nil {
			hold(write.whole)
		}
	}
	if bytes := heldBytes(held); usage.Records+usage.Undo < bytes {
		t.Errorf("%d bytes are counted with undo, and the records have %d", usage.Records+usage.Undo, bytes)
	}
	for _, k := range kept {
		hold(k.State)
	}
	if counted, bytes := usage.Total(), heldBytes(held); counted < bytes {
		t.Errorf("%d bytes are counted with the snapshots, and the records have %d", counted, bytes)
	}
}

// usageBeside returns the usage of a store whose states are kept beside it.
func usageBeside(s *Store, kept []Kept) Usage {
	return s.Usage(Beside{Kept: slices.Clone(kept)})
}

// ownOf counts the bytes that a state does not share with the origin.
func ownOf(s *Store, state *State) (bytes int64) {
	records, origins := cells(state), cells(s.origin)
	for place, r := range records {
		if r != origins[place] {
			bytes += size(r)
		}
	}
	for place, r := range origins {
		if records[place] != r {
			bytes += PlaceBytes
		}
	}
	return bytes - placesOf(s, state)
}

// placesOf counts those of a state's bytes that [ownOf] leaves out: where it differs from the
// origin everywhere, its nodes may be copies of the origin's, or may have come from elsewhere.
func placesOf(s *Store, state *State) (bytes int64) {
	records, origins := cells(state), cells(s.origin)
	for place, r := range origins {
		if records[place] == r {
			return 0
		}
		bytes += PlaceBytes
	}
	return bytes
}

func heldBytes(held map[record]bool) (bytes int64) {
	for r, own := range held {
		if own {
			bytes += size(r)
		}
	}
	return bytes
}

// TestUsage checks that data shared with the origin costs nothing, that a store's own data counts
// in full, and that each place that differs from the origin counts as nodes of its own.
func TestUsage(t *testing.T) {
	t.Parallel()
	s := New(built(1, 3), Limits{})
	own := func() int64 { checkUsage(t, s, nil); return s.Usage(Beside{}).Records }
	wantEqual(t, "untouched", s.Usage(Beside{}) == Usage{}, true)
	message := must(do(s, Messages.Create, Message{Message: "Hello"}))
	wantEqual(t, "with a message", own(), messageBytes+5)
	must(do(s, Pets.Update, Pet{ID: 2, Name: "Bello", CategoryID: 1, Status: Sold}))
	wantEqual(t, "and another pet", own(), messageBytes+5+petBytes+5+PlaceBytes)
	must(0, remove(s, Pets.Delete, 2))
	wantEqual(t, "that was deleted", own(), messageBytes+5+PlaceBytes)
	wantEqual(t, "undo", s.Usage(Beside{}).Undo, 3*stepBytes+petBytes+5+PlaceBytes)
	fork := s.Fork(Now)
	checkUsage(t, fork, nil)
	wantEqual(t, "fork", fork.Usage(Beside{}) == Usage{Records: messageBytes + 5 + PlaceBytes}, true)
	s.Undo(3)
	wantEqual(t, "undone", own(), 0)
	wantEqual(t, "undo of nothing", s.Usage(Beside{}).Undo, 0)
	wantEqual(t, "message of the fork", must(fork.View().FindMessage(message.ID)), message)
	s.Replace(built(1, 1), Beside{})
	wantEqual(t, "replaced by a state from elsewhere", own(), s.View().Bytes())
	s.Reset()
	wantEqual(t, "after a reset", [2]int64{own(), s.Usage(Beside{}).Undo}, [2]int64{0, 0})
}

// TestUsageOfABaseline checks that a baseline that differs from the origin counts, but only once.
func TestUsageOfABaseline(t *testing.T) {
	t.Parallel()
	s := New(built(1, 3), Limits{})
	baseline := built(2, 5)
	s.SetBaseline(baseline)
	wantEqual(t, "beside the origin", s.Usage(Beside{}).Records, baseline.Bytes())
	s.Replace(baseline, Beside{})
	wantEqual(t, "as the current state", s.Usage(Beside{}).Records, baseline.Bytes())
	must(do(s, Pets.Update, Pet{ID: 1, Name: "B", CategoryID: 1, Status: Sold}))
	checkUsage(t, s, nil)
	// Counting a place is conservative.
	wantEqual(t, "with another pet", s.Usage(Beside{}).Records, baseline.Bytes()+PlaceBytes+petBytes+1)
	fork := s.Fork(Now)
	fork.Reset()
	wantEqual(t, "of a fork after a reset", fork.Usage(Beside{}).Records, baseline.Bytes())
	before := s.View()
	s.Replace(built(1, 0), Beside{})
	wantEqual(t, "replaced", s.Usage(Beside{}).Records, baseline.Bytes()+s.View().Bytes())
	kept := s.Keep()
	s.Undo(1)
	wantEqual(t, "undo restores the state itself, not a copy", s.View() == before, true)
	checkUsage(t, s, []Kept{kept})
	wantEqual(t, "beside it, a state that was undone", usageBeside(s, []Kept{kept}).Kept, kept.State.Bytes())
	s.Replace(built(1, 0), Beside{})
	s.SetBaseline(s.View())
	wantEqual(t, "as the current state again", s.Usage(Beside{}).Records, s.View().Bytes())
	s.SetBaseline(baseline)
	wantEqual(t, "and set again", s.Usage(Beside{}).Records, baseline.Bytes()+s.View().Bytes())
}

// TestKeptStatesShare checks that a hundred snapshots of a sandbox with few changes take little memory.
func TestKeptStatesShare(t *testing.T) {
	t.Parallel()
	s := New(built(1, 0), Limits{})
	for range 200 {
		must(do(s, Pets.Create, rex))
	}
	var kept []Kept
	for i := range 100 {
		kept = append(kept, s.Keep())
		must(do(s, Pets.Update, Pet{ID: 1, Name: fmt.Sprintf("%03d", i), CategoryID: 1, Status: Sold}))
	}
	checkUsage(t, s, kept)
	wantEqual(t, "held beside the store", usageBeside(s, kept).Kept, 100*(petBytes+3+PlaceBytes))
	// Two in full.
	wantEqual(t, "in whatever order", usageBeside(s, []Kept{kept[99], kept[0], kept[50]}).Kept,
		petBytes+3+PlaceBytes+2*200*(petBytes+3))
	s.Reset()
	checkUsage(t, s, kept)
	wantEqual(t, "after a reset", usageBeside(s, kept).Kept, 99*(petBytes+3+PlaceBytes)+200*(petBytes+3))
}
