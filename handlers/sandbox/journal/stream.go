package journal

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"sync/atomic"
)

// FromNow makes [Journal.Listen] start with the next event.
const FromNow = -1

// These constants limit the past events that a stream reads in one step, so that a slow reader
// holds little memory.
const (
	maxPast      = 16
	maxPastBytes = 16 << 10
)

// Stream is a subscription to a sandbox's events. It belongs to one goroutine, which must close it.
type Stream struct {
	// Gap describes the past events that are lost. Nil means that none are lost. Missed yields the
	// other past events, and Events returns a channel of later events.
	Gap *Gap

	hub     *hub
	journal *Journal    // whose requests the stream receives; nil if it receives none
	unhook  func() bool // stops the function that closes the stream when the sandbox ends
	after   int64       // the stream begins after the event with this id
	start   int64       // the id of the newest past event
	lost    int64       // the id of the newest event known to be lost
	events  chan Event
	slow    atomic.Bool // set before events is closed and drained
}

// Gap is a range of ids, some or all of whose events are lost. The events may be requests if the
// stream receives requests.
type Gap struct {
	From int64 `json:"from"`
	To   int64 `json:"to,omitzero"` // 0 if unknown, because the sandbox was created again and its ids restarted at 1
}

// Listen starts a stream of the events after the one with the given id, with or without requests.
// The error is [ErrStreams].
func (j *Journal) Listen(after int64, requests bool) (*Stream, error) {
	var from *Journal
	if requests {
		from = j
	}
	j.hub.mu.Lock()
	stream, err := j.hub.listenLocked(after, from)
	j.hub.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return stream.begin(), nil
}

// begin determines which past events are lost, and returns s.
func (s *Stream) begin() *Stream {
	if _, s.lost = s.past(s.after, 0); s.lost > 0 && s.Gap == nil {
		s.Gap = &Gap{From: s.after + 1, To: s.lost}
	}
	return s
}

// Missed yields the past events that are not lost, oldest first. If further events are lost during
// the iteration, because the reader is slow, it yields a gap in place of an event.
func (s *Stream) Missed() iter.Seq2[Event, *Gap] {
	return func(yield func(Event, *Gap) bool) {
		for after := s.after; ; {
			events, lost := s.past(after, maxPast)
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

// past returns the first kept events with ids from after+1 to s.start, and the id of the newest
// lost event in that range, or 0.
func (s *Stream) past(after int64, limit int) (events []Event, lost int64) {
	batch, lost := s.hub.past(after, s.start, limit)
	if s.journal != nil {
		// Leave out events with ids after s.start: they come through s.events.
		requests, lostRequest := s.journal.past(after, s.start, limit)
		batch.upTo = min(batch.upTo, requests.upTo)
		batch.events = append(batch.events, requests.events...)
		slices.SortFunc(batch.events, func(a, b Event) int { return cmp.Compare(a.ID, b.ID) })
		lost = max(lost, lostRequest)
	}
	first, _ := slices.BinarySearchFunc(batch.events, batch.upTo+1, func(e Event, id int64) int {
		return cmp.Compare(e.ID, id)
	})
	return batch.events[:first], lost
}

// batch holds the past events that are read in one step.
type batch struct {
	events []Event
	bytes  int
	upTo   int64 // the batch is complete up to this id
}

// full reports whether the batch is full. If the batch is full, it sets upTo.
func (b *batch) full(limit int) bool {
	if len(b.events) < limit && b.bytes < maxPastBytes {
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

// past returns the first kept events with ids from after+1 to last, and the id of the newest lost
// event in that range, or 0.
func (h *hub) past(after, last int64, limit int) (batch, int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	b := batch{upTo: last}
	for _, e := range h.kept[sort.Search(len(h.kept), func(i int) bool { return h.kept[i].ID > after }):] {
		if e.ID > last || b.full(limit) {
			break
		}
		b.add(e, e.size())
	}
	return b, lostAfter(h.lost, after, last)
}

// past is like hub.past, but returns events about the requests in the journal.
func (j *Journal) past(after, last int64, limit int) (batch, int64) {
	j.mu.Lock()
	lost := j.lost
	view := j.entries.view()
	j.mu.Unlock()
	defer view.release()
	b := batch{upTo: last}
	for entry := range view.since(0) {
		if entry.event > last || entry.event > after && b.full(limit) {
			break
		}
		if entry.event > after {
			b.add(Event{ID: entry.event, Name: EventRequest, Request: entry.entry()}, len(entry.text))
		}
	}
	return b, lostAfter(lost, after, last)
}

// lostAfter returns the id of the newest lost event from after+1 to last, or 0. lost is the id of
// the newest of all lost events.
func lostAfter(lost, after, last int64) int64 {
	if lost <= after {
		return 0
	}
	return min(lost, last)
}

// Events returns the channel of later events. The channel is closed when the sandbox ends, the
// stream is closed, or the reader is too slow.
func (s *Stream) Events() <-chan Event { return s.events }

// drain discards the waiting events of an ended stream, to free their memory before the reader
// notices the end.
func (s *Stream) drain() {
	for range s.events {
	}
}

// Slow reports whether the stream ended because its reader was too slow, or because the server had
// no memory for waiting events. An event that the reader receives afterwards may come after
// discarded ones, so the reader must discard it too.
func (s *Stream) Slow() bool { return s.slow.Load() }

// Close ends the stream.
func (s *Stream) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if i := slices.Index(s.hub.streams, s); i >= 0 {
		s.hub.endLocked(i)
	}
}
