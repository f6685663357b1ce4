package docs

import (
	"bytes"
	"context"
	"slices"
	"sync"
)

// cache holds the most recent rendering of a document. Rendering takes about ten milliseconds, and
// most requests need the same result. A cache is safe for concurrent use. It runs one rendering at
// a time, because a rendering needs many times as much memory as the document.
type cache struct {
	document *Document
	render   func(*Document, Now) []byte

	mu     sync.Mutex // guards the fields below
	inputs []any      // what the rendering depends on
	body   []byte     // the latest rendering, whose bytes are never modified; nil before the first
}

// get returns the rendering of the document for the given state. If a rendering is necessary but the
// client has disconnected, get returns the context's error instead.
func (c *cache) get(client context.Context, now Now) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	inputs := []any{now.Server, now.Keyed, now.Private}
	if now.Lifecycle != nil {
		for o := range operations(c.document.root()) {
			inputs = append(inputs, now.Lifecycle(o.id))
		}
	}
	if c.body != nil && slices.Equal(inputs, c.inputs) {
		return c.body, nil
	}
	if err := client.Err(); err != nil {
		return nil, err
	}
	body := bytes.Clone(c.render(c.document, now)) // drop the buffer's spare capacity
	c.inputs, c.body = inputs, body
	return body, nil
}
