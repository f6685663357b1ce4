package petstoretest

import (
	"errors"

	"example.com/petstore/handlers/registry"
)

// Everywhere calls change for every sandbox, including the default one, like a request under
// /sandboxes/*. It first calls change for the template, so that new sandboxes start with the
// change:
//
//	srv.Everywhere(func(s *petstoretest.Sandbox) { s.SetTime(then); s.ClearFaults() })
//
// The template has no URL and nothing to undo, and it cannot be dropped, forked, renewed or given a
// key. To do one of these to all sandboxes, range over [Server.Sandboxes]. If change fails the test
// for the template, nothing is changed. If change fails the test for a sandbox, the remaining ones
// are not changed.
//
// change must change only its argument, and must not retain it. If another goroutine changes or
// replaces the template meanwhile, Everywhere calls change again for the new template. If change
// itself changes the template, by Everywhere, [Server.SetTemplate] or a request under /sandboxes/*,
// the test fails. Everywhere skips sandboxes that are dropped meanwhile.
func (s *Server) Everywhere(change func(*Sandbox)) {
	s.t.Helper()
	if change == nil {
		s.must(errors.New("Everywhere needs a function that changes a sandbox, not nil"))
	}
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
