package store

// MaxID is the largest id that is given out, 2^53-1: the largest integer that every
// JSON reader takes exactly.
const MaxID = 1<<53 - 1

// Tx is the working copy of the state that one update changes. It is good until
// the update's function returns and belongs to the goroutine that runs it.
type Tx struct {
	state  *State // published as it is, so that nothing else of the transaction stays
	owner  *owner
	origin *State // see [Store]; nil: none
	room   int    // the number of records that the state may hold

	remember bool     // whether changes are for undo
	changes  []change // in the order in which they were made
	freed    int64    // bytes of the state's own that the changes took out of it
	grown    bool     // whether a record was put anywhere
}

// change is one record before and after; nil: there was or is none.
type change struct{ before, after record }

// begin returns a transaction on a copy of base, of which ownBytes are its own.
func begin(base, origin *State, ownBytes int64, room int) *Tx {
	state := new(*base)
	state.own, state.origin = ownBytes, origin
	return &Tx{state: state, owner: new(owner), origin: origin, room: room}
}

// changed notes a change that was made.
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

// origins returns the record that the origin has in the place of a change.
func (tx *Tx) origins(before, after record) record {
	switch {
	case tx.origin == nil:
		return nil
	case after == nil:
		return before.in(tx.origin)
	}
	return after.in(tx.origin)
}

// revert takes back the changes of an earlier transaction, of which the state is the
// result.
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

// View returns the working state, with what the transaction has changed so far.
// It is for reading until the next change.
func (tx *Tx) View() *State { return tx.state }

// assign returns the id of a new record: the given one, or the counter's next
// when it is 0. Either way the counter never falls behind.
func (tx *Tx) assign(id int64, last *int64) (int64, error) {
	if tx.state.Records() >= tx.room {
		return 0, refusal(Full, 0, "the sandbox holds %d records, the maximum", tx.state.Records())
	}
	if id == 0 {
		if *last >= MaxID {
			return 0, refusal(NoID, 0, "the largest possible id is in use, so there is no next one; load data with smaller ids")
		}
		id = *last + 1
	}
	*last = max(*last, id)
	return id, nil
}
