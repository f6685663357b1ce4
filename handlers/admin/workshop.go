package admin

import (
	"fmt"
	"net/http"

	"golang.org/x/time/rate"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// How many attendees can join: in a second, and at once, which a room does when the address
// is shown.
const (
	joinRate  = 10
	joinBurst = 100
)

// Workshop is the door of a workshop.
type Workshop struct {
	Title     string   `json:"title"` // of the room
	Open      bool     `json:"open"`
	Limit     int      `json:"limit"`     // of attendees
	Joined    int      `json:"joined"`    // attendees whose sandboxes there are
	Ended     bool     `json:"ended"`     // whether the day is over, so that no sandbox can be made
	Addresses []string `json:"addresses"` // of the server, by which other machines reach it, best first, without a slash at their ends; none: none is known
}

func (s *Server) tellDoor(d sandbox.Door) Workshop {
	addresses := []string{}
	if s.Addresses != nil {
		addresses = append(addresses, s.Addresses()...)
	}
	return Workshop{Title: d.Title, Open: d.Open, Limit: d.Limit, Joined: d.Joined, Ended: d.Ended, Addresses: addresses}
}

// noWorkshop is the answer of a server that is not one of a workshop.
func noWorkshop() error {
	return rest.Refuse("not_found", "this server runs no workshop; start it with --workshop")
}

func (s *Server) getWorkshop(x *rest.Exchange) error {
	door, ok := s.Sandboxes.Door()
	if !ok {
		return noWorkshop()
	}
	return x.JSON(http.StatusOK, s.tellDoor(door))
}

// Notice is what the door says to anybody.
type Notice struct {
	Title    string `json:"title"` // of the room
	Open     bool   `json:"open"`
	Full     bool   `json:"full"`     // whether as many have joined as can
	Ended    bool   `json:"ended"`    // whether the day is over
	AdminKey bool   `json:"adminKey"` // whether the wall wants the admin key
}

func (s *Server) getDoor(x *rest.Exchange) error {
	door, ok := s.Sandboxes.Door()
	if !ok {
		return noWorkshop()
	}
	return x.JSON(http.StatusOK, Notice{Title: door.Title, Open: door.Open, Full: door.Full(), Ended: door.Ended, AdminKey: s.Keyed})
}

var doorFields = field.Fields[sandbox.DoorChange]{
	field.Pointer("title", func(c *sandbox.DoorChange) **string { return &c.Title }, field.AnyText),
	field.Pointer("open", func(c *sandbox.DoorChange) **bool { return &c.Open }, field.Boolean),
	field.Pointer("limit", func(c *sandbox.DoorChange) **int { return &c.Limit }, field.Int),
}

// setWorkshop changes the door. What is left out stays as it is.
func (s *Server) setWorkshop(x *rest.Exchange) error {
	change, err := rest.Read(x, doorFields, s.Sandboxes.CheckDoor)
	if _, ok := s.Sandboxes.Door(); !ok && err == nil {
		return noWorkshop()
	}
	if err != nil {
		return err
	}
	return x.JSON(http.StatusOK, s.tellDoor(s.Sandboxes.ChangeDoor(change)))
}

func (s *Server) endWorkshop(x *rest.Exchange) error {
	if _, ok := s.Sandboxes.Door(); !ok {
		return noWorkshop()
	}
	return x.JSON(http.StatusOK, s.tellDoor(s.Sandboxes.EndWorkshop()))
}

// Attendee is what an attendee of a workshop gets.
type Attendee struct {
	Sandbox   string `json:"sandbox"` // its canonical name
	Title     string `json:"title"`   // the attendee's name, as it was typed
	Key       string `json:"key"`     // of the sandbox, told here and never again
	URL       string `json:"url"`     // of the service there, without a slash at its end
	Docs      string `json:"docs"`
	Dashboard string `json:"dashboard"`
}

// joinRequest is who joins.
type joinRequest struct{ name string }

var joinFields = field.Fields[joinRequest]{
	field.Required("name", func(r *joinRequest) *string { return &r.name }, field.AnyText),
}

// join makes a sandbox for an attendee, who knows no key: so it is for the server's own
// page, and programs, and so many a second.
func (s *Server) join() rest.Handler {
	limiter := rate.NewLimiter(joinRate, joinBurst)
	return func(x *rest.Exchange) error {
		if err := x.CheckSite(); err != nil {
			return rest.Forbidden("attendees join on the page of this server, not on that of another: " + err.Error())
		}
		_, there := s.Sandboxes.Door()
		if err := s.Sandboxes.CanJoin(); there && err != nil {
			return err
		}
		if there && !limiter.AllowN(s.Sandboxes.Now(), 1) {
			return rest.Refuse("rate_limited", fmt.Sprintf("more than %d attendees join a second; try again in a moment", joinRate)).With("Retry-After", "1")
		}
		request, err := rest.Read(x, joinFields, func(r *joinRequest) field.Problems { return sandbox.CheckAttendee(r.name) })
		switch {
		case err != nil:
			return err
		case !there:
			return noWorkshop()
		}
		sb, key, err := s.Sandboxes.Join(request.name)
		if err != nil {
			return err
		}
		base := x.BaseOf(sb.Name)
		x.SetHeader("Location", base+"/")
		return x.JSON(http.StatusCreated, Attendee{Sandbox: sb.Name, Title: sb.Title, Key: key, URL: base, Docs: base + "/docs/", Dashboard: base + "/"})
	}
}
