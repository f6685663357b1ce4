package sandbox

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/memory"
)

// Kept is what a file keeps of a sandbox besides its world.
type Kept struct {
	Name
	Created time.Time
	// Template is where a reset returns to. Nil means what the server starts with.
	Template *Sandbox
	// Key is the digest of the sandbox's key. Nil means that it has none.
	Key       *Digest
	Private   bool
	Joined    bool // whether an attendee of a workshop has it
	Unused    bool // whether no request of that attendee has come; see [Sandbox.Vacant]
	Unclaimed bool // whether it may make room for others; see [Sandbox.Claim]
	// Cleared means that fault rules are gone that every sandbox starts with.
	Cleared bool
}

// Inventory is what a registry has at one moment.
type Inventory struct {
	Sandboxes []Stocked  // by name
	Templates []*Sandbox // that they and Template were made of, each behind the one that it was taken as
	Template  *Sandbox   // of new sandboxes; nil: they are as the server was started
}

// Stocked is a sandbox of an [Inventory].
type Stocked struct {
	*Sandbox
	Template                  *Sandbox // as in [Kept]
	Joined, Unused, Unclaimed bool
}

// Inventory returns all that the registry has.
func (r *Registry) Inventory() Inventory {
	r.mu.RLock()
	defer r.mu.RUnlock()
	all := Inventory{Template: r.addedTemplate(r.template.Load())}
	seen := make(map[*Sandbox]bool)
	add := func(template *Sandbox) {
		if template == nil || seen[template] {
			return
		}
		seen[template] = true
		if taken := r.addedTemplate(template.start.Load()); taken != nil && !seen[taken] {
			seen[taken] = true
			all.Templates = append(all.Templates, taken)
		}
		all.Templates = append(all.Templates, template)
	}
	for _, sb := range r.sandboxes {
		all.Sandboxes = append(all.Sandboxes, Stocked{
			Sandbox: sb, Template: r.addedTemplate(sb.start.Load()),
			Joined: sb.joined, Unused: sb.joined && !sb.used.Load(), Unclaimed: sb.heap != nil && !sb.claimed.Load(),
		})
	}
	slices.SortFunc(all.Sandboxes, func(a, b Stocked) int { return cmp.Compare(a.Name, b.Name) })
	for _, sb := range all.Sandboxes {
		add(sb.Template)
	}
	add(all.Template)
	return all
}

// addedTemplate returns the template, or nil if the server started with it.
func (r *Registry) addedTemplate(template *Sandbox) *Sandbox {
	if template == r.fresh || template == r.first {
		return nil
	}
	return template
}

// TakenAs returns the template as it was taken, of which changes made this one, or itself. Nil
// means what the server starts with.
func (r *Registry) TakenAs(template *Sandbox) *Sandbox { return r.addedTemplate(template.start.Load()) }

// Keep returns the world of the sandbox and what else is kept of it. The key is not older than
// the world, so that data which was only ever private is not kept as public.
func (r *Registry) Keep(s *Stocked) (Kept, World) {
	world := s.World()
	k := Kept{
		Name: Name{s.Name, s.Title}, Created: s.created, Template: s.Template,
		Joined: s.Joined, Unused: s.Unused, Unclaimed: s.Unclaimed,
		Cleared: len(world.Faults.Base) < len(r.fresh.Faults.Save().Base),
	}
	if o := s.owner.Load(); o != nil {
		k.Key, k.Private = &o.key, o.private
	}
	return k, world
}

// Restore adds a sandbox that was kept, or replaces the default one. It is for a server that has
// answered nothing yet. The error is one of [Sandbox.Enter], [ErrExists], [ErrLimit], [ErrShard],
// [ErrBadName] or a [memory.Full].
func (r *Registry) Restore(k *Kept, w *NewWorld) error {
	if name, err := r.options.Shard.parse(k.Canonical); err != nil && k.Canonical != Default || name.Canonical != k.Canonical {
		return cmp.Or(err, fmt.Errorf("%q %w", k.Canonical, ErrBadName))
	}
	sb := r.def
	if k.Canonical != Default {
		sb = r.first.fork(k.Name)
		sb.start.Store(cmp.Or(k.Template, r.first))
	}
	r.withStartFaults(&w.Faults, k.Cleared)
	if err := sb.Enter(w); err != nil {
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
		if _, err := r.addLocked(k.Name, func(Name) *Sandbox { return sb }); err != nil {
			return err
		}
	}
	sb.created = k.Created
	if k.Key != nil {
		r.setOwnerLocked(sb, &Owner{key: *k.Key, private: k.Private})
	}
	if k.Joined && r.door != nil {
		sb.joined = true
		r.door.Joined++
		sb.used.Store(!k.Unused)
		if k.Unused {
			r.seats.add(sb)
		}
	}
	switch {
	case !k.Unclaimed || sb == r.def:
		sb.Claim()
	case sb.Store.View() == sb.Store.Baseline():
		r.unchanged.add(sb)
	default:
		r.changed.add(sb)
	}
	return nil
}

// RestoreTemplate returns a template that was kept. takenAs is the one that changes made it of;
// nil, if ofStart, is what the server starts with, and else itself.
func (r *Registry) RestoreTemplate(k *Kept, ofStart bool, w *NewWorld) (*Sandbox, error) {
	template := r.first.fork(k.Name)
	r.withStartFaults(&w.Faults, k.Cleared)
	if err := template.Enter(w); err != nil {
		return nil, err
	}
	switch {
	case k.Template != nil:
		template.start.Store(k.Template)
	case !ofStart:
		template.start.Store(template)
	}
	return template, nil
}

// UseTemplate makes a restored template that of new sandboxes.
func (r *Registry) UseTemplate(template *Sandbox) { r.setTemplate(template) }

// withStartFaults adds the rules that sandboxes of this server start with, unless they were
// cleared. Where one of the others has the id of such a rule, that gets another one.
func (r *Registry) withStartFaults(saved *fault.Saved, cleared bool) {
	if cleared {
		return
	}
	taken := make(map[int64]bool)
	for _, rule := range saved.Rules {
		taken[rule.ID] = true
	}
	saved.Base = r.fresh.Faults.Save().Base
	for i := range saved.Base {
		rule := &saved.Base[i]
		if rule.Applied = 0; taken[rule.ID] {
			rule.ID = saved.Next
		}
		saved.Next = max(saved.Next, rule.ID+1)
	}
}

// Memory returns the budget of the process; nil: it has no bound.
func (r *Registry) Memory() *memory.Budget { return r.options.Memory }

// Changed returns a number that grows with every change of what a file keeps; see
// [Registry.NoteChange].
func (r *Registry) Changed() uint64 { return r.changes.Load() }

// NoteChange says that a sandbox may have changed, or that there is another one or one less. It
// is called after the change.
func (r *Registry) NoteChange() { r.changes.Add(1) }
