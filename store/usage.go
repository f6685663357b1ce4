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
	// Bytes is what the store may hold beyond its origin, including undo and the result of Beside.
	// 0 means no limit.
	Bytes int64
	// Beside returns the bytes that are held outside the store and count against Bytes, such as
	// snapshots, for the given usage of the store. It is called during updates and must not call
	// the store. It may be nil.
	Beside func(Usage) int64
}

// Usage is the memory that a store uses beyond its origin, in bytes. Records that stores share,
// other than the origin's, count in full in each of them.
type Usage struct {
	// Own is the size of the current state, plus the records that only the baseline has.
	Own int64
	// Undo is the size of the records that only undo keeps.
	Undo int64

	gone int64 // the total size of own records that the current state has ever lost; it never falls
}

// Kept is a state that is kept beside the current one, such as a snapshot.
type Kept struct {
	State *State
	own   int64
	gone  int64 // Usage.gone at the time when it was the current state
}

// Beside returns an upper bound of the bytes that kept states hold beyond the origin and beyond the
// usage. All of them must come from the same store or from its fork's source. Two successive states
// differ by at most what was lost in between, so a hundred snapshots of a sandbox that hardly
// changes cost next to nothing.
func (u Usage) Beside(kept []Kept) int64 {
	// If nothing was lost between two states, the later one has more of its own.
	inOrder := slices.SortedFunc(slices.Values(kept), func(a, b Kept) int {
		return cmp.Or(cmp.Compare(b.gone, a.gone), cmp.Compare(b.own, a.own))
	})
	next, sum := u.gone, int64(0)
	for _, k := range inOrder {
		sum += k.beyond(next)
		next = k.gone
	}
	return sum
}

// beyond returns the bytes that the state holds and a later one does not.
func (k Kept) beyond(gone int64) int64 {
	return max(0, min(k.own, gone-k.gone)) // the state may have become current after gone was read
}

// Keep returns the current state as a Kept.
func (s *Store) Keep() Kept {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.keep(s.View())
}

// keep returns the current state as a Kept.
func (s *Store) keep(state *State) Kept {
	return Kept{State: state, own: s.own(state), gone: s.gone}
}

// Usage returns the memory that the store uses.
func (s *Store) Usage() Usage {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.usage(s.own(s.View()), s.history.bytes, s.gone)
}

func (s *Store) usage(own, undo, gone int64) Usage {
	return Usage{Own: own + s.pinned.beyond(gone), Undo: undo, gone: gone}
}

// own returns the bytes of the state beyond the origin: the records that are not the origin's, and
// [placeBytes] for each id where the origin has a different record.
func (s *Store) own(state *State) int64 {
	switch s.origin {
	case state:
		return 0
	case state.origin:
		return state.own
	}
	return state.bytes // a foreign state shares nothing with the origin
}

// Fits returns a [TooLarge] error if the state has more records than the store may hold, or else
// the error of [Store.FitsBytes].
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
	return s.FitsBytes(state)
}

// tooLarge returns a [TooLarge] error if the state has more than most records.
func tooLarge(state *State, most int, can string) error {
	if state.Records() > most {
		return field.Refusal(TooLarge, "the state has %d records, but %s at most %d", state.Records(), can, most)
	}
	return nil
}

// FitsBytes returns a [FullBytes] error if the store could not hold the state after
// [Store.Replace].
func (s *Store) FitsBytes(state *State) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.fits(s.usage(s.own(state), 0, s.gone+s.own(s.View())))
}

// makeRoom drops the oldest undoable writes while the store would exceed its limit after the given
// write, and finally the write itself. own is the size of the next state's own records, freed the
// size of those that the write removes. If even that is not enough, it returns the error of fits
// and drops nothing.
func (s *Store) makeRoom(write *step, own, freed int64) error {
	fits := func(undo int64) error { return s.fits(s.usage(own, undo, s.gone+freed)) }
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
	if s.limits.Bytes == 0 {
		return nil
	}
	return s.fitsHeld(s.held(after), after.Undo)
}

// fitsHeld is fits for a number of bytes that counts against the limit, of which undo keeps some.
func (s *Store) fitsHeld(after, undo int64) error {
	if s.limits.Bytes == 0 || after <= s.limits.Bytes {
		return nil
	}
	before := s.usage(s.own(s.View()), undo, s.gone)
	if after <= s.held(before) {
		return nil
	}
	return field.Refusal(FullBytes, "the sandbox would hold %d bytes, but can hold at most %d", after, s.limits.Bytes)
}

// held returns the bytes that count against the limit.
func (s *Store) held(u Usage) int64 {
	n := u.Own + u.Undo
	if s.limits.Beside != nil {
		n += s.limits.Beside(u)
	}
	return n
}
