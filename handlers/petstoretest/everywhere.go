package petstoretest

import (
	"errors"

	"example.com/petstore/handlers/registry"
)

// Everywhere calls change for every sandbox, including the default one, like a request under
// /sandboxes/*. It first calls it for the template, so that later sandboxes start with the change:
//
//	srv.Everywhere(func(s *petstoretest.Sandbox) { s.SetTime(then); s.ClearFaults() })
//
// The template has no URL and nothing to undo, and it cannot be dropped, forked, renewed or given a
// key. To do that in the other sandboxes, range over [Server.Sandboxes]. If change ends the test,
// the template and the remaining sandboxes are not changed.
//
// change must only change the sandbox that it is given, and must not keep it: it is called again
// for the template if another goroutine has changed or replaced that in the meantime. If change
// itself does that, by Everywhere, [Server.SetTemplate] or a request under /sandboxes/*, the test
// ends. Sandboxes that are dropped in the meantime are skipped.
func (s *Server) Everywhere(change func(*Sandbox)) {
	s.t.Helper()
	if change == nil {
		s.must(errors.New("Everywhere needs a function that changes a sandbox, not nil"))
	}
	sandboxes := s.core.service.Sandboxes()
	s.must(sandboxes.ChangeTemplate(func(template *registry.Entry) error {
		change(&Sandbox{Name: template.Name, Title: template.Title, t: s.t, core: s.core, sandbox: template, everywhere: true})
		return nil
	}))
	for _, sb := range s.Sandboxes() {
		if sb.everywhere = true; sb.there() {
			change(sb)
		}
	}
}
