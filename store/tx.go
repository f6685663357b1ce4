package store

import ()

// MaxID is the largest id that is given out, 2^53-1: the largest integer that every
// JSON reader takes exactly.
const MaxID = 1<<53 - 1

// Tx is the working copy of the state that one update changes. It is good until
// the update's function returns and belongs to the goroutine that runs it.
type Tx struct {
	state State
	owner *owner
	room  int // the number of records that the state may hold
}

// View returns the working state, with what the transaction has changed so far.
// It is for reading until the next change.
func (tx *Tx) View() *State { return &tx.state }

// assign returns the id of a new record: the given one, or the counter's next
// when it is 0. Either way the counter never falls behind.
func (tx *Tx) assign(id int64, last *int64) (int64, error) {
	if tx.state.records() >= tx.room {
		return 0, refusal(Full, 0, "the sandbox holds %d records, the maximum", tx.state.records())
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
