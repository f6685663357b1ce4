package store

import (
	"cmp"
	"slices"

	"example.com/petstore/store/field"
)

// Limits bound what a store may hold. The zero Limits mean no limits.
type Limits struct {
	// Records is how many more categories, pets, orders and messages the store may hold than its
	// baseline. 0 means no limit.
	Records int
	// Bytes bounds [Usage.Total]. 0 means no limit.
	Bytes int64
	// Beside returns what counts against Bytes although it is held outside the store: states such
	// as snapshots, of this store or of the one that it was forked from, and a number of bytes. It
	// is called during updates and must not call the store. It may be nil.
	Beside func() (kept []Kept, bytes int64)
}

// Usage is the memory, in bytes, that a store uses beyond its origin. Apart from the origin's
// records, those that stores share count in full in each of them.
type Usage struct {
	Records int64 // the current state, and the records that only the baseline has
	Undo    int64 // what is kept only for undo
	Kept    int64 // what only the states of [Limits.Beside] keep
	Beside  int64 // the bytes of [Limits.Beside]
}

// Total returns the sum.
func (u Usage) Total() int64 { return u.Records + u.Undo + u.Kept + u.Beside }

// Kept is a state that a store has published. An earlier state holds beyond a later one at most the
// bytes that the store has lost in between. So a hundred snapshots of a sandbox that hardly changes
// cost next to nothing.
type Kept struct {
	State  *State
	number int64 // starts at 1; undo publishes the old number again with the old state
	lost   int64 // the total of bytes that the store has lost so far; it never decreases
}

// Keep returns the current state as a Kept. It never blocks.
func (s *Store) Keep() Kept { return *s.current.Load() }

// Usage returns the memory that the store uses.
func (s *Store) Usage() Usage {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.usageAfter(s.View(), 0, s.history.bytes)
}

// usageAfter returns the usage after next has become the current state. lost is the number of bytes
// that the store loses thereby, and undo the number of bytes that the history then keeps.
func (s *Store) usageAfter(next *State, lost, undo int64) Usage {
	kept, beside := s.beside()
	current := Kept{State: next, lost: s.current.Load().lost + lost}
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
	// Sort from the latest to the earliest. If nothing was lost between two states, the later one
	// has more bytes of its own.
	slices.SortFunc(kept, func(a, b Kept) int {
		return cmp.Or(cmp.Compare(b.lost, a.lost), cmp.Compare(s.own(b.State), s.own(a.State)))
	})
	last := current
	for _, k := range kept {
		if k.State != current.State && k.State != baseline.State { // those two are counted already
			u.Kept += s.beyond(k, last)
		}
		last = k
	}
	return u
}

// beyond returns an upper bound of the bytes that k holds and a later state does not.
func (s *Store) beyond(k, later Kept) int64 { return min(s.own(k.State), later.lost-k.lost) }

// own returns the state's bytes beyond the origin.
func (s *Store) own(state *State) int64 {
	if state == s.origin {
		return 0
	}
	return state.own
}

// Fits returns an error if the store could not hold the state after [Store.Replace]. The error is
// [TooLarge] if the state has too many records, or [FullBytes].
func (s *Store) Fits(state *State) error {
	return s.fitsRecords(state, s.room(), "the sandbox can hold")
}

// FitsBaseline is Fits for a state that also becomes the baseline. Its number of records is bounded
// by the origin's, so a series of baselines cannot grow without limit.
func (s *Store) FitsBaseline(state *State) error {
	return s.fitsRecords(state, s.roomOver(s.origin), "its baseline can have")
}

func (s *Store) fitsRecords(state *State, limit int, clause string) error {
	if err := tooLarge(state, limit, clause); err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.fits(s.usageAfter(state, s.own(s.View()), 0))
}

// tooLarge returns a [TooLarge] error if the state has more than limit records. clause
// introduces the limit in its text.
func tooLarge(state *State, limit int, clause string) error {
	if state.Records() > limit {
		return field.Refusal(TooLarge, "the state has %d records, but %s at most %d", state.Records(), clause, limit)
	}
	return nil
}

// makeRoom drops the oldest undoable writes, and finally the given write too, until the store stays
// within its limit. lost is the number of bytes that the write loses. If not even that suffices, it
// returns the error of fits and drops nothing.
func (s *Store) makeRoom(write *step, next *State, lost int64) error {
	fits := func(undo int64) error { return s.fits(s.usageAfter(next, lost, undo)) }
	if fits(s.history.bytesAfter(write.bytes)) == nil {
		return nil
	}
	if err := fits(0); err != nil {
		return err
	}
	for fits(s.history.bytesAfter(write.bytes)) != nil {
		if !s.history.drop() {
			write.bytes = HistoryBytes + 1 // too large to be kept in the history
		}
	}
	return nil
}

// fits returns a [FullBytes] error if the store would exceed its limit after a write. A write that
// makes the store smaller always fits, even while undo keeps the old records.
func (s *Store) fits(after Usage) error {
	bytes, limit := after.Total(), s.limits.Bytes
	if limit == 0 || bytes <= limit || bytes <= s.usageAfter(s.View(), 0, after.Undo).Total() {
		return nil
	}
	return field.Refusal(FullBytes, "the sandbox would hold %d bytes, but can hold at most %d", bytes, limit)
}
