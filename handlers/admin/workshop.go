package admin

import (
	"fmt"
	"net/http"

	"golang.org/x/time/rate"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// joinRate is the number of attendees that can join per second. joinBurst is the number that can
// join at the same time: many people join when the teacher shows them the address.
const (
	joinRate  = 10
	joinBurst = 100
)

// Workshop describes the server's workshop to the teacher.
type Workshop struct {
	registry.Door
	// The server's base URLs for other machines, best first, without a trailing slash; empty if
	// unknown.
	Addresses []string `json:"addresses"`
}

func (s *Server) workshopView(d registry.Door) Workshop {
	addresses := []string{}
	if s.Addresses != nil {
		addresses = append(addresses, s.Addresses()...)
	}
	return Workshop{d, addresses}
}

func (s *Server) getWorkshop(x *rest.Exchange) error {
	door, err := s.Sandboxes.Door()
	if err != nil {
		return err
	}
	return x.JSON(http.StatusOK, s.workshopView(door))
}

// Notice describes the server's workshop to clients without a key.
type Notice struct {
	Title    string `json:"title"`
	Open     bool   `json:"open"`
	Full     bool   `json:"full"`   // no more attendees can join
	Joined   int    `json:"joined"` // the number of sandboxes that attendees have
	Ended    bool   `json:"ended"`
	AdminKey bool   `json:"adminKey"` // the teacher's page requires the admin key
}

func (s *Server) getDoor(x *rest.Exchange) error {
	door, err := s.Sandboxes.Door()
	if err != nil {
		return err
	}
	return x.JSON(http.StatusOK, Notice{Title: door.Title, Open: door.Open, Full: door.Full(), Joined: door.Joined,
		Ended: door.Ended, AdminKey: s.Keyed})
}

var doorFields = field.Fields[registry.DoorChange]{
	field.Pointer("title", func(c *registry.DoorChange) **string { return &c.Title }, field.AnyText),
	field.Pointer("open", func(c *registry.DoorChange) **bool { return &c.Open }, field.Boolean),
	field.Pointer("limit", func(c *registry.DoorChange) **int { return &c.Limit }, field.Int),
}

// setWorkshop changes the workshop's settings. Missing fields keep their values.
func (s *Server) setWorkshop(x *rest.Exchange) error {
	change, err := rest.Read(x, doorFields, s.Sandboxes.CheckDoor)
	if err != nil {
		return err
	}
	if _, err := s.Sandboxes.Door(); err != nil {
		return err
	}
	return x.JSON(http.StatusOK, s.workshopView(s.Sandboxes.ChangeDoor(change)))
}

func (s *Server) endWorkshop(x *rest.Exchange) error {
	if _, err := s.Sandboxes.Door(); err != nil {
		return err
	}
	return x.JSON(http.StatusOK, s.workshopView(s.Sandboxes.EndWorkshop()))
}

// Attendee is the response to a request to join a workshop.
type Attendee struct {
	Sandbox   string `json:"sandbox"` // the sandbox's canonical name
	Title     string `json:"title"`   // the title from [registry.AttendeeName], or Sandbox if that is empty
	Key       string `json:"key"`     // the sandbox's key; no other response contains it
	URL       string `json:"url"`     // the service's URL in that sandbox, without a trailing slash
	Docs      string `json:"docs"`
	Dashboard string `json:"dashboard"`
}

var joinFields = field.Fields[string]{
	field.Required("name", func(name *string) *string { return name }, field.AnyText),
}

// join returns the handler that creates a sandbox for an attendee. The handler requires no key.
// Therefore, it limits the rate of requests, and accepts a request from a browser only if one of
// the server's own pages sent it.
func (s *Server) join() rest.Handler {
	limiter := rate.NewLimiter(joinRate, joinBurst)
	return func(x *rest.Exchange) error {
		if x.CheckSite() != nil {
			return rest.Forbidden("attendees join on the page of this server, not on that of another")
		}
		_, missing := s.Sandboxes.Door()
		if missing == nil {
			if err := s.Sandboxes.CanJoin(); err != nil {
				return err
			}
			if !limiter.AllowN(s.Sandboxes.Now(), 1) {
				return rest.Refuse("rate_limited",
					fmt.Sprintf("more than %d attendees join a second; try again in a moment", joinRate)).
					With("Retry-After", "1")
			}
		}
		name, err := rest.Read(x, joinFields, registry.CheckAttendee)
		switch {
		case err != nil:
			return err
		case missing != nil:
			return missing
		}
		sb, key, err := s.Sandboxes.Join(name)
		if err != nil {
			return err
		}
		base := x.BaseOf(sb.Name)
		x.SetHeader("Location", base+"/")
		return x.JSON(http.StatusCreated,
			Attendee{Sandbox: sb.Name, Title: sb.Title, Key: key, URL: base, Docs: base + "/docs/",
				Dashboard: base + "/"})
	}
}
