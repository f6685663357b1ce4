package store

import (
	"math"
	"sync"
	"sync/atomic"
)

// Store publishes the current [State] of one sandbox. Any number of goroutines may call its
// methods.
type Store struct {
	current  atomic.Pointer[numbered]
	baseline atomic.Pointer[State]
	origin   *State // the state that the store was made from; its records count as shared, not as the store's
	limits   Limits

	writing sync.Mutex // held by the writer, from reading current to publishing the next state
	last    int64      // guarded by writing: the largest number of a state
	history history    // guarded by writing
	gone    int64      // guarded by writing; see [Usage.gone]
	pinned  Kept       // the baseline; guarded by writing
}

// numbered is a published state. Its number, from 1, names the state: undo publishes the old number
// again with the old state.
type numbered struct {
	state  *State
	number int64
}

const unlimited = math.MaxInt

// New returns a store with the given state as origin, baseline and current state. The store shares
// the state and never changes it, so New does not depend on the size of the data.
func New(origin *State, limits Limits) *Store {
	s := &Store{origin: origin, limits: limits, pinned: Kept{State: origin}}
	s.publish(s.next(origin), 0)
	s.baseline.Store(origin)
	return s
}

// View returns the current state. It never blocks.
func (s *Store) View() *State { return s.current.Load().state }

// Numbered returns the current state and its number, which [Store.At] takes. It never blocks.
func (s *Store) Numbered() (*State, int64) {
	now := s.current.Load()
	return now.state, now.number
}

// At returns the state with the number, or nil if undo does not reach it.
func (s *Store) At(number int64) *State {
	s.writing.Lock()
	defer s.writing.Unlock()
	state, _ := s.at(number)
	return state
}

// at returns the state with the number, or nil, and the size of the current state's own records
// that it does not have.
func (s *Store) at(number int64) (state *State, freed int64) {
	if now := s.current.Load(); now.number == number {
		return now.state, 0
	}
	steps := s.history.since(number)
	if steps == nil {
		return nil, 0
	}
	return s.before(steps)
}

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
	base, number := s.Numbered()
	tx := s.begin(base)
	tx.remember = true
	if err := change(tx); err != nil {
		return err
	}
	if len(tx.changes) == 0 && tx.state.last == base.last {
		return nil
	}
	write := step{changes: tx.changes, last: base.last, number: number, bytes: stepBytes + tx.freed}
	if tx.grown {
		if err := s.makeRoom(&write, tx.state.own, tx.freed); err != nil {
			return err
		}
	}
	s.history.push(write)
	s.publish(s.next(tx.state), tx.freed)
	return nil
}

// Replace publishes a state from elsewhere, such as a snapshot or a file. It can be undone like any
// other write.
func (s *Store) Replace(next *State) {
	s.writing.Lock()
	defer s.writing.Unlock()
	before, number := s.Numbered()
	replaced := s.own(before)
	write := step{whole: before, number: number, bytes: stepBytes + replaced}
	_ = s.makeRoom(&write, s.own(next), replaced) // callers check FitsBytes first
	s.history.push(write)
	s.publish(s.next(next), replaced)
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
	state, freed := s.before(undone)
	s.publish(&numbered{state, undone[steps-1].number}, freed)
	return true
}

// before returns the state before the last steps, which are newest first, and the size of the
// current state's own records that it does not have.
func (s *Store) before(steps []step) (state *State, freed int64) {
	base := s.View()
	tx := s.begin(base)
	for _, write := range steps {
		if write.whole == nil {
			tx.revert(write)
			continue
		}
		tx = s.begin(write.whole)
		tx.freed = s.own(base)
	}
	if oldest := steps[len(steps)-1]; oldest.whole != nil {
		return oldest.whole, tx.freed // the replaced state itself, not a copy
	}
	return tx.state, tx.freed
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
	s.publish(s.next(s.baseline.Load()), s.own(s.View()))
}

// SetBaseline sets the state that [Store.Reset] restores.
func (s *Store) SetBaseline(baseline *State) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.baseline.Store(baseline)
	s.pinned = s.keep(baseline)
	if baseline != s.View() {
		s.pinned.gone -= s.pinned.own // the baseline shares nothing with the current state
	}
}

// Fork returns a store with the same state, baseline and limits, and no history. beside replaces
// [Limits.Beside]. The cost does not depend on the data.
func (s *Store) Fork(beside func(Usage) int64) *Store {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.fork(s.current.Load().number, beside)
}

// ForkAt is Fork with the state that [Store.At] returns. It returns nil if undo does not reach it.
func (s *Store) ForkAt(number int64, beside func(Usage) int64) *Store {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.fork(number, beside)
}

func (s *Store) fork(number int64, beside func(Usage) int64) *Store {
	state, freed := s.at(number)
	if state == nil {
		return nil
	}
	fork := &Store{origin: s.origin, limits: s.limits, last: s.last, gone: s.gone, pinned: s.pinned}
	fork.limits.Beside = beside
	fork.baseline.Store(s.baseline.Load())
	fork.publish(&numbered{state, number}, freed)
	return fork
}

// begin returns a transaction on a copy of the base.
func (s *Store) begin(base *State) *Tx {
	return begin(base, s.origin, s.own(base), s.room())
}

// next gives a state that is to be published its number. It is called by the writer.
func (s *Store) next(state *State) *numbered {
	s.last++
	return &numbered{state, s.last}
}

// publish is called by the writer. freed is the size of the previous state's own records that next
// does not have.
func (s *Store) publish(next *numbered, freed int64) {
	s.gone += freed
	if next.state == s.baseline.Load() {
		s.pinned = s.keep(next.state)
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
