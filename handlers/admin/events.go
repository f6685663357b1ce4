package admin

import "example.com/petstore/handlers/rest"

// streamEvents tells what changes in the sandbox and who asked it for what.
func (s *Server) streamEvents(x *rest.Exchange) error { return x.StreamEvents(true) }
