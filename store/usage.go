package store

import (
	"cmp"
	"slices"

	"example.com/petstore/store/field"
)

// Limits bound what a store may hold. The zero Limits mean no limits.
type Limits struct {
	// Records is the maximum number of categories, pets, orders and messages beyond the number in
	// the baseline. 0 means no limit.
	Records int
	// Bytes bounds [Usage.Total]. 0 means no limit.
	Bytes int64
}

// Beside is the memory that is used outside a store but counts against [Limits.Bytes]: kept states,
// such as snapshots, and a number of bytes. The states come from the store or from the store that
// it was forked from.
type Beside struct {
	Kept  []Kept // methods of [Store] may sort it
	Bytes int64
}

// Usage is the memory, in bytes, that a store uses beyond its origin. A record that several stores
// share counts in full in each of them, unless it belongs to their origin.
type Usage struct {
	Records int64 // the current state, and the records that only the baseline has
	Undo    int64 // the records that only undo needs
	Kept    int64 // the records that only the states of [Beside] have
	Beside  int64 // the bytes of [Beside]
}

// Total returns the sum of all fields.
func (u Usage) Total() int64 { return u.Records + u.Undo + u.Kept + u.Beside }

// Kept is a state that a store has published. The bytes that an earlier state holds and a later one
// does not are at most the bytes that the store lost in the meantime. A hundred snapshots of a
// sandbox that hardly changes therefore count for very little. If each snapshot counted in full,
// seven snapshots of 10 MiB would exceed the default limit.
type Kept struct {
	State  *State
	Number int64 // the number of the state for [Store.At], from 1; a state that undo restores has its old number
	lost   int64 // the bytes of the records that the store had replaced or removed up to this state; never decreases
}

// Keep returns the current state as a Kept. It never blocks.
func (s *Store) Keep() Kept { return *s.current.Load() }

// Usage returns the memory that the store uses.
func (s *Store) Usage(beside Beside) Usage {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.usageAfter(s.View(), 0, s.history.bytes, beside)
}

// usageAfter returns the usage that the store would have if next became the current state. lost is
// the number of bytes that the store would lose, and undo is the number of bytes that the history
// would hold.
func (s *Store) usageAfter(next *State, lost, undo int64, beside Beside) Usage {
	current := Kept{State: next, lost: s.current.Load().lost + lost}
	return s.usage(current, *s.baseline.Load(), undo, beside)
}

// usage returns the usage of a store with the given contents. It sorts beside.Kept in place.
func (s *Store) usage(current, baseline Kept, undo int64, beside Beside) Usage {
	u := Usage{Records: s.own(current.State) + s.beyond(baseline, current), Undo: undo, Beside: beside.Bytes}
	// Sort from the latest to the earliest. If nothing was lost between two states, the later one has
	// more bytes beyond the origin.
	slices.SortFunc(beside.Kept, func(a, b Kept) int {
		return cmp.Or(cmp.Compare(b.lost, a.lost), cmp.Compare(s.own(b.State), s.own(a.State)))
	})
	last := current
	for _, k := range beside.Kept {
		if k.State != current.State && k.State != baseline.State { // those two are counted already
			u.Kept += s.beyond(k, last)
		}
		last = k
	}
	return u
}

// beyond returns an upper bound on the bytes that k holds and a later state does not.
func (s *Store) beyond(k, later Kept) int64 { return min(s.own(k.State), later.lost-k.lost) }

// own returns the state's bytes beyond the origin. The difference between the sizes of the state
// and the origin would be too small, because records that replace some of the origin's add little
// to it.
func (s *Store) own(state *State) int64 {
	if state == s.origin {
		return 0
	}
	return state.own
}

// Fits returns an error if the store could not hold the state after [Store.Replace]. The error is
// [TooLarge] if the state has too many records, and [FullBytes] otherwise.
func (s *Store) Fits(state *State, beside Beside) error {
	return s.fitsRecords(state, s.roomOver(s.Baseline()), "the sandbox can hold", beside)
}

// FitsBaseline is like Fits, but for a state that also becomes the baseline. It counts the records
// beyond those of the origin, not those of the present baseline, so that a series of baselines
// cannot grow without limit.
func (s *Store) FitsBaseline(state *State, beside Beside) error {
	return s.fitsRecords(state, s.roomOver(s.origin), "its baseline can have", beside)
}

func (s *Store) fitsRecords(state *State, limit int, clause string, beside Beside) error {
	if err := tooLarge(state, limit, clause); err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.fits(s.usageAfter(state, s.own(s.View()), 0, beside), beside)
}

// tooLarge returns a [TooLarge] error if the state has more than limit records. clause introduces
// the limit in the error's message.
func tooLarge(state *State, limit int, clause string) error {
	if state.Records() > limit {
		return field.Refusal(TooLarge, "the state has %d records, but %s at most %d", state.Records(), clause, limit)
	}
	return nil
}

// push adds a write to the history, and drops the oldest writes until the store stays within its
// limit. If the store would exceed the limit even without any history, push returns the error from
// fits and changes nothing. lost is the number of bytes that the store loses by the write.
func (s *Store) push(write step, next *State, lost int64, beside Beside) error {
	fits := func(undo int64) error { return s.fits(s.usageAfter(next, lost, undo, beside), beside) }
	if err := fits(0); err != nil {
		return err
	}
	s.history.push(write)
	for fits(s.history.bytes) != nil {
		s.history.drop()
	}
	return nil
}

// fits returns a [FullBytes] error if the store would exceed its limit after a write. A write that
// does not make the store larger always fits, even while undo keeps the old records.
func (s *Store) fits(after Usage, beside Beside) error {
	bytes, limit := after.Total(), s.limits.Bytes
	if limit == 0 || bytes <= limit || bytes <= s.usageAfter(s.View(), 0, after.Undo, beside).Total() {
		return nil
	}
	return field.Refusal(FullBytes, "the sandbox would hold %d bytes, but can hold at most %d", bytes, limit)
}
