package store

import (
	"slices"

	"example.com/petstore/store/field"
)

// MaxID is the largest id that a record can get.
const MaxID = field.MaxID

// Tx is the working copy of a state during one update. It is valid until the update's function
// returns, and only for the goroutine that runs the function.
type Tx struct {
	state  *State // allocated separately, so that a published state does not keep the rest of the Tx in memory
	owner  *owner
	origin *State // the store's origin
	room   int    // the maximum number of records in the state

	recording bool     // whether to record changes, for undo
	changes   []change // in the order of the writes
	lost      int64    // an upper bound on the bytes of the base state that the working state lacks; see [Kept]
	grown     bool     // whether a record was added or replaced
}

// change is the addition, replacement or removal of one record. The fields before and after are the
// old and the new record. Both have the table's type *R and are nil if there is no such record.
type change struct {
	in            interface{ revert(*Tx, change) } // the table
	before, after any
}

// begin returns a transaction on a copy of base.
func (s *Store) begin(base *State) *Tx {
	tx := &Tx{state: new(*base), owner: new(owner), origin: s.origin, room: s.roomOver(s.Baseline())}
	tx.state.own = s.own(base)
	return tx
}

// revert undoes the changes of s, the step that led to the working state.
func (tx *Tx) revert(s step) {
	for _, c := range slices.Backward(s.changes) {
		c.in.revert(tx, c)
	}
	tx.state.last = s.last
}

// View returns the working state with all changes so far. It is valid until the next change.
func (tx *Tx) View() *State { return tx.state }

// assign sets *id to the next id if it is 0. In either case it raises the counter *last to at least
// *id. The error is [Full] or [NoID].
func (tx *Tx) assign(id, last *int64) error {
	if tx.state.Records() >= tx.room {
		return field.Refusal(Full, "the sandbox holds %d records, the maximum", tx.state.Records())
	}
	if *id == 0 {
		if *last >= MaxID {
			return field.Refusal(NoID,
				"the largest possible id is in use, so there is no next one; load data with smaller ids")
		}
		*id = *last + 1
	}
	*last = max(*last, *id)
	return nil
}
