package store

import (
	"math"
	"sync"
	"sync/atomic"
)

// Store publishes the current [State] of one sandbox. Any number of goroutines may call its
// methods.
type Store struct {
	current  atomic.Pointer[State]
	baseline atomic.Pointer[State]
	origin   *State // the state that the store was made from; its records count as shared, not as the store's
	limits   Limits

	writing sync.Mutex // held by the writer, from reading current to publishing the next state
	history history    // guarded by writing
	gone    int64      // guarded by writing; see [Usage.gone]
	pinned  Kept       // the baseline; guarded by writing
}

const unlimited = math.MaxInt

// New returns a store with the given state as origin, baseline and current state. The store shares
// the state and never changes it, so New does not depend on the size of the data.
func New(origin *State, limits Limits) *Store {
	s := &Store{origin: origin, limits: limits, pinned: Kept{State: origin}}
	s.current.Store(origin)
	s.baseline.Store(origin)
	return s
}

// View returns the current state. It never blocks.
func (s *Store) View() *State { return s.current.Load() }

// Baseline returns the state that [Store.Reset] restores.
func (s *Store) Baseline() *State { return s.baseline.Load() }

// Update runs change on a working copy of the current state and publishes the copy. If change
// returns an error, Update returns that error and nothing has happened, id counters included. If
// the store would hold more bytes than it may, Update drops the oldest undoable writes, and if that
// is not enough it returns a [FullBytes] error, again without effect. Updates are serialized.
// change must not change the same store in another way. If it leaves everything as it was, Update
// publishes nothing and records nothing to undo.
func (s *Store) Update(change func(*Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	base := s.current.Load()
	tx := s.begin(base)
	tx.remember = true
	if err := change(tx); err != nil {
		return err
	}
	if len(tx.changes) == 0 && tx.state.last == base.last {
		return nil
	}
	write := step{changes: tx.changes, last: base.last, bytes: stepBytes + tx.freed}
	if tx.grown {
		if err := s.makeRoom(&write, tx.state.own, tx.freed); err != nil {
			return err
		}
	}
	s.history.push(write)
	s.publish(tx.state, tx.freed)
	return nil
}

// Replace publishes a state from elsewhere, such as a snapshot or a file. It can be undone like any
// other write.
func (s *Store) Replace(next *State) {
	s.writing.Lock()
	defer s.writing.Unlock()
	before := s.current.Load()
	replaced := s.own(before)
	write := step{whole: before, bytes: stepBytes + replaced}
	_ = s.makeRoom(&write, s.own(next), replaced) // callers check FitsBytes first
	s.history.push(write)
	s.publish(next, replaced)
}

// Undo reverts the last writes and returns true. If fewer are kept, it does nothing and returns
// false. Id counters are reverted too.
func (s *Store) Undo(steps int) bool {
	s.writing.Lock()
	defer s.writing.Unlock()
	undone, ok := s.history.pop(steps)
	if !ok {
		return false
	}
	base := s.current.Load()
	tx := s.begin(base)
	for _, write := range undone {
		if write.whole == nil {
			tx.revert(write)
			continue
		}
		tx = s.begin(write.whole)
		tx.freed = s.own(base)
	}
	next := tx.state
	if oldest := undone[steps-1]; oldest.whole != nil {
		next = oldest.whole // the replaced state itself, not a copy
	}
	s.publish(next, tx.freed)
	return true
}

// Undoable returns the number of writes that can be undone.
func (s *Store) Undoable() int {
	s.writing.Lock()
	defer s.writing.Unlock()
	return len(s.history.steps)
}

// Reset publishes the baseline, id counters included, and forgets the writes. Its cost does not
// depend on the data.
func (s *Store) Reset() {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.history = history{}
	s.publish(s.baseline.Load(), s.own(s.current.Load()))
}

// SetBaseline sets the state that [Store.Reset] restores.
func (s *Store) SetBaseline(baseline *State) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.baseline.Store(baseline)
	s.pinned = s.keep(baseline)
	if baseline != s.current.Load() {
		s.pinned.gone -= s.pinned.own // the baseline shares nothing with the current state
	}
}

// Fork returns a store with the same state, baseline and limits, and no history. beside replaces
// [Limits.Beside]. The cost does not depend on the data.
func (s *Store) Fork(beside func(Usage) int64) *Store {
	s.writing.Lock()
	defer s.writing.Unlock()
	fork := &Store{origin: s.origin, limits: s.limits, gone: s.gone, pinned: s.pinned}
	fork.limits.Beside = beside
	fork.current.Store(s.current.Load())
	fork.baseline.Store(s.baseline.Load())
	return fork
}

// begin returns a transaction on a copy of the base.
func (s *Store) begin(base *State) *Tx {
	return begin(base, s.origin, s.own(base), s.room())
}

// publish is called by the writer. freed is the size of the previous state's own records that next
// does not have.
func (s *Store) publish(next *State, freed int64) {
	s.gone += freed
	if next == s.baseline.Load() {
		s.pinned = s.keep(next)
	}
	s.current.Store(next)
}

// room returns the number of records that the store may hold.
func (s *Store) room() int { return s.roomOver(s.baseline.Load()) }

func (s *Store) roomOver(state *State) int {
	if s.limits.Records == 0 {
		return unlimited
	}
	return state.Records() + s.limits.Records
}
