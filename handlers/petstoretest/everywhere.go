package petstoretest

import (
	"fmt"

	"example.com/petstore/handlers/registry"
)

// Everywhere calls change for every sandbox, including the default one, like a request under
// /sandboxes/*. It first calls change for the template, so that new sandboxes start with the
// change:
//
//	srv.Everywhere(func(s *petstoretest.Sandbox) { s.SetTime(then); s.ClearFaults() })
//
// The template has no URL and nothing to undo, and it cannot be dropped, forked, renewed or given a
// key. For such a change of all sandboxes, range over [Server.Sandboxes]. If change fails the test
// for the template, nothing is changed. If change fails the test for a sandbox, the remaining ones
// are not changed.
//
// change must change only its argument, and must not retain it. If another goroutine changes or
// replaces the template meanwhile, Everywhere calls change again for the new template. If change
// itself changes the template, by Everywhere, [Server.SetTemplate] or a request under /sandboxes/*,
// the test fails. Everywhere skips sandboxes that are dropped meanwhile.
func (s *Server) Everywhere(change func(*Sandbox)) {
	s.t.Helper()
	sandboxes := s.core.service.Sandboxes()
	s.must(sandboxes.ChangeTemplate(func(template *registry.Entry) error {
		change(&Sandbox{Name: template.Name, Title: template.Title, t: s.t, core: s.core, sandbox: template,
			everywhere: true})
		return nil
	}))
	for _, sb := range s.Sandboxes() {
		if sb.everywhere = true; sb.there() {
			change(sb)
		}
	}
}

// SetTemplate makes a copy of a sandbox the template for new sandboxes. New sandboxes start with
// the template's data, clock, faults and lifecycles, and a reset restores these. Existing sandboxes
// and the default one do not change. If from belongs to another server, the test fails.
func (s *Server) SetTemplate(from *Sandbox) {
	s.t.Helper()
	if from.core != s.core {
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
