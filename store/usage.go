package store

import (
	"cmp"
	"slices"
)

// Limits bound what a store may hold. The zero Limits bound nothing.
type Limits struct {
	// Records is how many categories, pets, orders and messages the store may hold
	// more than its baseline has; 0: any number.
	Records int
	// Bytes is how much the store may hold beyond its origin, undo and all that Beside
	// tells included; 0: any number.
	Bytes int64
	// Beside returns the bytes of what is held outside the store and counts against
	// Bytes, snapshots for instance, while the store's own usage is the given one. It is
	// called during updates and must not call the store. nil: nothing.
	Beside func(Usage) int64
}

// Usage says what a store keeps in memory beyond its origin, in bytes. What forks and
// other stores share with one another, other than the origin, each counts in full.
type Usage struct {
	// Own is of the current state, and of the baseline as far as that shares its records
	// with neither the current state nor the origin.
	Own int64
	// Undo is of what only undo keeps.
	Undo int64

	gone int64 // of all that the current state's own ever lost; it never falls
}

// Kept is a state that is kept beside the current one, such as a snapshot.
type Kept struct {
	State *State
	own   int64
	gone  int64 // Usage.gone when it was the current state
}

// Beside returns the bytes that kept states hold beyond the origin and what the usage
// counts already, at the most. All must come from the same store, or from that which it is
// a fork of. Two states that follow each other differ by no more than what was lost in
// between, so a hundred snapshots of a sandbox that hardly changes count next to nothing.
func (u Usage) Beside(kept []Kept) int64 {
	// Of two states between which nothing was lost the later one has more of its own.
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
	return max(0, min(k.own, gone-k.gone)) // it may have become the current state after gone was read
}

// Keep returns the current state for keeping it.
func (s *Store) Keep() Kept {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.keep(s.current.Load())
}

// keep returns a state that is the current one.
func (s *Store) keep(state *State) Kept {
	return Kept{State: state, own: s.own(state), gone: s.gone}
}

// Usage returns what the store keeps in memory.
func (s *Store) Usage() Usage {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.usage(s.own(s.current.Load()), s.history.bytes, s.gone)
}

func (s *Store) usage(own, undo, gone int64) Usage {
	return Usage{Own: own + s.pinned.beyond(gone), Undo: undo, gone: gone}
}

// own returns the bytes of the state that the origin does not have: those of its
// records that are not the origin's own, and [placeBytes] for each place where the
// origin has another one.
func (s *Store) own(state *State) int64 {
	switch s.origin {
	case state:
		return 0
	case state.origin:
		return state.own
	}
	return state.bytes // it comes from elsewhere
}

// Fits returns a [TooLarge] error when a state has more records than the store may
// hold, or the error of [Store.FitsBytes].
func (s *Store) Fits(state *State) error {
	return s.fitsRecords(state, s.room(), "the sandbox can hold")
}

// FitsBaseline is Fits for a state that is to be the baseline too: it may have as many
// records as could be added to the origin, so that one baseline after another does not
// grow without end.
func (s *Store) FitsBaseline(state *State) error {
	return s.fitsRecords(state, s.roomOver(s.origin), "its baseline can have")
}

func (s *Store) fitsRecords(state *State, most int, can string) error {
	if err := tooLarge(state, most, can); err != nil {
		return err
	}
	return s.FitsBytes(state)
}

// tooLarge returns a [TooLarge] error when a state has more records than most.
func tooLarge(state *State, most int, can string) error {
	if state.Records() > most {
		return refusal(TooLarge, 0, "the state has %d records, but %s at most %d", state.Records(), can, most)
	}
	return nil
}

// FitsBytes returns a [FullBytes] error when the store could not hold a state that
// [Store.Replace] would publish.
func (s *Store) FitsBytes(state *State) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.fits(s.usage(s.own(state), 0, s.gone+s.own(s.current.Load())))
}

// makeRoom forgets the oldest writes that can be undone, the given one at last, where the store
// would hold more than it may after that write. The write leads to a state with so many bytes of
// its own, and frees some. Where even that is not enough, it returns the error of fits and
// forgets nothing.
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
			write.bytes = HistoryBytes + 1 // more than is kept
		}
	}
	return nil
}

// fits returns a [FullBytes] error when the store would hold more than it may after a
// write. One that makes what it holds smaller goes in any case, whatever undo keeps of it
// for the time being.
func (s *Store) fits(after Usage) error {
	if s.limits.Bytes == 0 {
		return nil
	}
	return s.fitsHeld(s.held(after), after.Undo)
}

// fitsHeld is fits for so many bytes that count against the limit, of which undo keeps some.
func (s *Store) fitsHeld(after, undo int64) error {
	if s.limits.Bytes == 0 || after <= s.limits.Bytes {
		return nil
	}
	before := s.usage(s.own(s.current.Load()), undo, s.gone)
	if after <= s.held(before) {
		return nil
	}
	return refusal(FullBytes, 0, "the sandbox would hold %d bytes, but can hold at most %d", after, s.limits.Bytes)
}

// held returns what counts against the limit.
func (s *Store) held(u Usage) int64 {
	n := u.Own + u.Undo
	if s.limits.Beside != nil {
		n += s.limits.Beside(u)
	}
	return n
}
