package registry

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/memory"
)

// Kept is the data of a sandbox in a kept file, besides its world.
type Kept struct {
	sandbox.Name
	Created time.Time
	// Template is where a reset returns to. Nil means the origin.
	Template *sandbox.Sandbox
	// Key is the digest of the sandbox's key, or nil.
	Key       *Digest
	Private   bool
	Joined    bool // belongs to an attendee of a workshop
	Unused    bool // that attendee has not made a request; see [Entry.Vacant]
	Unclaimed bool // may be evicted; see [Entry.Claim]
	// Cleared means that fault rules of the server's flags have been removed.
	Cleared bool
}

// Inventory is the contents of a registry at one moment.
type Inventory struct {
	Sandboxes []Stocked          // sorted by name
	Templates []*sandbox.Sandbox // of the sandboxes and of Template, each after the one that it was taken as
	Template  *sandbox.Sandbox   // of new sandboxes; nil if it is the origin
}

// Stocked is a sandbox in an [Inventory].
type Stocked struct {
	*Entry
	Template                  *sandbox.Sandbox // as in [Kept]
	Joined, Unused, Unclaimed bool
}

// Inventory returns the contents of the registry.
func (r *Registry) Inventory() Inventory {
	r.mu.RLock()
	defer r.mu.RUnlock()
	all := Inventory{Template: r.addedTemplate(r.template.Load())}
	seen := make(map[*sandbox.Sandbox]bool)
	add := func(template *sandbox.Sandbox) {
		if template == nil || seen[template] {
			return
		}
		seen[template] = true
		if taken := r.addedTemplate(template.Template()); taken != nil && !seen[taken] {
			seen[taken] = true
			all.Templates = append(all.Templates, taken)
		}
		all.Templates = append(all.Templates, template)
	}
	for _, sb := range r.sandboxes {
		all.Sandboxes = append(all.Sandboxes, Stocked{
			Entry: sb, Template: r.addedTemplate(sb.Template()),
			Joined: sb.joined, Unused: sb.joined && !sb.used.Load(), Unclaimed: !sb.claimed.Load(),
		})
	}
	slices.SortFunc(all.Sandboxes, func(a, b Stocked) int { return cmp.Compare(a.Name, b.Name) })
	for _, sb := range all.Sandboxes {
		add(sb.Template)
	}
	add(all.Template)
	return all
}

// addedTemplate returns the template, or nil if it is the origin.
func (r *Registry) addedTemplate(template *sandbox.Sandbox) *sandbox.Sandbox {
	if template == r.origin {
		return nil
	}
	return template
}

// TakenAs returns the template that changes have turned into this one, or the template itself. Nil
// means the origin.
func (r *Registry) TakenAs(template *sandbox.Sandbox) *sandbox.Sandbox {
	return r.addedTemplate(template.Template())
}

// Keep returns the sandbox's world and its other kept data. The key is read before and after the
// world, so that data written while the sandbox was private is not kept as public.
func (r *Registry) Keep(s *Stocked) (Kept, sandbox.World) {
	owner := s.owner.Load()
	world := s.World()
	if later := s.owner.Load(); owner == nil || later != nil && later.private {
		owner = later
	}
	k := Kept{
		Name: sandbox.Name{Canonical: s.Name, Title: s.Title}, Created: s.Created, Template: s.Template,
		Joined: s.Joined, Unused: s.Unused, Unclaimed: s.Unclaimed,
		Cleared: len(world.Faults.Base) < len(r.origin.Faults.Save().Base),
	}
	if owner != nil {
		k.Key, k.Private = &owner.key, owner.private
	}
	return k, world
}

// Restore adds a kept sandbox, or replaces the default one. The server must not have served any
// request yet. The error is one of [sandbox.Sandbox.Load], [ErrExists], [ErrLimit], [ErrShard],
// [sandbox.ErrBadName] or a [memory.Full].
func (r *Registry) Restore(k *Kept, w *sandbox.NewWorld) error {
	if name, err := r.options.Shard.parse(k.Canonical); err != nil && k.Canonical != sandbox.Default || name.Canonical != k.Canonical {
		return cmp.Or(err, fmt.Errorf("%q %w", k.Canonical, sandbox.ErrBadName))
	}
	sb := r.def
	if k.Canonical != sandbox.Default {
		sb = newEntry(r.origin.Fork(k.Name))
		sb.SetTemplate(cmp.Or(k.Template, r.origin))
	}
	r.withOriginFaults(&w.Faults, k.Cleared)
	if err := sb.Load(w); err != nil {
		return err
	}
	if err := r.reserve(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if sb != r.def {
		if r.sandboxes[sb.Name] != nil {
			return fmt.Errorf("%w: %q", ErrExists, sb.Name)
		}
		if _, err := r.addLocked(k.Name, func(sandbox.Name) *Entry { return sb }); err != nil {
			return err
		}
	}
	sb.Created = k.Created
	if k.Key != nil {
		r.setOwnerLocked(sb, &Owner{key: *k.Key, private: k.Private})
	}
	if k.Joined && r.door != nil {
		sb.joined = true
		r.door.Joined++
		sb.used.Store(!k.Unused)
	}
	if !k.Unclaimed {
		sb.Claim()
	}
	return nil
}

// RestoreTemplate returns a kept template. takenAs is the template that changes have turned into
// it. If takenAs is nil, that is the origin if ofOrigin is set, and otherwise the template itself.
func (r *Registry) RestoreTemplate(k *Kept, ofOrigin bool, w *sandbox.NewWorld) (*sandbox.Sandbox, error) {
	template := r.origin.Fork(k.Name)
	r.withOriginFaults(&w.Faults, k.Cleared)
	if err := template.Load(w); err != nil {
		return nil, err
	}
	switch {
	case k.Template != nil:
		template.SetTemplate(k.Template)
	case !ofOrigin:
		template.SetTemplate(template)
	}
	return template, nil
}

// UseTemplate makes a restored template that of new sandboxes.
func (r *Registry) UseTemplate(template *sandbox.Sandbox) { r.setTemplate(template) }

// withOriginFaults adds the fault rules of this server's flags, unless they were cleared. If another
// rule already has the id of such a rule, that one gets a new id.
func (r *Registry) withOriginFaults(saved *fault.Saved, cleared bool) {
	if cleared {
		return
	}
	taken := make(map[int64]bool)
	for _, rule := range saved.Rules {
		taken[rule.ID] = true
	}
	saved.Base = r.origin.Faults.Save().Base
	for i := range saved.Base {
		rule := &saved.Base[i]
		if rule.Applied = 0; taken[rule.ID] {
			rule.ID = saved.Next
		}
		saved.Next = max(saved.Next, rule.ID+1)
	}
}

// Memory returns the memory budget of the process. Nil means no bound.
func (r *Registry) Memory() *memory.Budget { return r.options.Memory }

// Changed returns a number that grows with every change of what is kept; see [Registry.NoteChange].
func (r *Registry) Changed() uint64 { return r.changes.Load() }

// NoteChange records that a sandbox may have changed, or was added or dropped. It must be called
// after the change.
func (r *Registry) NoteChange() { r.changes.Add(1) }
