package journal

import (
	"cmp"
	"iter"
	"slices"
	"sort"
)

// FromNow makes [Journal.Listen] begin with what happens next.
const FromNow = -1

// missedAtOnce is how many events of the past a stream holds at once, so that one whose
// reader takes its time holds no more than that.
const missedAtOnce = 16

// Stream is what somebody hears of the events of a sandbox. It belongs to one
// goroutine, which must close it.
type Stream struct {
	// Gap tells what of the past is lost; nil: nothing. What is not is told by Missed,
	// what happens after that by Events.
	Gap *Gap

	hub      *hub
	journal  *Journal
	unhook   func() bool // from the life of the sandbox
	requests bool
	after    int64 // id of the event from which on the past was asked for
	start    int64 // id of the newest event of the past
	lost     int64 // id of the newest event that is known to be lost
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
	stream, err := j.hub.listen(after, requests)
	if err != nil {
		return nil, err
	}
	return stream.begin(j), nil
}

// begin looks for what of the past is lost.
func (s *Stream) begin(j *Journal) *Stream {
	s.journal = j
	if _, s.lost = s.past(s.after, 0); s.lost > 0 && s.Gap == nil {
		s.Gap = &Gap{From: s.after + 1, To: s.lost}
	}
	return s
}

// Missed tells what of the past is not lost, oldest first. What is lost before it can be
// told, since the reader takes its time, is told as a gap in the place of an event.
func (s *Stream) Missed() iter.Seq2[Event, *Gap] {
	return func(yield func(Event, *Gap) bool) {
		for after := s.after; ; {
			events, lost := s.past(after, missedAtOnce)
			if lost > s.lost {
				s.lost = lost
				if !yield(Event{}, &Gap{From: after + 1, To: lost}) {
					return
				}
			}
			if len(events) == 0 {
				return
			}
			for _, e := range events {
				if !yield(e, nil) {
					return
				}
				after = e.ID
			}
		}
	}
}

// past returns the first events of the past with ids greater than after, and the
// greatest such id that is lost, or 0.
func (s *Stream) past(after int64, most int) (events []Event, lost int64) {
	events, lost = s.journal.hub.past(after, s.start, most)
	if s.requests {
		// What the journal adds after the hub has answered comes by the stream.
		requests, lostRequest := s.journal.past(after, s.start, most)
		events = append(events, requests...)
		slices.SortFunc(events, func(a, b Event) int { return cmp.Compare(a.ID, b.ID) })
		lost = max(lost, lostRequest)
	}
	return events[:min(most, len(events))], lost
}

// past returns the first events with ids greater than after and up to last, and the
// greatest such id that is lost, or 0.
func (h *hub) past(after, last int64, most int) (events []Event, lost int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	first := sort.Search(h.kept.n, func(i int) bool { return h.kept.at(i).ID > after })
	for i := first; i < h.kept.n && len(events) < most && h.kept.at(i).ID <= last; i++ {
		events = append(events, *h.kept.at(i))
	}
	return events, lostAfter(h.lost, after, last)
}

// past returns the same of requests.
func (j *Journal) past(after, last int64, most int) (events []Event, lost int64) {
	j.mu.Lock()
	lost = j.lost
	view := j.entries.view()
	j.mu.Unlock()
	defer view.release()
	for s := range view.since(0) {
		if len(events) == most || s.event > last {
			break
		}
		if s.event > after {
			events = append(events, Event{ID: s.event, Name: EventRequest, Request: s.entry()})
		}
	}
	return events, lostAfter(lost, after, last)
}

// lostAfter returns what of the events up to the lost one is greater than after and at
// most last, or 0.
func lostAfter(lost, after, last int64) int64 {
	if lost <= after {
		return 0
	}
	return min(lost, last)
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
