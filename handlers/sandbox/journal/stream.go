package journal

import (
	"cmp"
	"iter"
	"slices"
	"sort"
)

// FromNow makes [Journal.Listen] begin with what happens next.
const FromNow = -1

// What of the past a stream holds at once at the most, so that one whose reader takes its
// time holds no more than that, and an event.
const (
	missedAtOnce = 16
	missedBytes  = 16 << 10
)

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
	some, lost := s.journal.hub.past(after, s.start, most)
	if s.requests {
		// What the journal adds after the hub has answered comes by the stream.
		requests, lostRequest := s.journal.past(after, s.start, most)
		some.upTo = min(some.upTo, requests.upTo)
		some.events = append(some.events, requests.events...)
		slices.SortFunc(some.events, func(a, b Event) int { return cmp.Compare(a.ID, b.ID) })
		lost = max(lost, lostRequest)
	}
	first, _ := slices.BinarySearchFunc(some.events, some.upTo+1, func(e Event, id int64) int { return cmp.Compare(e.ID, id) })
	return some.events[:first], lost
}

// some are the first events of the past, as many as may be held at once.
type some struct {
	events []Event
	bytes  int
	upTo   int64 // the id up to which there are no others
}

// full reports whether nothing may be added, and says then how far it goes.
func (s *some) full(most int) bool {
	if len(s.events) < most && s.bytes < missedBytes {
		return false
	}
	if len(s.events) > 0 {
		s.upTo = s.events[len(s.events)-1].ID
	}
	return true
}

func (s *some) add(e Event, bytes int) {
	s.events = append(s.events, e)
	s.bytes += bytes
}

// past returns the first events with ids greater than after and up to last, and the
// greatest such id that is lost, or 0.
func (h *hub) past(after, last int64, most int) (some, int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := some{upTo: last}
	first := sort.Search(h.kept.n, func(i int) bool { return h.kept.at(i).ID > after })
	for i := first; i < h.kept.n && h.kept.at(i).ID <= last && !s.full(most); i++ {
		s.add(*h.kept.at(i), h.kept.at(i).size())
	}
	return s, lostAfter(h.lost, after, last)
}

// past returns the same of requests.
func (j *Journal) past(after, last int64, most int) (some, int64) {
	j.mu.Lock()
	lost := j.lost
	view := j.entries.view()
	j.mu.Unlock()
	defer view.release()
	s := some{upTo: last}
	for entry := range view.since(0) {
		if entry.event > last || entry.event > after && s.full(most) {
			break
		}
		if entry.event > after {
			s.add(Event{ID: entry.event, Name: EventRequest, Request: entry.entry()}, len(entry.text))
		}
	}
	return s, lostAfter(lost, after, last)
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

// forget takes the events that wait from a stream that has ended, since its reader may take
// a while to find that out.
func (s *Stream) forget() {
	for range s.events {
	}
}

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
