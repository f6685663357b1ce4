package registry

import (
	"fmt"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/memory"
)

// Acquire returns the named sandbox. Until [Entry.Release], the registry neither evicts the sandbox
// nor drops it as idle. If there is no such sandbox, Acquire creates one that only this caller sees
// until [Registry.Register]. Acquire does not register the new sandbox itself, because clients
// without a key could then fill the server with sandboxes.
func (r *Registry) Acquire(name sandbox.Name) *Entry {
	r.mu.RLock()
	sb, ok := r.sandboxes[name.Canonical]
	if ok {
		sb.holders.Add(1) // under the lock, so that a sweep cannot drop it first
	}
	r.mu.RUnlock()
	if !ok {
		sb = r.fromTemplate(name)
		sb.holders.Add(1)
	}
	return sb
}

// HasRoom reports whether the maximum number of sandboxes allows a new one now, after an eviction
// if necessary.
func (r *Registry) HasRoom() bool {
	r.mu.RLock()
	room := len(r.sandboxes) < r.max
	r.mu.RUnlock()
	if room {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweepLocked()
	return len(r.sandboxes) < r.max || r.evictionCandidateLocked() != nil
}

// Register registers an acquired sandbox under its name. It returns the registered sandbox, which
// is a different one if another was registered under that name in the meantime, or if the template
// was replaced. Until the sandbox is claimed, it may be evicted; see [Entry.Claim]. The error is
// [ErrLimit] or [memory.ErrFull].
func (r *Registry) Register(acquired *Entry) (*Entry, error) {
	if acquired.Registered() {
		return acquired, nil
	}
	if err := r.reserve(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if sb, ok := r.sandboxes[acquired.Name]; ok {
		sb.holders.Add(1)
		return sb, nil
	}
	name := sandbox.Name{Canonical: acquired.Name, Title: acquired.Title}
	return r.addLocked(name, func(name sandbox.Name) *Entry {
		if acquired.Template() != r.templateOf(name.Canonical) { // the template has changed in the meantime
			acquired = r.fromTemplate(name)
			acquired.holders.Add(1)
		}
		acquired.Name, acquired.Title = name.Canonical, name.Title
		return acquired
	})
}

// Hold is like [Registry.Make] with the zero CreateOptions. Until [Entry.Release], the registry
// does not drop the sandbox as idle. The error is [sandbox.ErrBadName], [ErrLimit] or
// [memory.ErrFull].
func (r *Registry) Hold(text string) (sb *Entry, made bool, err error) {
	name, err := r.options.Shard.parse(text)
	if err != nil {
		return nil, false, err
	}
	if err := r.reserveIfNew(name); err != nil {
		return nil, false, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if sb, made, err = r.makeLocked(name, CreateOptions{}); err != nil {
		return nil, false, err
	}
	sb.holders.Add(1)
	return sb, made, nil
}

// CreateOptions specify how to create or reset a sandbox.
type CreateOptions struct {
	// Baseline is the new baseline, to which an existing sandbox is reset. If it is nil, a new or
	// fresh sandbox gets the template's baseline, and any other sandbox keeps its baseline and data.
	Baseline *sandbox.Baseline
	// Fresh means that an existing sandbox becomes like a new one, without snapshots and webhooks.
	Fresh bool
}

// Make creates the named sandbox if there is none, and reports whether it did. It claims the
// sandbox in either case. The error is [sandbox.ErrBadName], [ErrLimit] or [memory.ErrFull], or
// comes from [sandbox.Sandbox.Rebase].
func (r *Registry) Make(text string, options CreateOptions) (sb *Entry, made bool, err error) {
	sb, made, _, err = r.MakeOwned(text, options, Ownership{})
	return sb, made, err
}

// MakeOwned is like Make, but also changes the key and the privacy. A new sandbox has its key from
// the start. MakeOwned returns the key that it sets, or "". A key cannot be read again later.
func (r *Registry) MakeOwned(text string, options CreateOptions,
	o Ownership) (sb *Entry, made bool, key string, err error) {
	name, err := r.options.Shard.parse(text)
	if err != nil {
		return nil, false, "", err
	}
	if err := r.reserveIfNew(name); err != nil {
		return nil, false, "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if sb, made, err = r.makeLocked(name, options); err != nil {
		return nil, false, "", err
	}
	return sb, made, r.applyOwnershipLocked(sb, o), nil
}

func (r *Registry) makeLocked(name sandbox.Name, options CreateOptions) (sb *Entry, made bool, err error) {
	sb, ok := r.sandboxes[name.Canonical]
	if !ok {
		sb, err = r.addClaimedLocked(name, func(name sandbox.Name) *Entry {
			sb := r.fromTemplate(name)
			if options.Baseline != nil {
				sb.SetBaseline(*options.Baseline)
				sb.Store.Reset()
			}
			return sb
		})
		return sb, err == nil, err
	}
	sb.Claim()
	sb.Touch()
	if options.Fresh {
		template := r.templateOf(name.Canonical)
		sb.SetTemplate(template)
		sb.Snapshots.Reset()
		sb.Webhooks.Reset()
		if options.Baseline == nil {
			options.Baseline = new(template.Baseline())
		}
	}
	if options.Baseline != nil {
		err = sb.Rebase(*options.Baseline)
	}
	return sb, false, err
}

// Fork creates a copy of a sandbox; see [sandbox.Sandbox.Fork] or, if entry is not nil,
// [sandbox.Sandbox.ForkAt]. The error comes from ForkAt, or is [ErrUnknown], [ErrExists],
// [sandbox.ErrBadName], [ErrLimit] or [memory.ErrFull].
func (r *Registry) Fork(from, to string, entry *int64) (*Entry, error) {
	fromName, err := r.options.Shard.parse(from)
	if err != nil {
		return nil, err
	}
	toName, err := r.options.Shard.parse(to)
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
		fork = source.Fork(toName.Clone())
	} else if fork, err = source.ForkAt(toName.Clone(), *entry); err != nil {
		return nil, err
	}
	return r.addClaimedLocked(toName, func(sandbox.Name) *Entry { return newEntry(fork) })
}

// fromTemplate returns a new sandbox with the given name. The sandbox is a fork of the template.
func (r *Registry) fromTemplate(name sandbox.Name) *Entry {
	template := r.templateOf(name.Canonical)
	sb := template.Fork(name)
	sb.SetTemplate(template)
	return newEntry(sb)
}

// addClaimedLocked is addLocked followed by [Entry.Claim].
func (r *Registry) addClaimedLocked(name sandbox.Name, make func(sandbox.Name) *Entry) (*Entry, error) {
	sb, err := r.addLocked(name, make)
	if err == nil {
		sb.Claim()
	}
	return sb, err
}

// addLocked adds the sandbox that the function make returns. The name must not be in use.
func (r *Registry) addLocked(name sandbox.Name, make func(sandbox.Name) *Entry) (*Entry, error) {
	if r.door != nil && r.door.Ended {
		return nil, ErrEnded
	}
	if !r.makeRoomLocked() {
		return nil, ErrLimit
	}
	sb := make(name.Clone())
	if r.closed {
		sb.Finish(sandbox.ErrStopped) // as Close did for all other sandboxes
	}
	sb.registered.Store(true)
	r.sandboxes[sb.Name] = sb
	r.NoteChange()
	r.events.Gather(sb.Journal, sb.Name)
	r.scheduleLocked()
	return sb, nil
}

// Load loads a world into an acquired sandbox; see [sandbox.Sandbox.Load]. It then registers and
// claims the sandbox, and returns the registered one. If the world cannot be loaded into acquired,
// Load registers nothing. The error may also be [ErrLimit] or [memory.ErrFull].
func (r *Registry) Load(acquired *Entry, w *sandbox.NewWorld) (*Entry, error) {
	if err := acquired.Load(w); err != nil {
		return nil, err
	}
	registered, err := r.Register(acquired)
	if err != nil {
		return nil, err
	}
	registered.Claim()
	registered.Touch()
	if registered != acquired { // see Register
		err = registered.Load(w)
	}
	return registered, err
}

// reserve returns [memory.ErrFull] if there is no memory for a new sandbox. The caller must not
// hold mu, because reserve may have to measure the memory in use.
func (r *Registry) reserve() error {
	if err := r.options.Memory.Reserve(memory.Sandbox); err != nil {
		return err
	}
	r.options.Memory.Release(memory.Sandbox) // from now on, the sandbox's memory is measured
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
