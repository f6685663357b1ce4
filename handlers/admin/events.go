package admin

import (
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/journal"
)

// streamEvents streams the sandbox's changes and requests. For a request for all sandboxes, it
// streams those of every sandbox.
func (s *Server) streamEvents(x *rest.Exchange) error {
	if x.Everywhere() {
		return x.StreamEvents(s.Sandboxes.Events.Listen)
	}
	return x.StreamEvents(func(after int64) (*journal.Stream, error) { return x.Sandbox.Journal.Listen(after, true) })
}
