package registry

import (
	"fmt"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/memory"
)

// CreateOptions specify how to create or reset a sandbox.
type CreateOptions struct {
	// Baseline is the new baseline, to which an existing sandbox is reset. If it is nil, a new or
	// fresh sandbox gets the template's baseline, and any other sandbox keeps its baseline and data.
	Baseline *sandbox.Baseline
	// Fresh means that an existing sandbox becomes like a new one, without snapshots and webhooks.
	Fresh bool
	// Key is a valid key for the sandbox; see [CheckKey]. "" removes the key and the privacy. If Key
	// is nil, the sandbox keeps its key.
	Key *string
	// Private is whether the sandbox becomes private. If it is nil, the sandbox keeps its privacy. A
	// sandbox that becomes private without a key gets a random one.
	Private *bool
	// Hold means that the registry does not drop the sandbox as idle until [Entry.Release].
	Hold bool
}

// Make creates the named sandbox if there is none, and reports whether it did. A new sandbox has
// its key from the start. Make claims the sandbox in either case. It returns the key that it sets,
// or "". A key cannot be read again later. The error is [sandbox.ErrBadName], [ErrShard],
// [ErrLimit], [ErrEnded] or [memory.ErrFull], or comes from [sandbox.Sandbox.Rebase].
func (r *Registry) Make(text string, o CreateOptions) (sb *Entry, made bool, key string, err error) {
	name, err := r.Options.Shard.parse(text)
	if err != nil {
		return nil, false, "", err
	}
	if err := r.reserveIfNew(name); err != nil {
		return nil, false, "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if sb, made, err = r.makeLocked(name, o); err != nil {
		return nil, false, "", err
	}
	if o.Hold {
		sb.holders.Add(1)
	}
	return sb, made, r.setKeyLocked(sb, o), nil
}

func (r *Registry) makeLocked(name sandbox.Name, o CreateOptions) (sb *Entry, made bool, err error) {
	sb, ok := r.sandboxes[name.Canonical]
	if !ok {
		sb = r.fromTemplate(name)
		if o.Baseline != nil {
			sb.SetBaseline(*o.Baseline)
			sb.Store.Reset()
		}
		sb.Claim()
		return sb, true, r.addLocked(sb)
	}
	sb.Claim()
	sb.Touch(sandbox.Machine())
	switch {
	case o.Fresh:
		template := r.templateOf(name.Canonical)
		if o.Baseline == nil {
			o.Baseline = new(template.Baseline())
		}
		sb.Renew(template, *o.Baseline)
	case o.Baseline != nil:
		err = sb.Rebase(*o.Baseline)
	}
	return sb, false, err
}

// Fork creates a copy of a sandbox; see [sandbox.Sandbox.Fork] or, if entry is not nil,
// [sandbox.Sandbox.ForkAt]. The error comes from ForkAt, or is [ErrUnknown], [ErrExists],
// [sandbox.ErrBadName], [ErrShard], [ErrLimit], [ErrEnded] or [memory.ErrFull].
func (r *Registry) Fork(from, to string, entry *int64) (*Entry, error) {
	fromName, err := r.Options.Shard.parse(from)
	if err != nil {
		return nil, err
	}
	toName, err := r.Options.Shard.parse(to)
	if err != nil {
		return nil, err
	}
	if err := r.reserve(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	source, err := r.findLocked(fromName)
	if err != nil {
		return nil, err
	}
	if _, ok := r.sandboxes[toName.Canonical]; ok {
		return nil, fmt.Errorf("%w: %q", ErrExists, to)
	}
	source.holders.Add(1) // so that the source is not evicted
	defer source.Release()
	var fork *sandbox.Sandbox
	if entry == nil {
		fork = source.Fork(toName)
	} else if fork, err = source.ForkAt(toName, *entry); err != nil {
		return nil, err
	}
	sb := newEntry(fork)
	sb.Claim()
	return sb, r.addLocked(sb)
}

// fromTemplate returns a new sandbox with the given name. The sandbox is a fork of the template.
func (r *Registry) fromTemplate(name sandbox.Name) *Entry {
	template := r.templateOf(name.Canonical)
	sb := template.Fork(name)
	sb.SetTemplate(template)
	return newEntry(sb)
}

// addLocked adds a new sandbox, whose name must not be in use. The error is [ErrEnded] or
// [ErrLimit].
func (r *Registry) addLocked(sb *Entry) error {
	if r.door != nil && r.door.Ended {
		return ErrEnded
	}
	evict, ok := r.roomLocked()
	if !ok {
		return ErrLimit
	}
	if evict != nil {
		r.dropLocked(evict)
		r.evicted++
	}
	if r.closed {
		sb.Finish(sandbox.ErrStopped) // as Close did for all other sandboxes
	}
	name := sandbox.Name{Canonical: sb.Name, Title: sb.Title}.Clone()
	sb.Name, sb.Title = name.Canonical, name.Title
	sb.registered.Store(true)
	r.sandboxes[sb.Name] = sb
	r.NoteChange()
	r.Events.Gather(sb.Journal, sb.Name)
	r.scheduleLocked()
	return nil
}

// Load loads a world into an acquired sandbox; see [sandbox.Sandbox.Load]. It then registers and
// claims the sandbox, and returns the registered one. If the world cannot be loaded into acquired,
// Load registers nothing. The error may also be that of [Registry.Register].
func (r *Registry) Load(acquired *Entry, w *sandbox.NewWorld) (*Entry, error) {
	if err := acquired.Load(w); err != nil {
		return nil, err
	}
	registered, err := r.Register(acquired)
	if err != nil {
		return nil, err
	}
	registered.Claim()
	registered.Touch(sandbox.Machine())
	if registered != acquired { // see Register
		err = registered.Load(w)
	}
	return registered, err
}

// reserve returns [memory.ErrFull] if there is no memory for a new sandbox. The caller must not
// hold mu, because reserve may wait for a garbage collection.
func (r *Registry) reserve() error {
	if err := r.Options.Memory.Reserve(memory.Sandbox, 0); err != nil {
		return err
	}
	r.Options.Memory.Release(memory.Sandbox) // the caller's sandbox is measured once it exists
	return nil
}

// reserveIfNew calls reserve unless the sandbox exists.
func (r *Registry) reserveIfNew(name sandbox.Name) error {
	r.mu.RLock()
	_, ok := r.sandboxes[name.Canonical]
	r.mu.RUnlock()
	if ok {
		return nil
	}
	return r.reserve()
}
