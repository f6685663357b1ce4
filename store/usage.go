package store

import (
	"cmp"
	"slices"

	"example.com/petstore/store/field"
)

// Limits bound what a store may hold. The zero Limits are no limits.
type Limits struct {
	// Records is the number of categories, pets, orders and messages that the store may hold more
	// than its baseline. 0 means no limit.
	Records int
	// Bytes bounds [Usage.Total]. 0 means no limit.
	Bytes int64
	// Beside returns what is held outside the store and counts against Bytes: states such as
	// snapshots, of this store or of its fork's source, and a number of bytes. It is called during
	// updates and must not call the store. It may be nil.
	Beside func() (kept []Kept, bytes int64)
}

// Usage is the memory that a store uses beyond its origin, in bytes. Records that stores share,
// other than the origin's, count in full in each of them.
type Usage struct {
	Records int64 // the current state, and what only the baseline has
	Undo    int64 // kept only for undo
	Kept    int64 // kept only by the states of [Limits.Beside]
	Beside  int64 // the bytes of [Limits.Beside]
}

// Total returns the sum.
func (u Usage) Total() int64 { return u.Records + u.Undo + u.Kept + u.Beside }

// Kept is a state that a store has published. What an earlier state holds beyond a later one is at
// most what the store has lost in between, so a hundred snapshots of a sandbox that hardly changes
// cost next to nothing.
type Kept struct {
	State  *State
	number int64 // from 1. Undo publishes the old number again with the old state.
	gone   int64 // the bytes that the store had ever lost; it never falls
}

// Keep returns the current state as a Kept. It never blocks.
func (s *Store) Keep() Kept { return *s.current.Load() }

// Usage returns the memory that the store uses.
func (s *Store) Usage() Usage {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.usageAfter(s.View(), 0, s.history.bytes)
}

// usageAfter returns the usage once the next state is the current one. lost is the number of bytes
// that the store loses before, undo the number of those that undo keeps then.
func (s *Store) usageAfter(next *State, lost, undo int64) Usage {
	kept, beside := s.beside()
	current := Kept{State: next, gone: s.current.Load().gone + lost}
	return s.usage(current, *s.baseline.Load(), undo, kept, beside)
}

func (s *Store) beside() (kept []Kept, bytes int64) {
	if s.limits.Beside == nil {
		return nil, 0
	}
	return s.limits.Beside()
}

// usage returns the usage with the given contents. It sorts the kept states.
func (s *Store) usage(current, baseline Kept, undo int64, kept []Kept, beside int64) Usage {
	u := Usage{Records: s.own(current.State) + s.beyond(baseline, current), Undo: undo, Beside: beside}
	// From the latest to the earliest. If nothing was lost between two states, the later one has
	// more of its own.
	slices.SortFunc(kept, func(a, b Kept) int {
		return cmp.Or(cmp.Compare(b.gone, a.gone), cmp.Compare(s.own(b.State), s.own(a.State)))
	})
	last := current
	for _, k := range kept {
		if k.State != current.State && k.State != baseline.State { // these are counted
			u.Kept += s.beyond(k, last)
		}
		last = k
	}
	return u
}

// beyond returns an upper bound of the bytes that the state holds and a later one does not.
func (s *Store) beyond(k, later Kept) int64 { return min(s.own(k.State), later.gone-k.gone) }

// own returns the bytes of the state beyond the origin.
func (s *Store) own(state *State) int64 {
	if state == s.origin {
		return 0
	}
	return state.own
}

// Fits returns an error if the store could not hold the state after [Store.Replace]: a [TooLarge]
// if it has too many records, or a [FullBytes].
func (s *Store) Fits(state *State) error {
	return s.fitsRecords(state, s.room(), "the sandbox can hold")
}

// FitsBaseline is Fits for a state that becomes the baseline too. It may have as many records as
// could be added to the origin, so a series of baselines cannot grow without bound.
func (s *Store) FitsBaseline(state *State) error {
	return s.fitsRecords(state, s.roomOver(s.origin), "its baseline can have")
}

func (s *Store) fitsRecords(state *State, most int, can string) error {
	if err := tooLarge(state, most, can); err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.fits(s.usageAfter(state, s.own(s.View()), 0))
}

// tooLarge returns a [TooLarge] error if the state has more than most records.
func tooLarge(state *State, most int, can string) error {
	if state.Records() > most {
		return field.Refusal(TooLarge, "the state has %d records, but %s at most %d", state.Records(), can, most)
	}
	return nil
}

// makeRoom drops the oldest undoable writes while the store would exceed its limit after the given
// write, and finally the write itself. lost is the number of bytes that the write loses. If even
// that is not enough, it returns the error of fits and drops nothing.
func (s *Store) makeRoom(write *step, next *State, lost int64) error {
	fits := func(undo int64) error { return s.fits(s.usageAfter(next, lost, undo)) }
	if fits(s.history.with(write.bytes)) == nil {
		return nil
	}
	if err := fits(0); err != nil {
		return err
	}
	for fits(s.history.with(write.bytes)) != nil {
		if !s.history.drop() {
			write.bytes = HistoryBytes + 1 // too large to be kept
		}
	}
	return nil
}

// fits returns a [FullBytes] error if the store would exceed its limit after a write. A write that
// makes the store smaller always fits, even while undo keeps the old records.
func (s *Store) fits(after Usage) error {
	bytes, most := after.Total(), s.limits.Bytes
	if most == 0 || bytes <= most || bytes <= s.usageAfter(s.View(), 0, after.Undo).Total() {
		return nil
	}
	return field.Refusal(FullBytes, "the sandbox would hold %d bytes, but can hold at most %d", bytes, most)
}
