package store

import "slices"

// Rebuild prepares new contents for a store: a baseline, the current state, and states to keep.
// [Store.Load] loads all of them or none. The states share their common records. A Rebuild belongs
// to one goroutine until it is complete. After that it never changes, and any number of stores with
// the same origin can load it.
type Rebuild struct {
	store  *Store // without limits; its current state is the one that Next appended last
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
// previous one. change adds only new records, never records of the origin.
func (r *Rebuild) Next(change func(*Tx) error) error {
	err := r.store.Update(func(tx *Tx) error {
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

// Len returns the number of states made so far.
func (r *Rebuild) Len() int { return len(r.states) }

// Load replaces the store's contents with the rebuilt ones and clears the undo history. beside is
// the number of bytes outside the store, without the kept states, that will count against its
// limits. If the contents fit, Load calls before(), publishes the current state, and calls
// published() with the states to keep, newest first. Otherwise it changes nothing and returns a
// [TooLarge] or [FullBytes] error. If trusted is true, Load accepts any number of bytes.
func (s *Store) Load(r *Rebuild, beside int64, trusted bool, before func(), published func(kept []Kept)) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	now := s.current.Load()
	baseline, states := s.after(r, now.lost+s.own(now.State))
	current, kept := states[0], states[1:]
	if err := s.fitsRebuilt(baseline.State, states); err != nil {
		return err
	}
	if !trusted {
		if err := s.fits(s.usage(current, baseline, 0, slices.Clone(kept), beside)); err != nil {
			return err
		}
	}
	before()
	s.history = history{}
	s.baseline.Store(&baseline)
	s.publish(current.State, s.next(), current.lost-now.lost)
	published(kept)
	return nil
}

// after returns the baseline and the states of r, with their lost counts converted for s. lost is
// the number of bytes that s will have lost when it publishes the first state. Because r made the
// newest state first, the bytes that an older state holds beyond a newer one are the bytes that r
// wrote between the two: the growth plus the bytes lost.
func (s *Store) after(r *Rebuild, lost int64) (baseline Kept, states []Kept) {
	written := func(k Kept) int64 { return k.lost + s.own(k.State) }
	last := lost + written(r.states[len(r.states)-1])
	for _, k := range r.states {
		k.lost = last - written(k)
		states = append(states, k)
	}
	baseline = *r.store.baseline.Load()
	baseline.lost += states[0].lost - r.states[0].lost
	return baseline, states
}

// fitsRebuilt returns a [TooLarge] error if the baseline or a state has too many records. A kept
// state may be older than the baseline, and larger.
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
