package registry

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"time"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// Errors of a workshop's door.
var (
	ErrDoorClosed = field.Refusal("forbidden", "the door of the workshop is closed; ask the teacher to open it")
	ErrDoorFull   = field.Refusal("forbidden", "the workshop is full; ask the teacher to raise its limit")
	ErrEnded      = field.Refusal("conflict", "the workshop has ended, and no sandbox is made until its door is open again")
)

// DefaultDoorLimit is the most attendees of a workshop, unless it is changed or the server has room
// for fewer.
const DefaultDoorLimit = 60

// maxDoorTitle is the most characters of a workshop's title.
const maxDoorTitle = 100

// Door lets the attendees of a workshop in.
type Door struct {
	Title  string // of the workshop
	Open   bool
	Limit  int  // the most attendees
	Joined int  // the sandboxes of attendees
	Vacant bool // one of them can be given away; see [Entry.Vacant]
	Ended  bool // the day is over: no sandbox is created until the door opens again
}

// Full reports whether the limit is reached and no seat is vacant.
func (d *Door) Full() bool { return d.Joined >= d.Limit && !d.Vacant }

// vacantAfter is the time in which an attendee must make a first request, before a full workshop
// gives the seat to another.
const vacantAfter = 2 * time.Minute

// Vacant reports whether the sandbox is the seat of an attendee who joined at least two minutes ago
// and has not made a request.
func (e *Entry) Vacant() bool {
	return e.joined && !e.used.Load() && e.Clock.MachineAt(sandbox.Machine()).Sub(e.Created) >= vacantAfter
}

// vacantLocked returns the vacant seat that was taken longest ago, or nil.
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

// DoorChange is a change of a door. Nil fields leave it as it is.
type DoorChange struct {
	Title *string
	Open  *bool
	Limit *int
}

// OpenDoor starts a workshop. Its limit is [DefaultDoorLimit] or, unless the server is a shard,
// what the server has room for, if that is less.
func (r *Registry) OpenDoor() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.door = &Door{Open: true, Limit: r.max - 1}
	if r.options.Shard == "" {
		r.door.Limit = min(r.door.Limit, DefaultDoorLimit)
	}
}

// Door returns the door, or false without a workshop.
func (r *Registry) Door() (Door, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.door == nil {
		return Door{}, false
	}
	return r.doorLocked(), true
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
	if most := r.max - 1; c.Limit != nil && (*c.Limit < 1 || *c.Limit > most) {
		message := fmt.Sprint("must be from 1 to ", most)
		problems = append(problems, field.Problem{Field: "/limit", Message: message, Code: "workshop_limit", Args: []any{*c.Limit}})
	}
	return problems
}

// ChangeDoor changes the door and returns it. There must be a workshop, and the change must have
// passed [Registry.CheckDoor].
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
	r.events.PublishDoor()
	return r.doorLocked()
}

// EndWorkshop closes the door and drops every sandbox except the default one. None is created until
// the door opens again. Those of another day start with the origin, whatever the template
// was.
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
	r.events.PublishDoor()
	return *r.door
}

// Join creates a sandbox for an attendee and returns its key, which cannot be read again later.
// There must be a workshop, and the name must have passed [CheckAttendee]. The sandbox is named by
// [AttendeeName], with a number if that name is taken. In a full workshop it replaces the vacant
// seat that was taken longest ago. The error is [ErrDoorClosed], [ErrDoorFull], [ErrLimit] or a
// [memory.Full].
func (r *Registry) Join(name string) (sb *Entry, key string, err error) {
	if err := r.reserve(); err != nil {
		return nil, "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.admitLocked(); err != nil {
		return nil, "", err
	}
	if r.door.Joined >= r.door.Limit {
		r.dropLocked(r.vacantLocked())
	}
	called := AttendeeName(name)
	called.Canonical = r.assignLocked(called.Canonical)
	called.Title = cmp.Or(called.Title, called.Canonical)
	sb, err = r.addClaimedLocked(called, func(name sandbox.Name) *Entry {
		sb := r.fromTemplate(name)
		sb.joined = true
		return sb
	})
	if err != nil {
		return nil, "", err
	}
	r.door.Joined++
	key = rand.Text()
	return sb, r.ownLocked(sb, Ownership{Key: &key}), nil
}

// CanJoin returns why nobody can join the workshop now, or nil.
func (r *Registry) CanJoin() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.door == nil {
		return ErrDoorClosed
	}
	return r.admitLocked()
}

func (r *Registry) admitLocked() error {
	switch door := r.doorLocked(); {
	case !door.Open:
		return ErrDoorClosed
	case door.Full():
		return ErrDoorFull
	}
	return nil
}
