package store

import (
	"slices"
	"testing"
)

// written returns a store after that many writes, and its states from the first on.
func written(writes int) (*Store, []*State) {
	s := New(built(1, 0), 0)
	states := []*State{s.View()}
	for range writes {
		must(do(s, (*Tx).CreatePet, Pet{Name: "Rex", CategoryID: 1, Status: Sold}))
		states = append(states, s.View())
	}
	return s, states
}

func TestUndo(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		writes, steps int
		done          bool
		left          int // writes that can be taken back then
	}{
		{0, 1, false, 0},
		{1, 1, true, 0},
		{3, 1, true, 2},
		{3, 2, true, 1},
		{3, 3, true, 0},
		{3, 4, false, 3},
		{3, 0, false, 3},
		{3, -1, false, 3},
		{HistoryLimit, HistoryLimit, true, 0},
		{HistoryLimit + 5, HistoryLimit, true, 0},
		{HistoryLimit + 5, HistoryLimit + 1, false, HistoryLimit},
		{HistoryLimit + 5, 1, true, HistoryLimit - 1},
	} {
		s, states := written(test.writes)
		called := false
		done := s.Undo(test.steps, func() { called = true })
		wantEqual(t, "done and told", [2]bool{done, called}, [2]bool{test.done, test.done})
		wantEqual(t, "writes left", s.Undoable(), test.left)
		want := states[test.writes]
		if test.done {
			want = states[test.writes-test.steps]
		}
		if s.View() != want {
			t.Errorf("%d of %d writes taken back: %d pets, want %d", test.steps, test.writes, s.View().Counts().Pets, want.Counts().Pets)
		}
	}
}

// TestUndoInSteps goes on from where an undo has led.
func TestUndoInSteps(t *testing.T) {
	t.Parallel()
	s, states := written(4)
	wantEqual(t, "done", s.Undo(1) && s.Undo(2), true)
	wantEqual(t, "state", s.View() == states[1], true)
	wantEqual(t, "next id", must(do(s, (*Tx).CreatePet, Pet{Name: "Rex", CategoryID: 1, Status: Sold})).ID, 2)
	wantEqual(t, "done again", s.Undo(2), true)
	wantEqual(t, "state again", s.View() == states[0], true)
	wantEqual(t, "writes left", s.Undoable(), 0)
}

// TestHistoryLetsGo wants states that can no longer be returned to to be free for
// the collector.
func TestHistoryLetsGo(t *testing.T) {
	t.Parallel()
	s, states := written(HistoryLimit + 3)
	kept := func() []*State {
		return slices.DeleteFunc(slices.Clone(s.history.states[:cap(s.history.states)]), isNil)
	}
	wantEqual(t, "states kept", slices.Equal(kept(), states[3:len(states)-1]), true)
	s.Undo(HistoryLimit - 2)
	wantEqual(t, "states kept after an undo", slices.Equal(kept(), states[3:5]), true)
	s.Reset()
	wantEqual(t, "states kept after a reset", len(kept()), 0)
}

func isNil(s *State) bool { return s == nil }

// What is no write of the kind cannot be taken back, and does not come along.
func TestWhatHistoryKeeps(t *testing.T) {
	t.Parallel()
	s, states := written(2)
	_, err := do(s, (*Tx).CreatePet, Pet{CategoryID: 9})
	wantError(t, err, UnknownCategory, "/categoryId")
	s.SetBaseline(states[1])
	wantEqual(t, "writes after a refused one and another baseline", s.Undoable(), 2)
	wantEqual(t, "writes of a fork", s.Fork().Undoable(), 0)
	s.Replace(states[0])
	wantEqual(t, "writes after a replacement", s.Undoable(), 3)
	wantEqual(t, "undo of it", s.Undo(1) && s.View() == states[2], true)
	s.Reset()
	wantEqual(t, "writes after a reset", s.Undoable(), 0)
	wantEqual(t, "state after a reset", s.View() == states[1], true)
}
