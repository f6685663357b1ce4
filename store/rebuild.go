package store

// Rebuild makes what a store is to hold apart from it, so that the store gets all of it or
// nothing: a baseline, the current state, and states to keep. What they have in common they
// share. It belongs to one goroutine until it is made; then any number of stores of one
// origin can become it, since it never changes any more.
type Rebuild struct {
	store    *Store // whose origin counts
	baseline Kept   // its gone, and that of the states, counts from the current state, which has 0
	states   []Kept // the current one, and then those to keep, the newest first
}

// Rebuild begins one with a state that is to be the baseline.
func (s *Store) Rebuild(baseline *State) *Rebuild {
	return &Rebuild{store: s, baseline: Kept{State: baseline, own: s.own(baseline)}}
}

// Next makes a state by change, whose error it returns as it is: the current state from the
// baseline, and each state to keep from the one that was made before. change returns in how
// many places of the tables it has written: neighbours are one place. What it writes are new
// records, and none of the origin's.
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
	if next.own > tx.state.bytes { // it has so little in common with the origin that it counts as from elsewhere
		next.own, tx.state.origin = tx.state.bytes, nil
	}
	r.states = append(r.states, next)
	return nil
}

// Len returns how many states were made.
func (r *Rebuild) Len() int { return len(r.states) }

// Become replaces all that the store holds by what was rebuilt, and forgets the writes.
// beside is what counts against the limits then and is outside of the store, the kept states
// aside. If the store can hold it, before is called; then, once the current state is
// published, published is called with the states to keep, the newest first. The error is
// a [TooLarge] or a [FullBytes] one, and nothing has happened.
func (s *Store) Become(r *Rebuild, beside int64, before func(), published func(kept []Kept)) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	pinned, states := r.after(s.gone + s.own(s.current.Load()))
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
	s.current.Store(current.State)
	published(kept)
	return nil
}

// after returns the baseline and the states as if all of them had come, one after the other,
// after so much was gone.
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

// fitsRebuilt returns a [TooLarge] error where the baseline or a state has too many records.
// A kept state may have come from before the baseline was a smaller one.
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
