package petstoretest

import (
	"errors"
	"fmt"
)

// SetTemplate makes a copy of a sandbox, as it is now, what new sandboxes of the server are
// forks of: they start with its data, clock, faults and lifecycles, and return to them when
// they are reset. Sandboxes that exist do not change, nor does the default one. A sandbox of
// another server ends the test.
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

// Template returns the name of the sandbox that the template is a copy of, which is empty
// if new sandboxes are fresh, and the data that they start with.
func (s *Server) Template() (from string, data *State) {
	template := s.core.service.Sandboxes().Template()
	return template.Name, template.Store.View()
}

// DropTemplate makes new sandboxes fresh again.
func (s *Server) DropTemplate() { s.core.service.Sandboxes().DropTemplate() }
