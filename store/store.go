package store

import (
	"math"
	"sync"
	"sync/atomic"
)

// Store publishes the current [State] of one sandbox. All its methods may be
// called by any number of goroutines.
type Store struct {
	current  atomic.Pointer[State]
	baseline atomic.Pointer[State]
	origin   *State // what the store was made of; its records cost the store nothing
	limits   Limits

	writing sync.Mutex // held by the one writer, from reading current to publishing the next
	history history    // guarded by writing
	gone    int64      // guarded by writing; see [Usage]
	pinned  Kept       // guarded by writing: the baseline
}

const unlimited = math.MaxInt

// New returns a store whose origin, baseline and current state are the given state,
// which it shares and never changes: its cost does not depend on the data.
func New(origin *State, limits Limits) *Store {
	s := &Store{origin: origin, limits: limits, pinned: Kept{State: origin}}
	s.current.Store(origin)
	s.baseline.Store(origin)
	return s
}

// View returns the current state. It never waits.
func (s *Store) View() *State { return s.current.Load() }

// Baseline returns the state that [Store.Reset] returns to.
func (s *Store) Baseline() *State { return s.baseline.Load() }

// Update runs change on a working copy of the current state and publishes the
// copy when change returns nil. Otherwise it returns change's error as it is and
// nothing has happened, id counters included; likewise with a [FullBytes] error when the
// store would hold more bytes than it may. Where there is too little room, the oldest writes
// that can be undone are forgotten first. Updates take turns: what change
// reads is what it changes. When the copy is published and before the next
// update's turn, the published functions are called. None of the functions may
// change the same store. Where change left everything as it was, no state is
// published, there is nothing to undo, and published is not called.
func (s *Store) Update(change func(*Tx) error, published ...func()) error {
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
	s.publish(tx.state, tx.freed, published)
	return nil
}

// Replace publishes a state that comes from elsewhere: a snapshot or a file. It
// is a write like another, which undo takes back.
func (s *Store) Replace(next *State, published ...func()) {
	s.writing.Lock()
	defer s.writing.Unlock()
	before := s.current.Load()
	replaced := s.own(before)
	write := step{whole: before, bytes: stepBytes + replaced}
	_ = s.makeRoom(&write, s.own(next), replaced) // whoever wants to know has asked FitsBytes
	s.history.push(write)
	s.publish(next, replaced, published)
}

// Undo takes back the last writes and returns true, or does nothing and returns
// false when fewer are remembered. Id counters go back with the data.
func (s *Store) Undo(steps int, published ...func()) bool {
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
		next = oldest.whole // itself, and not the copy of it
	}
	s.publish(next, tx.freed, published)
	return true
}

// Undoable returns how many writes can be taken back.
func (s *Store) Undoable() int {
	s.writing.Lock()
	defer s.writing.Unlock()
	return len(s.history.steps)
}

// Reset publishes the baseline, id counters included, and forgets the writes. Its
// cost does not depend on the data.
func (s *Store) Reset(published ...func()) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.history = history{}
	s.publish(s.baseline.Load(), s.own(s.current.Load()), published)
}

// SetBaseline makes a state the one that [Store.Reset] returns to.
func (s *Store) SetBaseline(baseline *State) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.baseline.Store(baseline)
	s.pinned = s.keep(baseline)
	if baseline != s.current.Load() {
		s.pinned.gone -= s.pinned.own // nothing of it is the current state's too
	}
}

// Fork returns a store with the same state, baseline and limits, and no history; what
// counts against those besides is what beside says, see [Limits]. Its cost does not depend
// on the data.
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

// publish is called by the writer. It is told how much the state before had of its own
// that the next one has not.
func (s *Store) publish(next *State, freed int64, published []func()) {
	s.gone += freed
	if next == s.baseline.Load() {
		s.pinned = s.keep(next)
	}
	s.current.Store(next)
	for _, f := range published {
		f()
	}
}

// room returns the number of records that the store may hold.
func (s *Store) room() int { return s.roomOver(s.baseline.Load()) }

func (s *Store) roomOver(state *State) int {
	if s.limits.Records == 0 {
		return unlimited
	}
	return state.Records() + s.limits.Records
}
