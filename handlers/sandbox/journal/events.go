package journal

import (
	"context"
	"slices"
	"sync"

	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store/field"
)

// Names of events that do not describe a single record.
const (
	// EventReset reports that all data may have changed, by a reset, an undo, a restored snapshot
	// or an import.
	EventReset = "sandbox.reset"
	// EventUpdated reports that something other than the data may have changed, such as the clock,
	// faults or snapshots.
	EventUpdated = "sandbox.updated"
	// EventRequest reports a request and its response.
	EventRequest = "request"
	// EventCreated and EventDropped report that a sandbox was created or dropped. Only an [All]
	// publishes them.
	EventCreated = "sandbox.created"
	EventDropped = "sandbox.dropped"
	// EventDoor reports that the workshop has changed. Only an [All] publishes it.
	EventDoor = "workshop.updated"
)

// maxEvents and maxEventBytes limit the events that a hub keeps for returning clients. When the hub
// is full, it drops the oldest events. maxWaiting limits the events that wait in the buffer of a
// stream. maxStreams limits the streams of a hub.
const (
	maxEvents     = 1000
	maxEventBytes = 1 << 20
	eventBytes    = 128 // the memory that an event uses, without its data
	maxWaiting    = 256
	maxStreams    = 1000     // every event is sent to each stream
	streamBytes   = 16 << 10 // the part of [memory.Stream] that is charged to the sandbox, mostly for the buffer
)

// ErrStreams means that the sandbox, or the [All], has too many streams.
var ErrStreams = field.Refusal("unavailable", "a sandbox can have at most %d event streams; end some first", maxStreams)

// Event reports a change or a request in a sandbox, or a change of the workshop.
type Event struct {
	ID      int64 // counts from 1 in each sandbox; in an [All], across all sandboxes
	Name    string
	Sandbox string // the sandbox's name in a stream of an [All], otherwise ""
	Data    []byte // an immutable JSON object; nil for requests and for events without data
	Request *Entry // the entry of an [EventRequest]; immutable

	// ByWebhook reports whether a request from a webhook made the change. If so, webhooks do not
	// receive the event.
	ByWebhook bool
}

// size returns the memory that the event uses, in bytes.
func (e *Event) size() int {
	n := cap(e.Data) + eventBytes
	if e.Request != nil {
		n += e.Request.size()
	}
	return n
}

// hub assigns ids to events and sends them to streams.
//
// It keeps the latest events for clients that return. The hub of a sandbox does not keep events
// about requests, because the journal has the requests.
type hub struct {
	life   context.Context // all streams end when it is done
	memory *memory.Budget  // the budget of the process

	mu       sync.Mutex
	all      *All        // guarded by mu: also receives the events; may be nil
	sandbox  string      // guarded by mu: the sandbox's name in all
	last     int64       // guarded by mu: the id of the newest event
	kept     []Event     // guarded by mu: the kept events begin at first
	first    int         // guarded by mu
	bytes    int         // guarded by mu: the size of the kept events
	lost     int64       // guarded by mu: the id of the newest dropped event
	streams  []*Stream   // guarded by mu
	watchers int         // guarded by mu: the number of streams that receive requests
	notify   func(Event) // guarded by mu: see [Journal.Subscribe]; may be nil
}

// Subscribe makes the journal call notify with each later event of [Journal.Publish], in place of
// any earlier notify. The calls are in the order of the events, and the journal calls notify before
// it sends the event to streams. notify must not block or use the journal.
func (j *Journal) Subscribe(notify func(Event)) {
	j.hub.mu.Lock()
	defer j.hub.mu.Unlock()
	j.hub.notify = notify
}

// Publish assigns an id to an event and sends it to all streams. It does not block.
func (j *Journal) Publish(e Event) {
	h := &j.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.notify != nil {
		h.notify(e)
	}
	h.publishLocked(e)
	h.all.publish(h.sandbox, e)
}

// PublishUpdate sends an [EventUpdated] to the streams that receive requests. The journal does not
// keep the event for returning clients, so the event has the id of the one before it. An [All]
// publishes the event like any other.
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

// publishRequest assigns an event id to a request, sends an event to the streams that receive
// requests, and returns the id. It calls entry only if the event goes to such a stream or to h.all.
func (h *hub) publishRequest(entry func() *Entry) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	if h.watchers == 0 && (h.all == nil || !h.all.on.Load()) {
		return h.last
	}
	e := Event{ID: h.last, Name: EventRequest, Request: entry()}
	h.deliverLocked(e, true)
	h.all.publish(h.sandbox, e)
	return h.last
}

func (h *hub) keepLocked(e Event) {
	h.kept = append(h.kept, e)
	h.bytes += e.size()
	for len(h.kept)-h.first > maxEvents || h.bytes > maxEventBytes {
		oldest := &h.kept[h.first]
		h.bytes -= oldest.size()
		h.lost = oldest.ID
		*oldest = Event{} // so that the array does not keep the data in memory
		h.first++
	}
	if h.first > maxEvents/4 { // rarely, because it moves the other events; without it, append would allocate
		h.kept, h.first = slices.Delete(h.kept, 0, h.first), 0
	}
}

func (h *hub) bytesHeld() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return int64(h.bytes + len(h.streams)*streamBytes)
}

// deliverLocked sends an event to the streams or, if request is true, to those that receive
// requests. It ends a stream whose buffer is full, because its reader is too slow. If the server
// lacks memory for waiting events, deliverLocked also ends every stream with waiting events.
func (h *hub) deliverLocked(e Event, request bool) {
	known, room := false, false
	for i := 0; i < len(h.streams); i++ {
		s := h.streams[i]
		if request && s.journal == nil {
			continue
		}
		if len(s.events) > 0 && !known {
			known, room = true, h.memory.Keep(int64(e.size())) // reserve the event's memory once for all streams
		}
		if len(s.events) == 0 || room {
			select {
			case s.events <- e:
				continue
			default:
			}
		}
		s.slow.Store(true)
		h.endLocked(i)
		s.drain()
		i--
	}
}

// endLocked ends the i-th stream.
func (h *hub) endLocked(i int) {
	s := h.streams[i]
	h.streams = slices.Delete(h.streams, i, i+1)
	if s.journal != nil {
		h.watchers--
	}
	s.unhook()
	close(s.events)
}

// listen starts a stream of the events after the one with the given id. If requests is not nil, the
// stream also has that journal's requests.
func (h *hub) listen(after int64, requests *Journal) (*Stream, error) {
	s := &Stream{hub: h, journal: requests, events: make(chan Event, maxWaiting)}
	if err := h.add(s, after); err != nil {
		return nil, err
	}
	if _, s.lost = s.next(s.after); s.lost > 0 && s.Gap == nil {
		s.Gap = &Gap{From: s.after + 1, To: s.lost}
	}
	return s, nil
}

// add makes the stream receive all later events, and determines which events are past.
func (h *hub) add(s *Stream, after int64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.streams) >= maxStreams {
		return ErrStreams
	}
	if after == FromNow {
		after = h.last
	}
	if after > h.last { // the id is from before this hub was created, so the client has none of its events
		s.Gap = &Gap{From: max(after, after+1)} // max guards against overflow
		after = 0
	}
	s.after, s.start = after, h.last
	h.streams = append(h.streams, s)
	if s.journal != nil {
		h.watchers++
	}
	s.unhook = context.AfterFunc(h.life, s.Close)
	return nil
}
