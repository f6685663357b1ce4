package journal

import (
	"context"
	"sync/atomic"

	"example.com/petstore/handlers/sandbox/memory"
)

// All combines the events of many sandboxes, each with the name of its sandbox. Its ids count over
// all of them. Without listeners it does nothing: once the events that the last listener has
// received are dropped, no more are kept. It is safe for concurrent use. A nil All has no
// listeners.
type All struct {
	events *Journal // its own requests are not recorded
	on     atomic.Bool
}

// NewAll returns an All whose streams end with life, or when the budget has no room for the events
// that wait for them.
func NewAll(life context.Context, budget *memory.Budget) *All {
	return &All{events: New(life, 0, budget)}
}

// Gather adds the events of a sandbox's journal from now on.
func (a *All) Gather(j *Journal, sandbox string) {
	j.hub.mu.Lock()
	j.hub.all, j.hub.sandbox = a, sandbox
	j.hub.mu.Unlock()
	a.publish(sandbox, Event{Name: EventCreated})
}

// Dismiss ends Gather for a sandbox that was dropped.
func (a *All) Dismiss(j *Journal) {
	j.hub.mu.Lock()
	name := j.hub.sandbox
	j.hub.all = nil
	j.hub.mu.Unlock()
	a.publish(name, Event{Name: EventDropped})
}

// PublishDoor sends an [EventDoor].
func (a *All) PublishDoor() { a.publish("", Event{Name: EventDoor}) }

// Listen begins a stream of events, including requests, after the event with the id. The error is
// [ErrStreams].
func (a *All) Listen(after int64) (*Stream, error) {
	h := &a.events.hub
	h.mu.Lock()
	if !a.on.Load() { // events since the last listener are lost, even for clients that had seen all before
		h.last++
		h.lost = h.last
		h.left = h.last
		a.on.Store(true)
	}
	stream, err := h.listenLocked(after, false)
	h.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return stream.begin(a.events), nil
}

// wanted reports whether events are kept.
func (a *All) wanted() bool { return a != nil && a.on.Load() }

// publish adds an event of the sandbox.
func (a *All) publish(sandbox string, e Event) {
	if !a.wanted() {
		return
	}
	h := &a.events.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	e.Sandbox = sandbox
	h.publishLocked(e)
	if len(h.streams) == 0 && h.lost > h.left {
		a.on.Store(false)
		h.kept, h.bytes = queue[Event]{}, 0
	}
}
