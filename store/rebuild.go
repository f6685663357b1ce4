package store

// Rebuild prepares new contents for a store: a baseline, the current state, and states to keep.
// [Store.Load] loads them together. The states share their common records. A Rebuild belongs to one
// goroutine until it is complete. A complete Rebuild never changes, and any number of stores with
// the same origin can load it.
type Rebuild struct {
	store  *Store // without limits; its current state is the one that Next made last, or the baseline
	states []Kept // the current state, then the states to keep, newest first
}

// Rebuild returns a new Rebuild with the given baseline.
func (s *Store) Rebuild(baseline *State) *Rebuild {
	r := &Rebuild{store: New(s.origin, Limits{})}
	r.store.SetBaseline(baseline)
	r.store.Reset()
	return r
}

// Next makes the next state by running change, and returns change's error unchanged. The first call
// makes the current state from the baseline. Each later call makes a state to keep from the
// previous one. change may add only new records, never records of the origin.
func (r *Rebuild) Next(change func(*Tx) error) error {
	err := r.store.Update(Beside{}, func(tx *Tx) error {
		err := change(tx)
		tx.state.own = min(tx.state.own, tx.state.bytes) // count at most the size of the state
		return err
	})
	if err == nil {
		r.store.history = history{}
		r.states = append(r.states, r.store.Keep())
	}
	return err
}

// FitsRebuild is like [Store.Fits], but for [Store.Load]. beside applies before the load. The load
// replaces it with the states to keep and the given number of bytes. If trusted is true, any number
// of bytes fits.
func (s *Store) FitsRebuild(r *Rebuild, bytes int64, trusted bool, beside Beside) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	baseline, states := s.after(r)
	if err := s.fitsRebuilt(baseline.State, states); err != nil || trusted {
		return err
	}
	return s.fits(s.usage(states[0], baseline, 0, Beside{states[1:], bytes}), beside)
}

// Load replaces the store's contents with the rebuilt ones and clears the undo history. It returns
// the states to keep, newest first. The caller must call [Store.FitsRebuild] first.
func (s *Store) Load(r *Rebuild) []Kept {
	s.writing.Lock()
	defer s.writing.Unlock()
	baseline, states := s.after(r)
	s.history = history{}
	s.baseline.Store(&baseline)
	s.publish(states[0].State, s.next(), states[0].lost-s.current.Load().lost)
	return states[1:]
}

// after returns the baseline and the states of r, with the lost counts that they would have in s if
// s published the first state next. r makes states from newest to oldest. So the bytes that an
// older state holds and a newer one does not are at most the bytes that r wrote between making the
// newer one and the older one. The number of bytes written is the growth of the state plus the
// bytes lost.
func (s *Store) after(r *Rebuild) (baseline Kept, states []Kept) {
	written := func(k Kept) int64 { return k.lost + s.own(k.State) }
	last := written(s.Keep()) + written(r.states[len(r.states)-1])
	for _, k := range r.states {
		k.lost = last - written(k)
		states = append(states, k)
	}
	baseline = *r.store.baseline.Load()
	baseline.lost += states[0].lost - r.states[0].lost
	return baseline, states
}

// fitsRebuilt returns a [TooLarge] error if the baseline or a state has too many records. The
// baseline determines the limit of the current state, which is the first one. The other states are
// snapshots, which may be older than the baseline. Their limit is that of the baseline or that of
// the origin, whichever is higher.
func (s *Store) fitsRebuilt(baseline *State, states []Kept) error {
	if err := tooLarge(baseline, s.roomOver(s.origin), "its baseline can have"); err != nil {
		return err
	}
	room := s.roomOver(baseline)
	for i, k := range states {
		clause := "the sandbox can hold"
		if i > 0 {
			room, clause = max(s.roomOver(baseline), s.roomOver(s.origin)), "a snapshot can have"
		}
		if err := tooLarge(k.State, room, clause); err != nil {
			return err
		}
	}
	return nil
}
