package petstoretest

import (
	"errors"
	"fmt"
)

// SetTemplate makes a copy of a sandbox the template for new sandboxes. New sandboxes start with
// the template's data, clock, faults and lifecycles, and a reset restores these. Existing sandboxes
// and the default one do not change. If from belongs to another server, the test fails.
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

// Template returns the data that new sandboxes start with, and the name of the sandbox that the
// template was copied from. Without a template, the name is "".
func (s *Server) Template() (from string, data *State) {
	template := s.core.service.Sandboxes().Template()
	return template.Name, template.Store.View()
}

// DropTemplate makes new sandboxes start with the server's initial state again.
func (s *Server) DropTemplate() { s.core.service.Sandboxes().DropTemplate() }
