package journal

import (
	"context"
	"slices"
	"sync"

	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store/field"
)

// Names of events that are not about a single record.
const (
	// EventReset reports that all data may have changed: a reset, an undo, a restored snapshot, an
	// import.
	EventReset = "sandbox.reset"
	// EventUpdated reports that other parts of the sandbox may have changed, such as its clock, faults
	// or snapshots.
	EventUpdated = "sandbox.updated"
	// EventRequest reports a request and its response.
	EventRequest = "request"
	// EventCreated and EventDropped report new and removed sandboxes to listeners of all sandboxes.
	EventCreated = "sandbox.created"
	EventDropped = "sandbox.dropped"
	// EventDoor reports a change of the workshop to listeners of all sandboxes.
	EventDoor = "workshop.updated"
)

// Bounds of the events that a hub keeps for returning clients, and of those that wait for a stream.
// The oldest kept events are dropped first.
const (
	maxEvents     = 1000
	maxEventBytes = 1 << 20
	eventBytes    = 128 // the size of an event without its data
	maxWaiting    = 256
	maxStreams    = 1000     // each of them gets every event
	streamBytes   = 16 << 10 // the size of a stream, mostly its buffer
)

// ErrStreams reports that the sandbox has too many streams.
var ErrStreams = field.Refusal("unavailable", "a sandbox can have at most %d event streams; end some first", maxStreams)

// Event is a change in a sandbox.
type Event struct {
	ID      int64 // counts from 1 in each sandbox, or over all sandboxes
	Name    string
	Sandbox string // the sandbox's name in a stream of all sandboxes, otherwise ""
	Data    []byte // a JSON object that never changes; nil for events without data and for requests
	Request *Entry // of an [EventRequest]; never changes

	// ByWebhook marks a change that a webhook has made. It is not sent to webhooks.
	ByWebhook bool
}

// size returns the memory of the event.
func (e *Event) size() int {
	n := cap(e.Data) + eventBytes
	if e.Request != nil {
		n += e.Request.size()
	}
	return n
}

// hub numbers events and sends them to listeners.
//
// It keeps the last events for returning clients, except for a sandbox's requests, which are in the
// journal.
type hub struct {
	life   context.Context // of the sandbox
	memory *memory.Budget  // of the process

	mu       sync.Mutex
	all      *All         // guarded by mu: also gets the events, or nil
	sandbox  string       // guarded by mu: the name of the sandbox in all
	left     int64        // guarded by mu: the id of the newest event when the last stream ended
	last     int64        // guarded by mu: the id of the newest event
	kept     queue[Event] // guarded by mu
	bytes    int          // guarded by mu: the size of kept
	lost     int64        // guarded by mu: the id of the newest event that is no longer kept
	streams  []*Stream    // guarded by mu
	watchers int          // guarded by mu: streams that receive requests
	notify   func(Event)  // guarded by mu: see [Journal.Subscribe]; may be nil
}

// Subscribe calls notify with each event from now on, except for requests, in order and before any
// stream receives the event. notify must not block or use the journal.
func (j *Journal) Subscribe(notify func(Event)) {
	j.hub.mu.Lock()
	defer j.hub.mu.Unlock()
	j.hub.notify = notify
}

// Publish numbers an event and sends it to all listeners, without blocking.
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

// PublishUpdate sends an [EventUpdated] to listeners of requests. A returning client does not get it
// again, so its id is that of the event before.
func (j *Journal) PublishUpdate() {
	h := &j.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	e := Event{ID: h.last, Name: EventUpdated}
	h.deliverLocked(e, true)
	h.all.publish(h.sandbox, e)
}

func (h *hub) publishLocked(e Event) {
	h.last++
	e.ID = h.last
	h.keepLocked(e)
	h.deliverLocked(e, false)
}

// publishRequest numbers a request and sends it to listeners of requests. It calls entry only if
// there are some.
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

// deliverLocked sends an event to the streams. A stream whose buffer is full is too slow and is
// ended. If the server has no memory for waiting events, so is a stream in which others wait
// already.
func (h *hub) deliverLocked(e Event, request bool) {
	known, room := false, false
	for i := 0; i < len(h.streams); i++ {
		s := h.streams[i]
		if request && !s.requests {
			continue
		}
		if len(s.events) > 0 && !known {
			known, room = true, h.memory.Keep(int64(e.size())) // once for all streams
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

// listen begins a stream after the given event.
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
	if after > h.last { // an id from an earlier life of the sandbox: the client knows none of these events
		s.Gap = &Gap{From: max(after, after+1)} // max avoids an overflow
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
