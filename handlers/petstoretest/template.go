package petstoretest

import (
	"errors"
	"fmt"
)

// SetTemplate makes a copy of a sandbox's current state the template of new sandboxes. They start
// with its data, clock, faults and lifecycles, and a reset restores those. Existing sandboxes and
// the default one do not change. A sandbox of another server fails the test.
func (s *Server) SetTemplate(from *Sandbox) {
	s.t.Helper()
	switch {
	case from == nil:
		s.must(errors.New("SetTemplate needs a sandbox, not nil"))
	case from.core != s.core:
		s.must(fmt.Errorf("SetTemplate: the sandbox %q belongs to another server", from.Name))
	}
	_, err := s.core.service.Sandboxes().TakeTemplate(from.mustName("SetTemplate"))
	s.must(err)
}

// Template returns the name of the sandbox that the template was copied from, or "" without a
// template, and the data that new sandboxes start with.
func (s *Server) Template() (from string, data *State) {
	template := s.core.service.Sandboxes().Template()
	return template.Name, template.Store.View()
}

// DropTemplate makes new sandboxes start with the server's initial state again.
func (s *Server) DropTemplate() { s.core.service.Sandboxes().DropTemplate() }
