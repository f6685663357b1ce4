package handlers

import (
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/journal"
)

// streamEvents streams the changes to the sandbox's data.
func streamEvents(x *rest.Exchange) error {
	return x.StreamEvents(func(after int64) (*journal.Stream, error) { return x.Sandbox.Journal.Listen(after, false) })
}
