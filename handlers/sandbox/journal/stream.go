package journal

import (
	"iter"
	"slices"
	"sort"
	"sync/atomic"
)

// FromNow makes [Journal.Listen] and [All.Listen] start with the next event.
const FromNow = -1

// Stream is a subscription to the events of a sandbox or of an [All]. It belongs to one goroutine,
// which must close it.
type Stream struct {
	// Gap describes the past events that are lost. Nil means that none are lost. Missed yields the
	// other past events, and Events returns a channel of later events.
	Gap *Gap

	hub     *hub
	journal *Journal    // the journal whose requests the stream receives besides the events of hub, or nil
	unhook  func() bool // stops the function that closes the stream when the sandbox ends
	after   int64       // the stream begins after the event with this id
	start   int64       // the id of the newest past event
	lost    int64       // the id of the newest event known to be lost
	entry   int64       // the id of the last entry that next has skipped; later calls search only after it
	events  chan Event
	slow    atomic.Bool // set before events is closed and drained
}

// Gap is a range of event ids. Some or all of the events with these ids are lost. If the stream
// receives requests, they may be among the lost events.
type Gap struct {
	From int64 `json:"from"`
	To   int64 `json:"to,omitzero"` // 0 if unknown, because the ids restarted with the sandbox or the server
}

// Listen starts a stream of the events after the one with the given id, with or without requests.
// The error is [ErrStreams].
func (j *Journal) Listen(after int64, requests bool) (*Stream, error) {
	if requests {
		return j.hub.listen(after, j)
	}
	return j.hub.listen(after, nil)
}

// Missed yields the past events that are not lost, oldest first. It reads one event at a time, so
// that a slow reader holds little memory. If more past events are lost before Missed reads them, it
// yields a gap in their place.
func (s *Stream) Missed() iter.Seq2[Event, *Gap] {
	return func(yield func(Event, *Gap) bool) {
		for after := s.after; ; {
			e, lost := s.next(after)
			if lost > s.lost {
				s.lost = lost
				if !yield(Event{}, &Gap{From: after + 1, To: lost}) {
					return
				}
			}
			if e.ID == 0 || !yield(e, nil) {
				return
			}
			after = e.ID
		}
	}
}

// next returns the first kept event with an id from after+1 to s.start, or the zero Event if there
// is none. lost is the id of the newest lost event in that range, or 0.
func (s *Stream) next(after int64) (e Event, lost int64) {
	e, lost = s.hub.next(after, s.start)
	if s.journal != nil {
		request, lostRequest := s.journal.next(after, s)
		if request.ID > 0 && (e.ID == 0 || request.ID < e.ID) {
			e = request
		}
		lost = max(lost, lostRequest)
	}
	return e, lost
}

// next is like [Stream.next], but considers only the events of the hub, up to the event with the id
// last.
func (h *hub) next(after, last int64) (e Event, lost int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	kept := h.kept[h.first:]
	at := sort.Search(len(kept), func(i int) bool { return kept[i].ID > after })
	if at < len(kept) && kept[at].ID <= last {
		e = kept[at]
	}
	return e, lostAfter(h.lost, after, last)
}

// next is like [Stream.next], but considers only the requests in the journal. It stops at s.start,
// because later requests come through s.events.
func (j *Journal) next(after int64, s *Stream) (e Event, lost int64) {
	j.mu.Lock()
	lost = lostAfter(j.lost, after, s.start)
	view := j.entries.view()
	j.mu.Unlock()
	for entry := range view.since(s.entry) {
		if entry.event > s.start {
			break
		}
		if entry.event > after {
			return Event{ID: entry.event, Name: EventRequest, Request: entry.entry(j.Undone)}, lost
		}
		s.entry = entry.id
	}
	return Event{}, lost
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
// stream is closed, or the stream is too slow; see [Stream.Slow].
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
