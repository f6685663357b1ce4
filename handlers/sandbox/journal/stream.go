package journal

import (
	"cmp"
	"slices"
)

// FromNow makes [Journal.Listen] begin with what happens next.
const FromNow = -1

// Stream is what somebody hears of the events of a sandbox. It belongs to one
// goroutine, which must close it.
type Stream struct {
	// Gap tells what of the past is lost; nil: nothing. Missed is what is not,
	// oldest first. What happens after that comes by Events.
	Gap    *Gap
	Missed []Event

	hub      *hub
	unhook   func() bool // from the life of the sandbox
	requests bool
	after    int64 // id of the event from which on the past was asked for
	start    int64 // id of the newest event of the past
	events   chan Event
	slow     bool // set before events is closed
}

// Gap tells that events are lost, requests among them where those are listened to:
// some or all of these ids.
type Gap struct {
	From int64 `json:"from"`
	To   int64 `json:"to,omitzero"` // missing: nobody knows, since the sandbox has begun anew and counts from 1
}

// Listen begins a stream of the events that come after the one of the id after, with
// requests or without. The error is [ErrStreams].
func (j *Journal) Listen(after int64, requests bool) (*Stream, error) {
	stream, lost, err := j.hub.listen(after, requests)
	if err != nil {
		return nil, err
	}
	if requests && after != FromNow {
		// What the journal adds after the hub has answered comes by the stream.
		missed, lostRequest := j.missed(stream.after, stream.start)
		stream.Missed = append(stream.Missed, missed...)
		slices.SortFunc(stream.Missed, func(a, b Event) int { return cmp.Compare(a.ID, b.ID) })
		lost = max(lost, lostRequest)
	}
	if lost > 0 && stream.Gap == nil {
		stream.Gap = &Gap{From: stream.after + 1, To: lost}
	}
	return stream, nil
}

// Events returns where events come, until the sandbox ends or the reader is too
// slow.
func (s *Stream) Events() <-chan Event { return s.events }

// Slow reports whether the stream has ended since its reader was too slow. It may
// be asked once Events is closed.
func (s *Stream) Slow() bool { return s.slow }

// Close ends the stream.
func (s *Stream) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if i := slices.Index(s.hub.streams, s); i >= 0 {
		s.hub.endLocked(i)
	}
}
