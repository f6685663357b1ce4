package journal

import (
	"cmp"
	"iter"
	"slices"
	"sort"
)

// FromNow makes [Journal.Listen] begin with the next event.
const FromNow = -1

// Bounds of the past events that a stream reads at once, so that a slow reader holds little memory.
const (
	missedAtOnce = 16
	missedBytes  = 16 << 10
)

// Stream is a subscription to a sandbox's events. It belongs to one goroutine, which must close it.
type Stream struct {
	// Gap describes lost past events, or is nil. Missed yields the other past events, Events later
	// ones.
	Gap *Gap

	hub      *hub
	journal  *Journal
	unhook   func() bool // stops watching the sandbox's life
	requests bool
	after    int64 // the id of the event after which the stream begins
	start    int64 // the id of the newest past event
	lost     int64 // the id of the newest event known to be lost
	events   chan Event
	slow     bool // set before events is closed
}

// Gap describes lost events, including requests if the stream has those: some or all of these ids.
type Gap struct {
	From int64 `json:"from"`
	To   int64 `json:"to,omitzero"` // unknown if missing: the sandbox was created anew and counts from 1
}

// Listen begins a stream of the events after the event with the id, with or without requests. The
// error is [ErrStreams].
func (j *Journal) Listen(after int64, requests bool) (*Stream, error) {
	stream, err := j.hub.listen(after, requests)
	if err != nil {
		return nil, err
	}
	return stream.begin(j), nil
}

// begin finds out which past events are lost.
func (s *Stream) begin(j *Journal) *Stream {
	s.journal = j
	if _, s.lost = s.past(s.after, 0); s.lost > 0 && s.Gap == nil {
		s.Gap = &Gap{From: s.after + 1, To: s.lost}
	}
	return s
}

// Missed yields the past events that are not lost, oldest first. Events that are lost during the
// iteration, because the reader is slow, are reported as a gap in place of an event.
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

// past returns the first past events with ids greater than after, and the greatest such id that is
// lost, or 0.
func (s *Stream) past(after int64, most int) (events []Event, lost int64) {
	batch, lost := s.journal.hub.past(after, s.start, most)
	if s.requests {
		// Entries that are added after the hub's result come through the stream.
		requests, lostRequest := s.journal.past(after, s.start, most)
		batch.upTo = min(batch.upTo, requests.upTo)
		batch.events = append(batch.events, requests.events...)
		slices.SortFunc(batch.events, func(a, b Event) int { return cmp.Compare(a.ID, b.ID) })
		lost = max(lost, lostRequest)
	}
	first, _ := slices.BinarySearchFunc(batch.events, batch.upTo+1, func(e Event, id int64) int { return cmp.Compare(e.ID, id) })
	return batch.events[:first], lost
}

// batch has the first past events, as many as may be held at once.
type batch struct {
	events []Event
	bytes  int
	upTo   int64 // there are no further events up to this id
}

// full reports whether the batch is full, and then sets how far it reaches.
func (b *batch) full(most int) bool {
	if len(b.events) < most && b.bytes < missedBytes {
		return false
	}
	if len(b.events) > 0 {
		b.upTo = b.events[len(b.events)-1].ID
	}
	return true
}

func (b *batch) add(e Event, bytes int) {
	b.events = append(b.events, e)
	b.bytes += bytes
}

// past returns the first events with ids from after+1 to last, and the greatest such id that is
// lost, or 0.
func (h *hub) past(after, last int64, most int) (batch, int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	b := batch{upTo: last}
	first := sort.Search(h.kept.n, func(i int) bool { return h.kept.at(i).ID > after })
	for i := first; i < h.kept.n && h.kept.at(i).ID <= last && !b.full(most); i++ {
		b.add(*h.kept.at(i), h.kept.at(i).size())
	}
	return b, lostAfter(h.lost, after, last)
}

// past is hub.past for requests.
func (j *Journal) past(after, last int64, most int) (batch, int64) {
	j.mu.Lock()
	lost := j.lost
	view := j.entries.view()
	j.mu.Unlock()
	defer view.release()
	b := batch{upTo: last}
	for entry := range view.since(0) {
		if entry.event > last || entry.event > after && b.full(most) {
			break
		}
		if entry.event > after {
			b.add(Event{ID: entry.event, Name: EventRequest, Request: entry.entry()}, len(entry.text))
		}
	}
	return b, lostAfter(lost, after, last)
}

// lostAfter returns the greatest id from after+1 to last that is lost, given the newest lost id, or
// 0.
func lostAfter(lost, after, last int64) int64 {
	if lost <= after {
		return 0
	}
	return min(lost, last)
}

// Events returns the channel of later events. It is closed when the sandbox ends or the reader is
// too slow.
func (s *Stream) Events() <-chan Event { return s.events }

// forget removes the waiting events of an ended stream, because its reader may notice the end late.
func (s *Stream) forget() {
	for range s.events {
	}
}

// Slow reports whether the stream ended because its reader was too slow. It is valid after Events
// is closed.
func (s *Stream) Slow() bool { return s.slow }

// Close ends the stream.
func (s *Stream) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if i := slices.Index(s.hub.streams, s); i >= 0 {
		s.hub.endLocked(i)
	}
}
