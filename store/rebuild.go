package store

// Rebuild collects new contents for a store: a baseline, the current state, and states to keep. The
// store then loads all of them or none. They share the records that they have in common. A Rebuild
// belongs to one goroutine until it is complete. After that it never changes, and any number of
// stores of the same origin can load it.
type Rebuild struct {
	store    *Store // the store whose origin counts
	baseline Kept   // gone counts from the current state, where it is 0, here and in states
	states   []Kept // the current state, then those to keep, newest first
}

// Rebuild begins a Rebuild with the given baseline.
func (s *Store) Rebuild(baseline *State) *Rebuild {
	return &Rebuild{store: s, baseline: Kept{State: baseline, own: s.own(baseline)}}
}

// Next makes the next state with change, and returns change's error as it is. The first call makes
// the current state from the baseline; each later call makes a state to keep from the one before.
// change returns the number of places in the tables that it has written, where neighbours count as
// one place. It writes only new records, none of the origin's.
func (r *Rebuild) Next(change func(*Tx) (places int, err error)) error {
	last := r.baseline
	if len(r.states) > 0 {
		last = r.states[len(r.states)-1]
	}
	tx := begin(last.State, r.store.origin, last.own, unlimited)
	places, err := change(tx)
	if err != nil {
		return err
	}
	next := Kept{State: tx.state, own: tx.state.own, gone: last.gone}
	if places == 0 && tx.state.last == last.State.last {
		next.State = last.State
	}
	copied := placeBytes * int64(places)
	if len(r.states) == 0 {
		next.gone = 0
		r.baseline.gone = -max(tx.freed, copied)
	} else {
		next.gone -= max(next.own-last.own+tx.freed, copied)
	}
	if next.own > tx.state.bytes { // so little in common with the origin that it counts as foreign
		next.own, tx.state.origin = tx.state.bytes, nil
	}
	r.states = append(r.states, next)
	return nil
}

// Len returns the number of states made so far.
func (r *Rebuild) Len() int { return len(r.states) }

// Load replaces the contents of the store by the rebuilt ones, and forgets the writes. beside is
// the number of bytes outside the store that count against its limits from then on, without the
// kept states. If the store can hold everything, Load calls before, publishes the current state,
// and calls published with the states to keep, newest first. Otherwise it returns a [TooLarge] or
// [FullBytes] error and changes nothing.
func (s *Store) Load(r *Rebuild, beside int64, before func(), published func(kept []Kept)) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	pinned, states := r.after(s.gone + s.own(s.View()))
	current, kept := states[0], states[1:]
	if err := s.fitsRebuilt(pinned.State, states); err != nil {
		return err
	}
	usage := Usage{Own: current.own + pinned.beyond(current.gone), gone: current.gone}
	if err := s.fitsHeld(usage.Own+usage.Beside(kept)+beside, usage.Undo); err != nil {
		return err
	}
	before()
	s.history, s.gone, s.pinned = history{}, current.gone, pinned
	s.baseline.Store(pinned.State)
	s.current.Store(s.next(current.State))
	published(kept)
	return nil
}

// after returns the baseline and the states with gone counted on from the given value.
func (r *Rebuild) after(gone int64) (baseline Kept, states []Kept) {
	last := r.baseline.gone
	for _, k := range r.states {
		last = min(last, k.gone)
	}
	baseline = r.baseline
	baseline.gone += gone - last
	states = append(states, r.states...)
	for i := range states {
		states[i].gone += gone - last
	}
	return baseline, states
}

// fitsRebuilt returns a [TooLarge] error if the baseline or a state has too many records. A kept
// state may be older than a smaller baseline.
func (s *Store) fitsRebuilt(baseline *State, states []Kept) error {
	if err := tooLarge(baseline, s.roomOver(s.origin), "its baseline can have"); err != nil {
		return err
	}
	room := s.roomOver(baseline)
	for i, k := range states {
		can := "the sandbox can hold"
		if i > 0 {
			room, can = max(s.roomOver(baseline), s.roomOver(s.origin)), "a snapshot can have"
		}
		if err := tooLarge(k.State, room, can); err != nil {
			return err
		}
	}
	return nil
}
