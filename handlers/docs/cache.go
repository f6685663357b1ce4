package docs

import (
	"bytes"
	"slices"

	"example.com/petstore/handlers/sandbox/lifecycle"
)

// cache holds the most recent rendering of a document. Rendering takes about ten milliseconds, and
// most requests need the same result. A cache is not safe for concurrent use.
type cache struct {
	document *Document
	render   func(Now) ([]byte, error)

	now        Now // without Lifecycle, whose results are stored in lifecycles
	lifecycles []lifecycle.Lifecycle
	body       []byte // never changes; nil before the first rendering
}

// get returns the rendering of the document for the given state.
func (c *cache) get(now Now) ([]byte, error) {
	lifecycles := c.document.lifecycles(now)
	if c.body != nil && now.equalExceptLifecycles(c.now) && slices.Equal(lifecycles, c.lifecycles) {
		return c.body, nil
	}
	body, err := c.render(now)
	if err != nil {
		return nil, err
	}
	c.now, c.lifecycles, c.body = now, lifecycles, bytes.Clone(body) // drop the buffer's spare capacity
	c.now.Lifecycle = nil
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
	for operation := range operations(d.parse().Content[0]) {
		all = append(all, now.Lifecycle(child(operation, "operationId").Value))
	}
	return all
}
