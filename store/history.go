package store

import (
	"slices"
	"sort"
)

// HistoryLimit and HistoryBytes bound the writes that can be undone: their number, and the bytes
// that they keep in memory beyond the current state. The store's limits bound them too. The oldest
// writes are dropped first. A write that keeps more than HistoryBytes by itself, such as an import
// over a large state, cannot be undone, nor can the writes before it.
const (
	HistoryLimit = 100
	HistoryBytes = 4 << 20
)

// stepBytes is the size of a step without the records that it keeps.
const stepBytes = 256

// step is one write that can be undone. It holds the write's changes or the whole state that the
// write replaced.
type step struct {
	changes []change
	last    Counters // the counters before the write
	whole   *State   // the replaced state, or nil if the write has changes
	number  int64    // the number of the state before the write
	bytes   int64    // the bytes that this step keeps in memory
}

// history holds the last writes, oldest first.
type history struct {
	steps []step
	bytes int64 // sum over all steps
}

func (h *history) push(s step) {
	if s.bytes > HistoryBytes {
		*h = history{} // undo must not skip a write, so drop all steps
		return
	}
	h.steps = append(h.steps, s)
	h.bytes += s.bytes
	for len(h.steps) > HistoryLimit || h.bytes > HistoryBytes {
		h.drop()
	}
}

// drop removes the oldest step.
func (h *history) drop() {
	h.bytes -= h.steps[0].bytes
	h.steps[0] = step{} // frees the records now, not only when append moves the slice
	h.steps = h.steps[1:]
}

// pop removes and returns the last n steps. If n is less than 1 or there are fewer steps, it removes
// none and returns false.
func (h *history) pop(n int) ([]step, bool) {
	if n < 1 || n > len(h.steps) {
		return nil, false
	}
	at := len(h.steps) - n
	popped := slices.Clone(h.steps[at:])
	for _, s := range popped {
		h.bytes -= s.bytes
	}
	h.steps = slices.Delete(h.steps, at, len(h.steps)) // zeroes the deleted steps
	return popped, true
}

// since returns the steps from the state with the given number to the current state. It returns nil
// if no step started from that state.
func (h *history) since(number int64) []step {
	at := slices.IndexFunc(h.steps, func(s step) bool { return s.number == number })
	if at < 0 {
		return nil
	}
	return h.steps[at:]
}

// span is the numbers of states that an undo has reverted: those greater than from, up to to. State
// numbers only grow and undo goes back to an earlier one, so these states never return.
type span struct{ from, to int64 }

// mark returns the spans, which ascend, with the span of a new undo. The new span replaces those
// that it contains; the others precede it. mark keeps the last [HistoryLimit] spans, and does not
// change its argument.
func mark(spans []span, undone span) []span {
	at := sort.Search(len(spans), func(i int) bool { return spans[i].from >= undone.from })
	return append(slices.Clone(spans[max(0, at+1-HistoryLimit):at]), undone)
}

// holds reports whether one of the spans holds the number.
func holds(spans []span, number int64) bool {
	at := sort.Search(len(spans), func(i int) bool { return spans[i].to >= number })
	return at < len(spans) && spans[at].from < number
}
