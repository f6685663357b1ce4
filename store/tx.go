package store

import "example.com/petstore/store/field"

// MaxID is the largest id that is assigned.
const MaxID = field.MaxID

// Tx is the working copy of a state during one update. It is valid until the update's function
// returns, and belongs to that function's goroutine.
type Tx struct {
	state  *State // published itself, so nothing else of the transaction stays in memory
	owner  *owner
	origin *State // of the store, or nil; see [Store]
	room   int    // the number of records that the state may hold

	remember bool     // whether undo needs changes
	changes  []change // in the order in which they were made
	lost     int64    // the bytes that the base may hold and the state does not; see [Kept]
	grown    bool     // whether a record was added
}

// change is a record before and after, as pointers. Before an addition and after a removal it is
// nil.
type change struct {
	in            interface{ revert(*Tx, change) } // the table
	before, after any
}

// begin returns a transaction on a copy of base.
func begin(base, origin *State, room int) *Tx {
	tx := &Tx{state: new(*base), owner: new(owner), origin: origin, room: room}
	if base == origin {
		tx.state.own = 0
	}
	return tx
}

// revert undoes the changes of the transaction whose result is the current state.
func (tx *Tx) revert(s step) {
	for i := len(s.changes) - 1; i >= 0; i-- {
		s.changes[i].in.revert(tx, s.changes[i])
	}
	tx.state.last = s.last
}

// View returns the working state with all changes so far. It is valid until the next change.
func (tx *Tx) View() *State { return tx.state }

// assign sets the id of a new record to the counter's next if it is 0. In any case it raises the
// counter to the id.
func (tx *Tx) assign(id, last *int64) error {
	if tx.state.Records() >= tx.room {
		return field.Refusal(Full, "the sandbox holds %d records, the maximum", tx.state.Records())
	}
	if *id == 0 {
		if *last >= MaxID {
			return field.Refusal(NoID, "the largest possible id is in use, so there is no next one; load data with smaller ids")
		}
		*id = *last + 1
	}
	*last = max(*last, *id)
	return nil
}
