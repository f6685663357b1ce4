package journal

import (
	"context"
	"sync/atomic"

	"example.com/petstore/handlers/sandbox/memory"
)

// All gathers the events of many sandboxes, each with the name of its sandbox, for those
// who listen to all. Ids count up over all of them. While nobody listens it does nothing:
// once what the last listener has heard is no longer kept, no event is. Its methods may be
// called by any number of goroutines; a nil All has no listeners.
type All struct {
	events *Journal // without requests of its own
	on     atomic.Bool
}

// NewAll returns one whose streams end with life, or when the budget has no room for what
// waits for them.
func NewAll(life context.Context, budget *memory.Budget) *All {
	return &All{events: New(life, 0, budget)}
}

// Gather tells the events of a journal there from now on, as those of the sandbox.
func (a *All) Gather(j *Journal, sandbox string) {
	j.hub.mu.Lock()
	j.hub.all, j.hub.sandbox = a, sandbox
	j.hub.mu.Unlock()
	a.publish(sandbox, Event{Name: EventCreated})
}

// Dismiss ends Gather, since the sandbox is no longer there.
func (a *All) Dismiss(j *Journal) {
	j.hub.mu.Lock()
	name := j.hub.sandbox
	j.hub.all = nil
	j.hub.mu.Unlock()
	a.publish(name, Event{Name: EventDropped})
}

// Listen begins a stream of the events, requests among them, that come after the one of
// the id after. The error is [ErrStreams].
func (a *All) Listen(after int64) (*Stream, error) {
	h := &a.events.hub
	h.mu.Lock()
	if !a.on.Load() { // what happened meanwhile is lost, to those too who have seen all before
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

// publish tells an event of the sandbox.
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
