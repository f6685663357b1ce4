package registry

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"time"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// Errors of a workshop.
var (
	ErrNoWorkshop = field.Refusal("not_found.workshop", "this server runs no workshop")
	ErrDoorClosed = field.Refusal("forbidden", "the door of the workshop is closed; ask the teacher to open it")
	ErrDoorFull   = field.Refusal("forbidden", "the workshop is full; ask the teacher to raise its limit")
	// ErrEnded may be returned wherever [ErrLimit] may.
	ErrEnded = field.Refusal("conflict", "the workshop has ended, and no sandbox is made until its door is open again")
)

// DefaultDoorLimit bounds the default maximum number of attendees; see [Registry.OpenDoor].
const DefaultDoorLimit = 60

// maxDoorTitle is the maximum length of a workshop's title, in characters.
const maxDoorTitle = 100

// Door describes a workshop. Attendees can join while the door is open and the workshop is not full.
type Door struct {
	Title  string `json:"title"` // the title of the workshop
	Open   bool   `json:"open"`
	Limit  int    `json:"limit"`  // the maximum number of attendees
	Joined int    `json:"joined"` // the number of sandboxes that attendees have
	Vacant bool   `json:"-"`      // whether an attendee's seat is vacant; see [Entry.Vacant]
	Ended  bool   `json:"ended"`  // whether the workshop has ended; no sandbox is created until the door opens again
}

// Full reports whether the limit is reached and no seat is vacant.
func (d *Door) Full() bool { return d.Joined >= d.Limit && !d.Vacant }

// vacantAfter is how long an attendee has to make their first request. After that, the seat may go
// to another attendee if the workshop is full.
const vacantAfter = 2 * time.Minute

// Vacant reports whether the sandbox belongs to an attendee who joined at least [vacantAfter] ago
// and has made no request.
func (e *Entry) Vacant() bool {
	return e.joined && !e.used.Load() && e.Clock.MachineAt(sandbox.Machine()).Sub(e.Created) >= vacantAfter
}

// vacantLocked returns the oldest sandbox that is vacant, or nil.
func (r *Registry) vacantLocked() *Entry {
	now := r.Now()
	var longest leastRecent
	for _, sb := range r.sandboxes {
		if sb.Vacant() {
			longest.add(sb, now.Sub(sb.Created))
		}
	}
	return longest.Entry
}

// DoorChange is a change of a door. A nil field changes nothing.
type DoorChange struct {
	Title *string
	Open  *bool
	Limit *int
}

// OpenDoor starts a workshop. The limit is the number of sandboxes that the server has room for
// besides the default one. Unless the server is one of several replicas, the limit is at most
// [DefaultDoorLimit].
func (r *Registry) OpenDoor() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.door = &Door{Open: true, Limit: r.max - 1}
	if r.Options.Shard == "" {
		r.door.Limit = min(r.door.Limit, DefaultDoorLimit)
	}
}

// Door returns the door, or [ErrNoWorkshop].
func (r *Registry) Door() (Door, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.door == nil {
		return Door{}, ErrNoWorkshop
	}
	return r.doorLocked(), nil
}

// doorLocked returns the door. There must be a workshop.
func (r *Registry) doorLocked() Door {
	door := *r.door
	door.Vacant = r.vacantLocked() != nil
	return door
}

// CheckDoor validates a change of the door.
func (r *Registry) CheckDoor(c *DoorChange) (problems field.Problems) {
	if c.Title != nil {
		if wrong := field.CheckText(*c.Title, 0, maxDoorTitle); wrong != "" {
			problems.Add("/title", "%s", wrong)
		}
	}
	if limit := r.max - 1; c.Limit != nil && (*c.Limit < 1 || *c.Limit > limit) {
		message := fmt.Sprint("must be from 1 to ", limit)
		problems = append(problems,
			field.Problem{Field: "/limit", Message: message, Code: "workshop_limit", Args: []any{*c.Limit}})
	}
	return problems
}

// ChangeDoor changes the door and returns it. There must be a workshop, and the change must be
// valid; see [Registry.CheckDoor].
func (r *Registry) ChangeDoor(c DoorChange) Door {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c.Title != nil {
		r.door.Title = *c.Title
	}
	if c.Limit != nil {
		r.door.Limit = *c.Limit
	}
	if c.Open != nil {
		r.door.Open = *c.Open
		r.door.Ended = r.door.Ended && !*c.Open
	}
	r.Events.PublishDoor()
	return r.doorLocked()
}

// EndWorkshop closes the door, drops every sandbox except the default one, and makes the origin the
// template. No sandbox is created until the door opens again. There must be a workshop.
func (r *Registry) EndWorkshop() Door {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.template.Store(r.origin)
	r.door.Open, r.door.Ended = false, true
	for _, sb := range r.sandboxes {
		if sb != r.def {
			r.dropLocked(sb)
		}
	}
	r.Events.PublishDoor()
	return *r.door
}

// Join creates a sandbox for an attendee. It returns the sandbox's key, which cannot be read again
// later. There must be a workshop, and the name must be valid; see [CheckAttendee]. The sandbox
// gets an unused name based on [AttendeeName]. In a full workshop, Join drops the oldest sandbox
// that is vacant. The error is [ErrDoorClosed], [ErrDoorFull], [ErrLimit] or a [memory.Full].
func (r *Registry) Join(name string) (sb *Entry, key string, err error) {
	if err := r.reserve(); err != nil {
		return nil, "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	vacant, err := r.admitLocked()
	if err != nil {
		return nil, "", err
	}
	if r.door.Joined >= r.door.Limit {
		r.dropLocked(vacant)
	}
	attendee := AttendeeName(name)
	attendee.Canonical = r.assignLocked(attendee.Canonical)
	attendee.Title = cmp.Or(attendee.Title, attendee.Canonical)
	sb = r.fromTemplate(attendee)
	sb.joined = true
	sb.Claim()
	if err := r.addLocked(sb); err != nil {
		return nil, "", err
	}
	r.door.Joined++
	return sb, r.setKeyLocked(sb, CreateOptions{Key: new(rand.Text())}), nil
}

// CanJoin returns the reason why attendees cannot join the workshop now, or nil. There must be a
// workshop.
func (r *Registry) CanJoin() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err := r.admitLocked()
	return err
}

// admitLocked returns the reason why attendees cannot join now, or nil and the oldest vacant
// sandbox, which [Registry.Join] drops if the workshop is full.
func (r *Registry) admitLocked() (vacant *Entry, err error) {
	vacant = r.vacantLocked()
	switch {
	case !r.door.Open:
		return nil, ErrDoorClosed
	case r.door.Joined >= r.door.Limit && vacant == nil:
		return nil, ErrDoorFull
	}
	return vacant, nil
}
