package docs

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"example.com/petstore/handlers/sandbox/lifecycle"
)

// cache holds the most recent rendering of a document. Rendering takes about ten milliseconds, and
// most requests need the same result. A cache is safe for concurrent use. It renders one document at
// a time, because rendering needs many times the document's memory.
type cache struct {
	document *Document
	render   func(*Document, Now) []byte

	mu         sync.Mutex // guards the fields below
	now        Now        // without Lifecycle, whose results are stored in lifecycles
	lifecycles []lifecycle.Lifecycle
	body       []byte // never changes; nil before the first rendering
}

// get returns the rendering of the document for the given state. It renders nothing for a client
// that has disconnected.
func (c *cache) get(client context.Context, now Now) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lifecycles := c.document.lifecycles(now)
	if c.body != nil && now.equalExceptLifecycles(c.now) && slices.Equal(lifecycles, c.lifecycles) {
		return c.body, nil
	}
	if err := client.Err(); err != nil {
		return nil, err
	}
	body := bytes.Clone(c.render(c.document, now)) // drop the buffer's spare capacity
	now.Lifecycle = nil
	c.now, c.lifecycles, c.body = now, lifecycles, body
	return c.body, nil
}

// equalExceptLifecycles reports whether two states are equal, apart from their lifecycles.
func (now Now) equalExceptLifecycles(other Now) bool {
	return now.Server == other.Server && now.Keyed == other.Keyed && now.Private == other.Private
}

// lifecycles returns the lifecycles of all operations, in the document's order, or nil if
// now.Lifecycle is nil.
func (d *Document) lifecycles(now Now) []lifecycle.Lifecycle {
	if now.Lifecycle == nil {
		return nil
	}
	all := []lifecycle.Lifecycle{}
	for o := range operations(d.root()) {
		all = append(all, now.Lifecycle(o.id))
	}
	return all
}
