package journal

import (
	"context"
	"sync/atomic"

	"example.com/petstore/handlers/sandbox/memory"
)

// All combines the events of many sandboxes. An event of a sandbox has the sandbox's name. The ids
// of events count across all sandboxes. All does nothing until its first stream begins. It is safe
// for concurrent use. A nil All discards all events.
type All struct {
	hub hub
	on  atomic.Bool // whether events are published and kept
}

// NewAll returns an All. Its streams end when life ends, or when the budget has no memory for their
// waiting events.
func NewAll(life context.Context, budget *memory.Budget) *All {
	return &All{hub: hub{life: life, memory: budget}}
}

// Gather adds a sandbox and publishes an [EventCreated]. From then on, All publishes the events of
// the sandbox's journal.
func (a *All) Gather(j *Journal, sandbox string) {
	j.hub.mu.Lock()
	j.hub.all, j.hub.sandbox = a, sandbox
	j.hub.mu.Unlock()
	a.publish(sandbox, Event{Name: EventCreated})
}

// Dismiss removes the sandbox that has the journal, and publishes an [EventDropped].
func (a *All) Dismiss(j *Journal) {
	j.hub.mu.Lock()
	name := j.hub.sandbox
	j.hub.all = nil
	j.hub.mu.Unlock()
	a.publish(name, Event{Name: EventDropped})
}

// PublishDoor publishes an [EventDoor].
func (a *All) PublishDoor() { a.publish("", Event{Name: EventDoor}) }

// Listen starts a stream of the events after the one with the given id, including requests. The
// error is [ErrStreams].
func (a *All) Listen(after int64) (*Stream, error) {
	h := &a.hub
	h.mu.Lock()
	if !a.on.Load() { // events were not kept, so any returning client has missed some
		h.last++
		h.lost = h.last
		a.on.Store(true)
	}
	h.mu.Unlock()
	return h.listen(after, nil)
}

// publish publishes an event of the sandbox.
func (a *All) publish(sandbox string, e Event) {
	if a == nil || !a.on.Load() {
		return
	}
	h := &a.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	e.Sandbox = sandbox
	h.publishLocked(e)
}
