package store

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// Store publishes the current [State] of one sandbox. Any number of goroutines may call its
// methods.
type Store struct {
	current  atomic.Pointer[Kept]
	baseline atomic.Pointer[Kept]
	undone   atomic.Pointer[[]span] // immutable; nil means none
	origin   *State                 // see [New]; other stores share its records, which therefore cost nothing
	limits   Limits

	writing sync.Mutex // a writer holds it from reading the current state to publishing the next one
	last    int64      // the largest number given to a state; guarded by the writing mutex
	history history    // guarded by the writing mutex
}

const unlimited = math.MaxInt

// Now can be passed to [Store.At] and [Store.Fork] instead of the number of the current state.
const Now = -1

// New returns a store with the given state as its origin, baseline and current state. The store
// shares the state and never changes it, so the cost of New does not depend on the size of the
// data.
func New(origin *State, limits Limits) *Store {
	s := &Store{origin: origin, limits: limits, last: 1}
	first := &Kept{State: origin, Number: s.last}
	s.baseline.Store(first)
	s.current.Store(first)
	return s
}

// View returns the current state. It never blocks.
func (s *Store) View() *State { return s.current.Load().State }

// At returns the state with the given number, or nil if undo cannot restore that state.
func (s *Store) At(number int64) *State {
	s.writing.Lock()
	defer s.writing.Unlock()
	state, _ := s.at(number)
	return state
}

// at is [Store.At] for callers that hold s.writing. lost is an upper bound on the number of bytes
// that the current state holds and the returned state does not.
func (s *Store) at(number int64) (state *State, lost int64) {
	if now := s.current.Load(); number == Now || number == now.Number {
		return now.State, 0
	}
	steps := s.history.since(number)
	if steps == nil {
		return nil, 0
	}
	return s.before(steps)
}

// Baseline returns the state that [Store.Reset] restores.
func (s *Store) Baseline() *State { return s.baseline.Load().State }

// Update runs change on a working copy of the current state and publishes the copy. If change
// returns an error, Update returns it and changes nothing, not even the id counters. If change adds or
// replaces records and the store would hold too many bytes, Update drops the oldest undoable writes.
// If that does not suffice, it returns a [FullBytes] error and changes nothing. If change modifies
// nothing, Update publishes nothing and adds nothing to the undo history. Updates are serialized, so
// change must not call a method of the store that can block.
func (s *Store) Update(beside Beside, change func(*Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	base := s.Keep()
	tx := s.begin(base.State)
	tx.recording = true
	if err := change(tx); err != nil {
		return err
	}
	if len(tx.changes) == 0 && tx.state.last == base.State.last {
		return nil
	}
	write := step{changes: tx.changes, last: base.State.last, number: base.Number, bytes: stepBytes + tx.lost}
	if !tx.grown {
		s.history.push(write)
	} else if err := s.push(write, tx.state, tx.lost, beside); err != nil {
		return err
	}
	s.publish(tx.state, s.next(), tx.lost)
	return nil
}

// Replace publishes a state that was not made from the current one, such as a snapshot or a file.
// The replacement can be undone like any other write.
func (s *Store) Replace(next *State, beside Beside) {
	s.writing.Lock()
	defer s.writing.Unlock()
	before := s.Keep()
	lost := s.own(before.State)
	write := step{whole: before.State, number: before.Number, bytes: stepBytes + lost}
	if s.push(write, next, lost, beside) != nil {
		// The limit does not matter here: callers have called Fits or FitsBaseline, and the bytes of
		// a snapshot count already.
		s.history.push(write)
	}
	s.publish(next, s.next(), lost)
}

// Undo reverts the given number of writes, newest first, including their changes to the id
// counters, and returns true. If steps is less than 1 or the history has fewer writes, Undo does
// nothing and returns false.
func (s *Store) Undo(steps int) bool {
	s.writing.Lock()
	defer s.writing.Unlock()
	undone, ok := s.history.pop(steps)
	if !ok {
		return false
	}
	state, lost := s.before(undone)
	spans := mark(s.spans(), span{undone[0].number, s.last})
	s.undone.Store(&spans)
	s.publish(state, undone[0].number, lost)
	return true
}

// Undone reports whether [Store.Undo] has reverted the write that made the state with the given
// number. It never blocks. The store remembers the last [HistoryLimit] undos; an undo that goes back
// to before others counts as one with them.
func (s *Store) Undone(number int64) bool { return holds(s.spans(), number) }

func (s *Store) spans() []span {
	if spans := s.undone.Load(); spans != nil {
		return *spans
	}
	return nil
}

// before returns the state as it was before the given steps, which must be the newest ones. lost is
// an upper bound on the number of bytes that the current state holds and the returned state does
// not.
func (s *Store) before(steps []step) (state *State, lost int64) {
	base := s.View()
	tx := s.begin(base)
	for _, write := range slices.Backward(steps) {
		if write.whole == nil {
			tx.revert(write)
			continue
		}
		tx = s.begin(write.whole)
		tx.lost = s.own(base)
	}
	if oldest := steps[0]; oldest.whole != nil {
		return oldest.whole, tx.lost // not tx.state, which is a copy: publish and own compare pointers
	}
	return tx.state, tx.lost
}

// Undoable returns the number of writes that can be undone.
func (s *Store) Undoable() int {
	s.writing.Lock()
	defer s.writing.Unlock()
	return len(s.history.steps)
}

// Reset publishes the baseline, id counters included, and clears the undo history. Its cost does
// not depend on the size of the data.
func (s *Store) Reset() {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.history = history{}
	s.publish(s.Baseline(), s.next(), s.own(s.View()))
}

// Rebase sets the baseline. The caller must call [Store.Reset] next. If the store's usage,
// including beside, would then exceed its limit, Rebase returns a [FullBytes] error and changes
// nothing.
func (s *Store) Rebase(baseline *State, beside Beside) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	next := Kept{State: baseline, lost: s.current.Load().lost + s.own(s.View())}
	if err := s.fits(s.usage(next, next, 0, beside), beside); err != nil {
		return err
	}
	s.setBaseline(baseline)
	return nil
}

// SetBaseline sets the state that [Store.Reset] restores.
func (s *Store) SetBaseline(baseline *State) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.setBaseline(baseline)
}

func (s *Store) setBaseline(baseline *State) {
	next := s.Keep()
	if baseline != next.State {
		next = Kept{State: baseline, lost: next.lost - s.own(baseline)} // so that usage counts all of it
	}
	s.baseline.Store(&next)
}

// Fork returns a new store whose current state is the state with the given number. The new store
// has the same origin, baseline and limits. It has no undo history. Fork returns nil if undo cannot
// restore the state. The cost of Fork does not depend on the size of the data.
func (s *Store) Fork(number int64) *Store {
	s.writing.Lock()
	defer s.writing.Unlock()
	state, lost := s.at(number)
	if state == nil {
		return nil
	}
	fork := &Store{origin: s.origin, limits: s.limits, last: s.last}
	fork.baseline.Store(s.baseline.Load())
	fork.current.Store(s.current.Load())
	if number == Now {
		number = s.current.Load().Number
	}
	fork.publish(state, number, lost)
	return fork
}

// next returns the number for a new state. The caller must hold s.writing.
func (s *Store) next() int64 {
	s.last++
	return s.last
}

// publish makes the given state the current one. The caller must hold s.writing, unless the store
// is new. lost is an upper bound on the number of bytes that the current state holds and the new
// one does not.
func (s *Store) publish(state *State, number, lost int64) {
	next := &Kept{State: state, Number: number, lost: s.current.Load().lost + lost}
	if state == s.Baseline() {
		s.baseline.Store(next)
	}
	s.current.Store(next)
}

// roomOver returns the maximum number of records that the store may hold if state is the baseline.
func (s *Store) roomOver(state *State) int {
	if s.limits.Records == 0 {
		return unlimited
	}
	return state.Records() + s.limits.Records
}
