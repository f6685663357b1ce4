package petstoretest

import (
	"errors"

	"example.com/petstore/handlers/sandbox"
)

// Workshop returns the door of the workshop. Without Config.Workshop there is none, which
// ends the test, as it does in the methods below.
func (s *Server) Workshop() Door {
	s.t.Helper()
	door, ok := s.core.service.Sandboxes().Door()
	if !ok {
		s.must(errors.New("the server runs no workshop; set Config.Workshop"))
	}
	return door
}

// SetTitle says what the title of the room is, which is shown where attendees join: up to 100
// characters in UTF-8.
func (s *Server) SetTitle(title string) {
	s.t.Helper()
	s.changeDoor(sandbox.DoorChange{Title: &title})
}

// SetWorkshop opens or closes the door, and says how many attendees can join: from 1 to as many
// as Config.MaxSandboxes leaves beside the default sandbox. To open it after [Server.EndWorkshop] begins another day.
func (s *Server) SetWorkshop(open bool, limit int) {
	s.t.Helper()
	s.changeDoor(sandbox.DoorChange{Open: &open, Limit: &limit})
}

func (s *Server) changeDoor(change sandbox.DoorChange) {
	s.t.Helper()
	s.Workshop()
	sandboxes := s.core.service.Sandboxes()
	s.mustNot("workshop", sandboxes.CheckDoor(&change))
	sandboxes.ChangeDoor(change)
}

// EndWorkshop closes the door, drops every sandbox but the default one, and drops the
// template. None can be made until the door is open again.
func (s *Server) EndWorkshop() {
	s.t.Helper()
	s.Workshop()
	s.core.service.Sandboxes().EndWorkshop()
}

// Join makes a sandbox for an attendee, whose name, of up to 200 characters, it has as far as
// that can be typed, and returns it with its key. A closed door ends the test, and so does a full workshop. The
// sandbox stays until it is dropped, the day ends or the server stops.
func (s *Server) Join(name string) (attendee *Sandbox, key string) {
	s.t.Helper()
	s.Workshop()
	s.mustNot("attendee", sandbox.CheckAttendee(name))
	sb, key, err := s.core.service.Sandboxes().Join(name)
	s.must(err)
	return s.core.sandbox(s.t, sb), key
}
