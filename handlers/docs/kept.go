package docs

import (
	"bytes"
	"slices"

	"example.com/petstore/handlers/sandbox"
)

// kept is a document with what was made of it last: it takes some ten milliseconds to make,
// and most who ask for it ask for the same. It is for one goroutine at a time.
type kept struct {
	document *Document
	render   func(Now) ([]byte, error)

	now        Now // without Lifecycle, of which lifecycles is all that it said
	lifecycles []sandbox.Lifecycle
	body       []byte // nobody changes it; nil: none was made
}

// get returns the document of this moment.
func (k *kept) get(now Now) ([]byte, error) {
	lifecycles := k.document.lifecycles(now)
	if k.body != nil && now.says(k.now) && slices.Equal(lifecycles, k.lifecycles) {
		return k.body, nil
	}
	body, err := k.render(now)
	if err != nil {
		return nil, err
	}
	k.now, k.lifecycles, k.body = now, lifecycles, bytes.Clone(body) // without room to grow
	k.now.Lifecycle = nil
	return k.body, nil
}

// says reports whether both say the same besides the lifecycles.
func (now Now) says(other Now) bool {
	return now.Server == other.Server && now.Keyed == other.Keyed && now.Private == other.Private
}

// lifecycles returns those of all operations, in the document's order.
func (d *Document) lifecycles(now Now) []sandbox.Lifecycle {
	if now.Lifecycle == nil {
		return nil
	}
	all := []sandbox.Lifecycle{}
	for operation := range operations(d.parse().Content[0]) {
		all = append(all, now.Lifecycle(child(operation, "operationId").Value))
	}
	return all
}
