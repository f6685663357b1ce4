package journal

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"example.com/petstore/handlers/sandbox/memory"
)

// The names of events that are not about one record.
const (
	// EventReset tells that all data may be other than it was: a reset, an undo, a
	// restored snapshot, an import.
	EventReset = "sandbox.reset"
	// EventRequest is a request that was answered.
	EventRequest = "request"
	// EventCreated and EventDropped tell of a sandbox that is there from now on, or no
	// longer: to those who listen to all.
	EventCreated = "sandbox.created"
	EventDropped = "sandbox.dropped"
)

// Bounds of the events that a hub keeps for those who come back, and of those that
// wait for one stream. The oldest kept ones go first.
const (
	maxEvents     = 1000
	maxEventBytes = 1 << 20
	eventBytes    = 128 // what an event costs besides its data
	maxWaiting    = 256
	maxStreams    = 1000     // each event is handed to each of them
	streamBytes   = 16 << 10 // what a stream costs, most of it the room for events that wait
)

// MaxBytes is the most that [Journal.Bytes] returns.
const MaxBytes = maxBytes + maxEventBytes + maxStreams*streamBytes

// ErrStreams means that too many streams are there already.
var ErrStreams = fmt.Errorf("a sandbox can have at most %d event streams; end some first", maxStreams)

// Event is something that happened in a sandbox.
type Event struct {
	ID      int64 // counts up from 1 in each sandbox, and for those who listen to all
	Name    string
	Sandbox string // that it happened in, for those who listen to all; else empty
	Data    []byte // a JSON object, never changed; nil: the event tells nothing, or a request
	Request *Entry // of an [EventRequest], never changed

	// ByWebhook says that a webhook has made the change, which is told to no webhook then.
	ByWebhook bool
}

// size returns what it costs to keep the event.
func (e *Event) size() int {
	n := cap(e.Data) + eventBytes
	if e.Request != nil {
		n += e.Request.size()
	}
	return n
}

// hub numbers events and hands them to those who listen.
//
// It keeps the last events for those who come back, requests of a sandbox aside: those
// are in the journal.
type hub struct {
	life   context.Context // of the sandbox
	memory *memory.Budget  // of the process

	mu       sync.Mutex
	all      *All         // guarded by mu: where the events are told too; nil: nowhere
	sandbox  string       // guarded by mu: the name by which they are told there
	left     int64        // guarded by mu: id of the newest event when the last stream ended
	last     int64        // guarded by mu: id of the newest event
	kept     queue[Event] // guarded by mu
	bytes    int          // guarded by mu: of kept
	lost     int64        // guarded by mu: id of the newest event that is no longer kept
	streams  []*Stream    // guarded by mu
	watchers int          // guarded by mu: streams that get requests
	notify   func(Event)  // guarded by mu: see [Journal.Subscribe]; nil: nobody is told
}

// Tell makes tell be called with each event from now on, requests aside, in their order and
// before anybody who listens can know of them. It must not wait, nor use the journal.
func (j *Journal) Subscribe(notify func(Event)) {
	j.hub.mu.Lock()
	defer j.hub.mu.Unlock()
	j.hub.notify = notify
}

// Publish numbers an event and hands it to all who listen, without waiting for
// any.
func (j *Journal) Publish(e Event) { j.hub.publish(e) }

func (h *hub) publish(e Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.notify != nil {
		h.notify(e)
	}
	h.publishLocked(e)
	h.all.publish(h.sandbox, e)
}

func (h *hub) publishLocked(e Event) {
	h.last++
	e.ID = h.last
	h.keepLocked(e)
	h.deliverLocked(e, false)
}

// publishRequest numbers a request and hands it to those who listen to requests;
// entry is called only if there are any.
func (h *hub) publishRequest(entry func() *Entry) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	if h.watchers == 0 && !h.all.wanted() {
		return h.last
	}
	e := Event{ID: h.last, Name: EventRequest, Request: entry()}
	h.deliverLocked(e, true)
	h.all.publish(h.sandbox, e)
	return h.last
}

func (h *hub) keepLocked(e Event) {
	h.kept.push(e)
	h.bytes += e.size()
	for h.kept.n > maxEvents || h.bytes > maxEventBytes {
		oldest := h.kept.pop()
		h.bytes -= oldest.size()
		h.lost = oldest.ID
	}
}

func (h *hub) bytesHeld() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return int64(h.bytes + len(h.streams)*streamBytes)
}

// deliverLocked hands an event to the streams. One that has no room for it reads
// too slowly and ends. So does one for which others wait already, where the server has no
// memory for more that waits.
func (h *hub) deliverLocked(e Event, request bool) {
	known, room := false, false
	for i := 0; i < len(h.streams); i++ {
		s := h.streams[i]
		if request && !s.requests {
			continue
		}
		if len(s.events) > 0 && !known {
			known, room = true, h.memory.Keep(int64(e.size())) // once for all of them
		}
		if len(s.events) == 0 || room {
			select {
			case s.events <- e:
				continue
			default:
			}
		}
		s.slow = true
		h.endLocked(i)
		s.forget()
		i--
	}
}

// endLocked ends the i-th stream.
func (h *hub) endLocked(i int) {
	s := h.streams[i]
	h.streams = slices.Delete(h.streams, i, i+1)
	if s.requests {
		h.watchers--
	}
	h.left = h.last
	s.unhook()
	close(s.events)
}

// listen begins a stream after what has happened.
func (h *hub) listen(after int64, requests bool) (*Stream, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.listenLocked(after, requests)
}

func (h *hub) listenLocked(after int64, requests bool) (*Stream, error) {
	if len(h.streams) >= maxStreams {
		return nil, ErrStreams
	}
	s := &Stream{hub: h, requests: requests, start: h.last, events: make(chan Event, maxWaiting)}
	if after == FromNow {
		after = h.last
	}
	if after > h.last { // an id of an earlier life: nothing of this one is known to the client
		s.Gap = &Gap{From: max(after, after+1)} // max, since no id comes after the largest one
		after = 0
	}
	s.after = after
	h.streams = append(h.streams, s)
	if requests {
		h.watchers++
	}
	s.unhook = context.AfterFunc(h.life, s.Close)
	return s, nil
}
