package store

import "slices"

// HistoryLimit is how many writes can be taken back.
const HistoryLimit = 100

// history holds the states before the last writes, the oldest first. Since states
// share what they have in common, a step costs what the write changed.
type history struct{ states []*State }

func (h *history) push(s *State) {
	if len(h.states) == HistoryLimit {
		h.states = slices.Delete(h.states, 0, 1) // clears the freed end, so that the state can go
	}
	h.states = append(h.states, s)
}

// back returns the state before the last steps writes and forgets them, unless
// there are fewer.
func (h *history) back(steps int) (*State, bool) {
	if steps < 1 || steps > len(h.states) {
		return nil, false
	}
	at := len(h.states) - steps
	before := h.states[at]
	h.states = slices.Delete(h.states, at, len(h.states))
	return before, true
}
