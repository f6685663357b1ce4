package store

import (
	"fmt"
	"strings"
	"testing"
)

// written returns a store after the number of writes, and its contents before and after each.
func written(writes int) (*Store, []contents) {
	s := New(built(1, 0), Limits{})
	states := []contents{contentsOf(s.View())}
	for range writes {
		must(do(s, Pets.Create, rex))
		states = append(states, contentsOf(s.View()))
	}
	return s, states
}

var rex = Pet{Name: "Rex", CategoryID: 1, Status: Sold}

// TestAt reads every state that undo can restore, and some that it cannot.
func TestAt(t *testing.T) {
	t.Parallel()
	const writes = HistoryLimit + 2
	s, states := written(writes)
	last := s.Keep().Number
	first := last - writes // the writes' states have consecutive numbers
	at := func(number int64) any {
		if state := s.At(number); state != nil {
			return contentsOf(state)
		}
		return nil
	}
	for i, want := range states {
		if i < writes-HistoryLimit {
			wantEqual(t, "a state beyond the history", at(first+int64(i)), nil)
			continue
		}
		wantEqual(t, "an earlier state", at(first+int64(i)), any(want))
	}
	wantEqual(t, "contents", contentsOf(s.View()), states[writes])
	wantEqual(t, "no state", at(last+1), nil)

	fork := s.Fork(last - 2)
	wantEqual(t, "a fork's contents", contentsOf(fork.View()), states[writes-2])
	wantEqual(t, "a fork's history", fork.Undoable(), 0)
	wantEqual(t, "no fork", s.Fork(first), nil)

	s.Undo(2)
	number := s.Keep().Number
	wantEqual(t, "the number after an undo", number, last-2)
	wantEqual(t, "a state that was undone", at(last), nil)
	must(do(s, Pets.Create, rex))
	number = s.Keep().Number
	wantEqual(t, "the number of the next write", number, last+1)
	wantEqual(t, "the state that the undo led to", at(last-2), any(states[writes-2]))
	s.Reset()
	wantEqual(t, "a state before a reset", at(last-2), nil)
}

// TestHistoryFreesDroppedStates checks that the garbage collector can free states that undo can no longer
// restore.
func TestHistoryFreesDroppedStates(t *testing.T) {
	t.Parallel()
	s, _ := written(HistoryLimit + 3)
	kept := func() (names []string) {
		for _, c := range s.history.changesKept() {
			names = append(names, fmt.Sprint(c.after.(*petRow).id))
		}
		return names
	}
	forgotten := s.history.steps[:1]
	wantEqual(t, "changes kept", [2]string{kept()[0], kept()[HistoryLimit-1]}, [2]string{"4", "103"})
	must(do(s, Pets.Create, rex))
	wantEqual(t, "forgotten step", forgotten[0].changes == nil, true)
	undone := s.history.steps
	s.Undo(HistoryLimit - 2)
	wantEqual(t, "changes kept after an undo", kept(), []string{"5", "6"})
	wantEqual(t, "undone step", undone[2].changes == nil, true)
	s.Reset()
	wantEqual(t, "steps after a reset", cap(s.history.steps), 0)
}

func (h *history) changesKept() (changes []change) {
	for _, s := range h.steps {
		changes = append(changes, s.changes...)
	}
	return changes
}

// TestHistoryBytes fills the history with large records, and then replaces a state that is
// too large to be kept.
func TestHistoryBytes(t *testing.T) {
	t.Parallel()
	s := New(built(1, 1), Limits{})
	text := func(size int, letter string) *string { return new(strings.Repeat(letter, size)) }
	kept := func() [2]int64 { return [2]int64{int64(s.Undoable()), s.Usage(Beside{}).Undo} }
	change := func(size int, letter string) {
		must(do(s, Categories.Update, Category{ID: 1, Description: text(size, letter)}))
	}
	change(HistoryBytes/8, "a") // keeps a record of the origin
	wantEqual(t, "bytes of a step that keeps the origin's", s.Usage(Beside{}).Undo, stepBytes)
	for i := range 20 {
		change(HistoryBytes/8, string(rune('b'+i)))
	}
	wantEqual(t, "steps", s.Undoable(), 7)
	change(HistoryBytes, "x")
	wantEqual(t, "steps before the one that would keep too much", s.Undoable(), 7)
	change(1, "y")
	wantEqual(t, "steps, bytes", kept(), [2]int64{0, 0})
	change(2, "z")
	wantEqual(t, "steps after it", s.Undoable(), 1)

	most := HistoryBytes - stepBytes - categoryBytes - PlaceBytes
	change(most, "a")
	change(most+1, "b")
	wantEqual(t, "steps, bytes with one that keeps as much as can be", kept(), [2]int64{1, HistoryBytes})
	change(1, "c")
	wantEqual(t, "steps after one that keeps a byte more", s.Undoable(), 0)
	half := HistoryBytes/2 - stepBytes - categoryBytes - PlaceBytes
	change(half, "d")
	change(half, "e")
	s.history = history{}
	change(half, "f")
	change(1, "g")
	wantEqual(t, "steps, bytes of two that together keep as much", kept(), [2]int64{2, HistoryBytes})

	must(do(s, Categories.Update, Category{ID: 1, Description: text(HistoryBytes, "a")}))
	s.Replace(built(1, 0), Beside{})
	wantEqual(t, "steps after a replacement of too much", s.Undoable(), 0)
	s.Replace(built(2, 0), Beside{})
	wantEqual(t, "steps after a replacement", s.Undoable(), 1)
	wantEqual(t, "undone", s.Undo(1), true)
	wantEqual(t, "categories", s.View().Counts().Categories, 1)
}

// TestUndoneIsBounded undoes every second write, and then all of those that stand.
func TestUndoneIsBounded(t *testing.T) {
	t.Parallel()
	s := New(built(1, 0), Limits{})
	undone := func() (numbers []int64) {
		for n := range s.last + 2 {
			if s.Undone(n) {
				numbers = append(numbers, n)
			}
		}
		return numbers
	}
	const writes = 2 * (HistoryLimit + 2)
	var want []int64
	for n := int64(2); n < writes+2; n++ { // the first state has the number 1
		must(do(s, Pets.Create, rex))
		if n%2 == 1 {
			s.Undo(1)
			want = append(want, n)
		}
	}
	wantEqual(t, "undone states", undone(), want[2:])
	s.Undo(s.Undoable())
	wantEqual(t, "undone states after an undo of the rest", undone()[:2], []int64{7, 8})
	wantEqual(t, "spans", len(s.spans()), 1)
}
