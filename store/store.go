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
	limit    int

	writing sync.Mutex // held by the one writer, from reading current to publishing the next
	history history    // guarded by writing
}

const unlimited = math.MaxInt

// New returns a store whose current state and baseline are both the given
// state, which it shares and never changes: its cost does not depend on the
// data. The store takes up to maxRecords categories, pets, orders and messages
// more than the baseline has; 0 means no limit.
func New(baseline *State, maxRecords int) *Store {
	s := &Store{limit: maxRecords}
	if maxRecords == 0 {
		s.limit = unlimited
	}
	s.current.Store(baseline)
	s.baseline.Store(baseline)
	return s
}

// View returns the current state. It never waits.
func (s *Store) View() *State { return s.current.Load() }

// Baseline returns the state that [Store.Reset] returns to.
func (s *Store) Baseline() *State { return s.baseline.Load() }

// Update runs change on a working copy of the current state and publishes the
// copy when change returns nil. Otherwise it returns change's error as it is and
// nothing has happened, id counters included. Updates take turns: what change
// reads is what it changes. When the copy is published and before the next
// update's turn, the published functions are called. None of the functions may
// change the same store.
func (s *Store) Update(change func(*Tx) error, published ...func()) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	next, err := update(s.current.Load(), s.room(), change)
	if err != nil {
		return err
	}
	s.publish(next, published)
	return nil
}

// Replace publishes a state that comes from elsewhere: a snapshot or a file. It
// is a write like another, which undo takes back.
func (s *Store) Replace(next *State, published ...func()) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.publish(next, published)
}

// Undo takes back the last writes and returns true, or does nothing and returns
// false when fewer are remembered. Id counters go back with the data.
func (s *Store) Undo(steps int, published ...func()) bool {
	s.writing.Lock()
	defer s.writing.Unlock()
	before, ok := s.history.back(steps)
	if !ok {
		return false
	}
	s.current.Store(before)
	call(published)
	return true
}

// Undoable returns how many writes can be taken back.
func (s *Store) Undoable() int {
	s.writing.Lock()
	defer s.writing.Unlock()
	return len(s.history.states)
}

// Reset publishes the baseline, id counters included, and forgets the writes. Its
// cost does not depend on the data.
func (s *Store) Reset(published ...func()) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.history = history{}
	s.current.Store(s.baseline.Load())
	call(published)
}

// SetBaseline makes a state the one that [Store.Reset] returns to.
func (s *Store) SetBaseline(baseline *State) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.baseline.Store(baseline)
}

// Fork returns a store with the same state and baseline, and no history. Its cost
// does not depend on the data.
func (s *Store) Fork() *Store {
	s.writing.Lock()
	defer s.writing.Unlock()
	fork := &Store{limit: s.limit}
	fork.current.Store(s.current.Load())
	fork.baseline.Store(s.baseline.Load())
	return fork
}

// publish is called by the writer.
func (s *Store) publish(next *State, published []func()) {
	s.history.push(s.current.Load())
	s.current.Store(next)
	call(published)
}

// room returns the number of records that the store may hold.
func (s *Store) room() int {
	if s.limit == unlimited {
		return unlimited
	}
	return s.baseline.Load().records() + s.limit
}

// Fits returns a [TooLarge] error when a state has more records than the store may
// hold.
func (s *Store) Fits(state *State) error {
	if most := s.room(); state.records() > most {
		return refusal(TooLarge, 0, "the state has %d records, but the sandbox can hold at most %d", state.records(), most)
	}
	return nil
}

// update returns what change makes of a copy of base.
func update(base *State, room int, change func(*Tx) error) (*State, error) {
	tx := &Tx{state: *base, owner: new(owner), room: room}
	if err := change(tx); err != nil {
		return nil, err
	}
	return &tx.state, nil
}

func call(functions []func()) {
	for _, f := range functions {
		f()
	}
}
