package handlers

import "example.com/petstore/handlers/rest"

// streamEvents tells what changes in the sandbox, as it changes.
func streamEvents(x *rest.Exchange) error { return x.StreamEvents(false) }
