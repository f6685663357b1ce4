package petstoretest

import "example.com/petstore/handlers/sandbox"

// Everywhere calls change for every sandbox that exists, the default one too, as a request
// under /sandboxes/* does. It calls it for the template first, so that sandboxes made later
// start with what all got:
//
//	srv.Everywhere(func(s *petstoretest.Sandbox) { s.SetTime(then); s.ClearFaults() })
//
// The template is no sandbox that could be asked for anything: it has no URL, and nothing to
// undo. For changes that it does not need, range over [Server.Sandboxes]. Where change ends
// the test, the template and the sandboxes that come later stay as they were.
func (s *Server) Everywhere(change func(*Sandbox)) {
	s.t.Helper()
	sandboxes := s.core.service.Sandboxes()
	s.must(sandboxes.ChangeTemplate(func(template *sandbox.Sandbox) error {
		change(&Sandbox{Name: template.Name, Title: template.Title, t: s.t, core: s.core, sandbox: template, template: true})
		return nil
	}))
	for _, sb := range s.Sandboxes() {
		change(sb)
	}
}
