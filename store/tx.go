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
	freed    int64    // bytes of the base's own records that the changes removed
	grown    bool     // whether a record was added
}

// change is a record before and after. Before an addition and after a removal it is nil.
type change struct{ before, after record }

// begin returns a transaction on a copy of base. ownBytes is the size of base's own records.
func begin(base, origin *State, ownBytes int64, room int) *Tx {
	state := new(*base)
	state.own, state.origin = ownBytes, origin
	return &Tx{state: state, owner: new(owner), origin: origin, room: room}
}

// changed records a change.
func (tx *Tx) changed(before, after record) {
	origins := tx.origins(before, after)
	lost := own(before, origins)
	tx.freed += lost
	tx.state.own += own(after, origins) - lost
	tx.state.bytes += size(after) - size(before)
	tx.grown = tx.grown || after != nil
	if tx.remember {
		tx.changes = append(tx.changes, change{before, after})
	}
}

// origins returns the origin's record at the id of a change.
func (tx *Tx) origins(before, after record) record {
	switch {
	case tx.origin == nil:
		return nil
	case after == nil:
		return before.in(tx.origin)
	}
	return after.in(tx.origin)
}

// revert undoes the changes of the transaction whose result is the current state.
func (tx *Tx) revert(s step) {
	for i := len(s.changes) - 1; i >= 0; i-- {
		if c := s.changes[i]; c.before == nil {
			c.after.remove(tx)
		} else {
			c.before.put(tx)
		}
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
