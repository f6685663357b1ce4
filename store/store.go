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
// reads is what it changes. It must not call Update or Reset of the same store.
func (s *Store) Update(change func(*Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	next, err := update(s.current.Load(), s.room(), change)
	if err != nil {
		return err
	}
	s.current.Store(next)
	return nil
}

// Reset publishes the baseline, id counters included. Its cost does not depend
// on the data.
func (s *Store) Reset() {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.current.Store(s.baseline.Load())
}

// room returns the number of records that the store may hold.
func (s *Store) room() int {
	if s.limit == unlimited {
		return unlimited
	}
	return s.baseline.Load().records() + s.limit
}

// update returns what change makes of a copy of base.
func update(base *State, room int, change func(*Tx) error) (*State, error) {
	tx := &Tx{state: *base, owner: new(owner), room: room}
	if err := change(tx); err != nil {
		return nil, err
	}
	return &tx.state, nil
}
