package registry

import (
	"cmp"
	"fmt"
	"time"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/memory"
)

// Kept is the data that a file of kept sandboxes stores about a sandbox in addition to its world.
type Kept struct {
	sandbox.Name
	Created time.Time `json:"createdAt,omitzero"`
	// Template is the template that a reset restores. [Registry.Restore] replaces nil with the origin.
	Template *sandbox.Sandbox `json:"-"`
	// Key is the digest of the sandbox's key, or nil.
	Key     *Digest `json:"key,omitzero"`
	Private bool    `json:"private,omitzero"`
	// Joined is whether the sandbox belongs to an attendee of a workshop.
	Joined bool `json:"joined,omitzero"`
	// Unused is whether the attendee has made no request yet; see [Entry.Vacant].
	Unused bool `json:"unused,omitzero"`
	// Unclaimed is whether the sandbox may be evicted; see [Entry.Claim].
	Unclaimed bool `json:"unclaimed,omitzero"`
	// Cleared is whether any fault rule from the server's flags was removed.
	Cleared bool `json:"cleared,omitzero"`
}

// Contents are the sandboxes and templates of a registry at one moment.
type Contents struct {
	Sandboxes []Member // sorted by name
	// Templates are all templates in use except the origin. A template that was changed comes after
	// the template as it was captured.
	Templates []*sandbox.Sandbox
	Template  *sandbox.Sandbox // the template for new sandboxes
	Door      *Door            // nil if there is no workshop
}

// Member is a sandbox in [Contents].
type Member struct {
	*Entry
	Template *sandbox.Sandbox // see [Kept]
}

// Contents returns the contents of the registry.
func (r *Registry) Contents() Contents {
	r.mu.RLock()
	defer r.mu.RUnlock()
	all := Contents{Template: r.template.Load()}
	seen := map[*sandbox.Sandbox]bool{r.origin: true}
	var add func(template *sandbox.Sandbox)
	add = func(template *sandbox.Sandbox) {
		if !seen[template] {
			seen[template] = true
			add(template.Template())
			all.Templates = append(all.Templates, template)
		}
	}
	for _, sb := range r.listLocked() {
		template := sb.Template()
		all.Sandboxes = append(all.Sandboxes, Member{sb, template})
		add(template)
	}
	add(all.Template)
	if r.door != nil {
		all.Door = new(*r.door)
	}
	return all
}

// Keep returns a sandbox's world and the other data to keep. It reads the key before and after the
// world, so that data written while the sandbox was private is never kept as public.
func (r *Registry) Keep(s Member) (Kept, sandbox.World) {
	owner := s.owner.Load()
	world := s.World()
	if later := s.owner.Load(); owner == nil || later != nil && later.private {
		owner = later
	}
	k := Kept{
		Name: sandbox.Name{Canonical: s.Name, Title: s.Title}, Created: s.Created, Template: s.Template,
		Joined: s.joined, Unused: s.joined && !s.used.Load(), Unclaimed: !s.claimed.Load(),
		Cleared: len(world.Faults.Base) < len(r.origin.Faults.Save().Base),
	}
	if owner != nil {
		k.Key, k.Private = &owner.key, owner.private
	}
	return k, world
}

// Restore adds a kept sandbox, or replaces the contents of the default one. The server must not
// have served any request yet. The error comes from [sandbox.Sandbox.Load], or is [ErrExists],
// [ErrLimit], [ErrShard], [sandbox.ErrBadName] or [memory.ErrFull]. Restored sandboxes may use all
// of [memory.Budget.Limit], because states that shared memory when they were kept no longer share
// it.
func (r *Registry) Restore(k *Kept, w *sandbox.NewWorld) error {
	if !sandbox.ValidName(k.Canonical) {
		return fmt.Errorf("%q %w", k.Canonical, sandbox.ErrBadName)
	}
	if s := r.Options.Shard; s != "" && k.Canonical != sandbox.Default && s.Check(k.Name) != nil {
		return fmt.Errorf("%w, %s", ErrShard, s) // without the advice of Check, which is for requests
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
	if m := r.Options.Memory; m != nil && m.Used() > m.Limit() {
		return memory.ErrFull
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if sb != r.def {
		if r.sandboxes[sb.Name] != nil {
			return fmt.Errorf("%w: %q", ErrExists, sb.Name)
		}
		if err := r.addLocked(sb); err != nil {
			return err
		}
	}
	sb.Created = k.Created
	if k.Key != nil {
		r.setOwnerLocked(sb, &Owner{key: *k.Key, private: k.Private})
		for n := range maxKey {
			r.lengths.add(n + 1) // the digest does not show the length
		}
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

// RestoreDoor sets the title, the limit and the state of the workshop's door from kept. It does
// nothing if the server has no workshop or if kept is nil. It reduces a limit above the number of
// sandboxes that the server has room for besides the default one to that number.
func (r *Registry) RestoreDoor(kept *Door) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.door == nil || kept == nil {
		return
	}
	r.door.Title, r.door.Open, r.door.Ended = kept.Title, kept.Open, kept.Ended
	r.door.Limit = min(kept.Limit, r.max-1)
}

// RestoreTemplate returns the template that k and w describe. Like every template, it refers to the
// template as it was captured, before any change; see [sandbox.Sandbox.Template]. That is k.Template,
// if it is not nil. Otherwise, it is the origin if ofOrigin is true, or else the returned template
// itself, which has not been changed. The error comes from [sandbox.Sandbox.Load].
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

// withOriginFaults adds the fault rules from this server's flags, unless they were cleared. A rule
// from the flags gets a new id if a kept rule has the same id.
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

// Changed returns a number that increases with every change of the kept data; see
// [Registry.NoteChange].
func (r *Registry) Changed() uint64 { return r.changes.Load() }

// NoteChange records that a sandbox was added, was dropped or may have changed. It must be called
// after the change.
func (r *Registry) NoteChange() { r.changes.Add(1) }
