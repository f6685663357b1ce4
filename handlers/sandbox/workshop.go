package sandbox

import (
	"cmp"
	"container/heap"
	"crypto/rand"
	"errors"
	"time"

	"example.com/petstore/store/field"
)

// What the door of a workshop refuses.
var (
	ErrDoorClosed = errors.New("the door of the workshop is closed; ask the teacher to open it")
	ErrDoorFull   = errors.New("the workshop is full; ask the teacher to raise its limit")
	ErrEnded      = errors.New("the workshop has ended, and no sandbox is made until its door is open again")
)

// DefaultDoorLimit is how many can join a workshop, unless it is changed or there is no room
// for so many.
const DefaultDoorLimit = 60

// maxDoorTitle is how many characters the title of a room can have.
const maxDoorTitle = 100

// Door is that of a workshop, through which attendees get sandboxes.
type Door struct {
	Title  string // of the room
	Open   bool
	Limit  int  // of attendees
	Joined int  // sandboxes of attendees that there are
	Vacant bool // whether one of them can be given away: see [Sandbox.Vacant]
	Ended  bool // whether the day is over: no sandbox is made until the door is open again
}

// Full reports whether as many have joined as can, and no seat is vacant.
func (d *Door) Full() bool { return d.Joined >= d.Limit && !d.Vacant }

// vacantAfter is how long an attendee has for the first request before a full workshop gives the
// seat to another.
const vacantAfter = 2 * time.Minute

// Use says that a request of the sandbox's attendee has come, whose seat is not given away. It
// reports whether this is the first one.
func (s *Sandbox) Use() bool { return s.joined && s.used.CompareAndSwap(false, true) }

// Vacant reports whether the sandbox is the seat of an attendee of a workshop who took it at
// least two minutes ago and from whom no request has come.
func (s *Sandbox) Vacant() bool {
	return s.joined && !s.used.Load() && s.Clock.machine().Sub(s.created) >= vacantAfter
}

// vacantLocked returns the vacant seat that was taken longest ago. Nil means that there is none.
func (r *Registry) vacantLocked() *Sandbox {
	for len(r.seats) > 0 {
		switch sb := r.seats[0]; {
		case sb.used.Load():
			heap.Pop(&r.seats)
		case sb.Vacant():
			return sb
		default:
			return nil
		}
	}
	return nil
}

// DoorChange is a change of a door. What is nil stays as it is.
type DoorChange struct {
	Title *string
	Open  *bool
	Limit *int
}

// OpenDoor makes the server one of a workshop, whose door is open to as many as it has room
// for, [DefaultDoorLimit] at most unless the server is one of several.
func (r *Registry) OpenDoor() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.door = &Door{Open: true, Limit: r.max - 1}
	if r.options.Shard == "" {
		r.door.Limit = min(r.door.Limit, DefaultDoorLimit)
	}
}

// Door returns the door; false: there is no workshop.
func (r *Registry) Door() (Door, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.door == nil {
		return Door{}, false
	}
	return r.doorLocked(), true
}

// doorLocked returns the door of a workshop, which there must be.
func (r *Registry) doorLocked() Door {
	door := *r.door
	door.Vacant = r.vacantLocked() != nil
	return door
}

// CheckDoor returns everything that is wrong with a change of the door.
func (r *Registry) CheckDoor(c *DoorChange) (problems field.Problems) {
	if c.Title != nil {
		if wrong := field.CheckText(*c.Title, 0, maxDoorTitle); wrong != "" {
			problems.Add("/title", "%s", wrong)
		}
	}
	if most := r.max - 1; c.Limit != nil && (*c.Limit < 1 || *c.Limit > most) {
		problems.Add("/limit", "must be from 1 to %d, as many as --max-sandboxes leaves, not %d", most, *c.Limit)
	}
	return problems
}

// ChangeDoor changes the door of a workshop, which there must be, and returns it. The change
// has passed [Registry.CheckDoor].
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
	return r.doorLocked()
}

// EndWorkshop closes the door and drops every sandbox but the default one, for good: none
// is made until the door is open again. Those of another day start as those of a server that
// was started just now do, whatever the template was.
func (r *Registry) EndWorkshop() Door {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.template.Store(r.first)
	r.door.Open, r.door.Ended = false, true
	for _, sb := range r.sandboxes {
		if sb != r.def {
			r.dropLocked(sb)
		}
	}
	return *r.door
}

// Join makes a sandbox for an attendee of a workshop, which there must be, by the name that
// [AttendeeName] makes of theirs, which has passed [CheckAttendee], or that with a number
// behind it where it is taken, and returns its key, which nobody is told again. In a full
// workshop it takes the place of the vacant seat that was taken longest ago. The error is
// [ErrDoorClosed], [ErrDoorFull], [ErrLimit] or a [memory.Full].
func (r *Registry) Join(name string) (sb *Sandbox, key string, err error) {
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
	sb, err = r.addLocked(called, func(name Name) *Sandbox {
		sb := r.likeNew(name)
		sb.joined = true
		return sb
	})
	if err != nil {
		return nil, "", err
	}
	sb.Claim()
	r.seats.add(sb)
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
