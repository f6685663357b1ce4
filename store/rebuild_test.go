package store

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// changeTo changes a state into another one, record by record, using copies.
func changeTo(to *State) func(*Tx) error {
	return func(tx *Tx) error {
		from := *tx.View()
		addMissing(tx, &from, to, categoryRows)
		addMissing(tx, &from, to, petRows)
		removeOthers(tx, &from, to, petRows)
		removeOthers(tx, &from, to, categoryRows)
		tx.SetCounters(to.Counters())
		return nil
	}
}

func addMissing[R any](tx *Tx, from, to *State, t *table[R]) {
	t.of(to).each(func(r *R) bool {
		if old, _ := t.of(from).m.Get(*t.id(r)); old != r {
			t.put(tx, new(*r))
		}
		return true
	})
}

func removeOthers[R any](tx *Tx, from, to *State, t *table[R]) {
	t.of(from).each(func(r *R) bool {
		if _, ok := t.of(to).m.Get(*t.id(r)); !ok {
			t.remove(tx, r)
		}
		return true
	})
}

// TestRebuild loads the contents of a store and its snapshots into another store with different
// contents. It checks that the contents are equal, that the indexes agree with the tables, and
// that all bytes are counted.
func TestRebuild(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		origin := built(2, 6)
		source, target := New(origin, Limits{}), New(origin, Limits{})
		var kept, old []Kept
		act := func(s *Store, kept *[]Kept) {
			pet := Pet{ID: rapid.Int64Range(1, 9).Draw(t, "pet"), Name: fmt.Sprint(rapid.Int64().Draw(t, "name")),
				CategoryID: 1, Status: Sold}
			switch rapid.IntRange(0, 6).Draw(t, "act") {
			case 0, 1:
				must(do(s, Pets.Create, pet))
			case 2:
				_ = remove(s, Pets.Delete, pet.ID)
			case 3:
				*kept = append(*kept, s.Keep())
			case 4:
				s.Reset()
			case 5:
				s.Replace(built(1, 3), Beside{})
			case 6:
				s.SetBaseline(s.View())
			}
		}
		for range rapid.IntRange(0, 20).Draw(t, "acts") {
			act(source, &kept)
		}
		for range rapid.IntRange(0, 5).Draw(t, "acts before") {
			act(target, &old)
		}
		r := target.Rebuild(source.Baseline())
		states := []*State{source.View()}
		for i := range kept {
			states = append(states, kept[len(kept)-1-i].State)
		}
		for _, state := range states {
			if err := r.Next(changeTo(state)); err != nil {
				t.Fatal(err)
			}
		}
		must(0, target.FitsRebuild(r, 0, false, Beside{}))
		now := target.Load(r)
		if !target.View().Same(source.View()) || target.Baseline() != source.Baseline() || target.Undoable() != 0 ||
			len(now) != len(kept) {
			t.Fatalf("the store differs from the rebuilt contents")
		}
		for i, k := range now {
			if !k.State.Same(states[i+1]) {
				t.Fatalf("snapshot %d has not", i)
			}
			for _, violation := range violations(k.State) {
				t.Error(violation)
			}
		}
		checkHeld(t, target, now)
		act(target, &now)
		checkHeld(t, target, now)
	})
}

// checkHeld checks that all memory of a store and its snapshots is counted.
func checkHeld(t *rapid.T, s *Store, kept []Kept) {
	for _, violation := range violations(s.View()) {
		t.Error(violation)
	}
	origins, held := cells(s.origin), map[record]bool{}
	hold := func(state *State) {
		for place, r := range cells(state) {
			held[r] = held[r] || r != origins[place]
		}
	}
	hold(s.View())
	hold(s.Baseline())
	for _, k := range kept {
		hold(k.State)
	}
	if u := usageBeside(s, kept); u.Total() < heldBytes(held) {
		t.Fatalf("%+v bytes are counted, and the records have %d", u, heldBytes(held))
	}
}

// TestFitsRebuild checks which rebuilds exceed a limit.
func TestFitsRebuild(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		limits Limits
		beside int64
		want   error
	}{
		"bytes":   {Limits{Bytes: 1000}, 0, &Error{Code: FullBytes}},
		"beside":  {Limits{Bytes: 100_000}, 100_000, &Error{Code: FullBytes}},
		"records": {Limits{Records: 5}, 0, &Error{Code: TooLarge}},
		"nothing": {Limits{Bytes: 100_000, Records: 10}, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := New(built(1, 1), test.limits)
			r := s.Rebuild(s.Baseline())
			if err := r.Next(changeTo(built(1, 10))); err != nil {
				t.Fatal(err)
			}
			err := s.FitsRebuild(r, test.beside, false, Beside{})
			if !errors.Is(err, test.want) {
				t.Errorf("the error is %v, not %v", err, test.want)
			}
		})
	}
}
