package store

import "slices"

// What can be taken back: that many writes, as far as what they keep alive beyond the
// current state is no more than that many bytes, and as far as the store has room for it. The
// oldest go first, and a write that would keep more by itself, such as an import over a large
// state, cannot be taken back.
const (
	HistoryLimit = 100
	HistoryBytes = 4 << 20
)

// stepBytes is what a step needs besides the records that it keeps.
const stepBytes = 256

// step is one write that can be taken back: what it changed, or the whole state that
// it replaced.
type step struct {
	changes []change
	last    Counters // before it
	whole   *State   // nil: changes say it all
	bytes   int64    // that it keeps alive
}

// history holds the last writes, the oldest first.
type history struct {
	steps []step
	bytes int64 // of all steps
}

func (h *history) push(s step) {
	if s.bytes > HistoryBytes {
		*h = history{} // undo never leaves a write out
		return
	}
	h.steps = append(h.steps, s)
	h.bytes += s.bytes
	for len(h.steps) > HistoryLimit || h.bytes > HistoryBytes {
		h.drop()
	}
}

// drop forgets the oldest step, and reports whether there was one.
func (h *history) drop() bool {
	if len(h.steps) == 0 {
		return false
	}
	h.bytes -= h.steps[0].bytes
	h.steps[0] = step{} // lets go of what it kept, now and not when append moves the others
	h.steps = h.steps[1:]
	return true
}

// with returns what all steps would keep with one more that keeps so many bytes.
func (h *history) with(bytes int64) int64 {
	if bytes > HistoryBytes {
		return 0
	}
	return min(h.bytes+bytes, HistoryBytes)
}

// pop returns the last n steps, the newest first, and forgets them, unless there are
// fewer.
func (h *history) pop(n int) ([]step, bool) {
	if n < 1 || n > len(h.steps) {
		return nil, false
	}
	at := len(h.steps) - n
	popped := slices.Clone(h.steps[at:])
	for _, s := range popped {
		h.bytes -= s.bytes
	}
	h.steps = slices.Delete(h.steps, at, len(h.steps)) // clears what it deletes
	slices.Reverse(popped)
	return popped, true
}
