package petstoretest

import (
	"errors"

	"example.com/petstore/handlers/sandbox"
)

// Everywhere calls change for every sandbox that exists, the default one too, as a request
// under /sandboxes/* does. It calls it for the template first, so that sandboxes made later
// start with what all got:
//
//	srv.Everywhere(func(s *petstoretest.Sandbox) { s.SetTime(then); s.ClearFaults() })
//
// The template is no sandbox that could be asked for anything: it has no URL, nothing to
// undo, and cannot be dropped, forked, renewed or given a key. For what it does not need or
// cannot do, range over [Server.Sandboxes]. Where change ends the test, the template and the
// sandboxes that come later stay as they were.
//
// change may change nothing but the sandbox that it is given, which is for that call alone: it
// is called again for the template where another goroutine has changed or replaced that
// meanwhile. Where it does so itself, by Everywhere, [Server.SetTemplate] or a request under
// /sandboxes/*, the test ends. Sandboxes that are dropped meanwhile are passed over.
func (s *Server) Everywhere(change func(*Sandbox)) {
	s.t.Helper()
	if change == nil {
		s.must(errors.New("Everywhere needs a function that changes a sandbox, not nil"))
	}
	sandboxes := s.core.service.Sandboxes()
	s.must(sandboxes.ChangeTemplate(func(template *sandbox.Sandbox) error {
		change(&Sandbox{Name: template.Name, Title: template.Title, t: s.t, core: s.core, sandbox: template, everywhere: true})
		return nil
	}))
	for _, sb := range s.Sandboxes() {
		if sb.everywhere = true; sb.there() {
			change(sb)
		}
	}
}
