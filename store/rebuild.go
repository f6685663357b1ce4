package store

import "slices"

// Rebuild collects new contents for a store: a baseline, the current state, and states to keep. The
// store then loads all of them or none. They share the records that they have in common. A Rebuild
// belongs to one goroutine until it is complete. After that it never changes, and any number of
// stores of the same origin can load it.
type Rebuild struct {
	store  *Store // has no limits; its current state is the newest in states
	states []Kept // the current state, then those to keep, newest first
}

// Rebuild begins a Rebuild with the given baseline.
func (s *Store) Rebuild(baseline *State) *Rebuild {
	r := &Rebuild{store: New(s.origin, Limits{})}
	r.store.SetBaseline(baseline)
	r.store.Reset()
	return r
}

// Next makes the next state with change, and returns change's error as it is. The first call makes
// the current state from the baseline; each later call makes a state to keep from the one before.
// change writes only new records, none of the origin's.
func (r *Rebuild) Next(change func(*Tx) error) error {
	err := r.store.Update(func(tx *Tx) error {
		err := change(tx)
		tx.state.own = min(tx.state.own, tx.state.bytes) // at most as if it came from elsewhere
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

// Load replaces the contents of the store by the rebuilt ones, and forgets the writes. beside is
// the number of bytes outside the store that count against its limits from then on, without the
// kept states. If the store can hold everything, Load calls before, publishes the current state,
// and calls published with the states to keep, newest first. Otherwise it returns a [TooLarge] or
// [FullBytes] error and changes nothing. If trusted, the contents may have any number of bytes.
func (s *Store) Load(r *Rebuild, beside int64, trusted bool, before func(), published func(kept []Kept)) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	now := s.current.Load()
	baseline, states := s.after(r, now.gone+s.own(now.State))
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
	s.publish(current.State, s.next(), current.gone-now.gone)
	published(kept)
	return nil
}

// after returns the baseline and the states for when the store has lost the given number of bytes.
// They were made from the newest to the oldest. So what an older one holds beyond a newer one is
// what was written in between: the growth, and what was lost.
func (s *Store) after(r *Rebuild, gone int64) (baseline Kept, states []Kept) {
	written := func(k Kept) int64 { return k.gone + s.own(k.State) }
	last := gone + written(r.states[len(r.states)-1])
	for _, k := range r.states {
		k.gone = last - written(k)
		states = append(states, k)
	}
	baseline = *r.store.baseline.Load()
	baseline.gone += states[0].gone - r.states[0].gone
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
