package petstoretest

import "example.com/petstore/handlers/registry"

// Workshop returns the state of the workshop. Without Config.Workshop, all methods for the workshop
// fail the test.
func (s *Server) Workshop() Door {
	s.t.Helper()
	door, err := s.core.service.Sandboxes().Door()
	s.must(err)
	return door
}

// SetTitle sets the workshop's title, which attendees see when they join. A title has up to 100
// characters in UTF-8.
func (s *Server) SetTitle(title string) {
	s.t.Helper()
	s.changeDoor(registry.DoorChange{Title: &title})
}

// SetWorkshop opens or closes the workshop to attendees, and sets the maximum number of attendees:
// from 1 to Config.MaxSandboxes minus 1 for the default sandbox. Opening the workshop after
// [Server.EndWorkshop] starts another one.
func (s *Server) SetWorkshop(open bool, limit int) {
	s.t.Helper()
	s.changeDoor(registry.DoorChange{Open: &open, Limit: &limit})
}

func (s *Server) changeDoor(change registry.DoorChange) {
	s.t.Helper()
	s.Workshop()
	sandboxes := s.core.service.Sandboxes()
	s.mustNot("workshop", sandboxes.CheckDoor(&change))
	sandboxes.ChangeDoor(change)
}

// EndWorkshop closes the workshop and drops the template and every sandbox except the default one.
// No sandbox can be created until the workshop is opened again.
func (s *Server) EndWorkshop() {
	s.t.Helper()
	s.Workshop()
	s.core.service.Sandboxes().EndWorkshop()
}

// Join creates a sandbox for an attendee and returns it with its key. The sandbox is named after
// the attendee, in Latin letters, digits and hyphens. The attendee's name may have up to 200
// characters. If the workshop is closed or full, the test fails. The sandbox lasts until it is
// dropped, the workshop ends or the server stops.
func (s *Server) Join(name string) (attendee *Sandbox, key string) {
	s.t.Helper()
	s.Workshop()
	s.mustNot("attendee", registry.CheckAttendee(&name))
	sb, key, err := s.core.service.Sandboxes().Join(name)
	s.must(err)
	return s.core.sandbox(s.t, sb), key
}
