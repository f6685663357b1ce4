package registry

import (
	"fmt"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/memory"
)

// Acquire returns the named sandbox and keeps it from being dropped as idle until
// [Entry.Release]. A missing sandbox is created for this caller only, until [Registry.Register];
// otherwise clients without a key could fill the server with sandboxes.
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

// HasRoom reports whether a new sandbox could be registered now.
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
	return len(r.sandboxes) < r.max || r.disposableLocked() != nil
}

// Register keeps an acquired sandbox under its name and returns it, or the one that was registered
// under that name in the meantime. Until it is claimed, it may be evicted (see [Entry.Claim]).
// The error is [ErrLimit] or [memory.ErrFull].
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

// Hold is [Registry.Make] without a baseline. The sandbox is not dropped as idle until
// [Entry.Release]. The error is [sandbox.ErrBadName], [ErrLimit] or [memory.ErrFull].
func (r *Registry) Hold(text string) (sb *Entry, made bool, err error) {
	name, err := r.options.Shard.parse(text)
	if err != nil {
		return nil, false, err
	}
	if err := r.reserveUnlessThere(name); err != nil {
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

// CreateOptions describe a sandbox to create or change.
type CreateOptions struct {
	Baseline *sandbox.Baseline // replaces the baseline and makes the sandbox like new; nil keeps the baseline, or uses that of new sandboxes
	Fresh    bool              // makes an existing sandbox like a new one, without snapshots and webhooks
}

// Make creates the named sandbox unless it exists, and reports whether it did. An existing one is
// claimed. If a baseline is given, the sandbox gets it and is like new in either case. The error is
// [sandbox.ErrBadName], [ErrLimit] or [memory.ErrFull].
func (r *Registry) Make(text string, w CreateOptions) (sb *Entry, made bool, err error) {
	sb, made, _, err = r.MakeOwned(text, w, Ownership{})
	return sb, made, err
}

// MakeOwned is Make with a change of the key, effective from the sandbox's first moment. It returns
// a new key, which cannot be read again later, or "" if there is none.
func (r *Registry) MakeOwned(text string, w CreateOptions, o Ownership) (sb *Entry, made bool, key string, err error) {
	name, err := r.options.Shard.parse(text)
	if err != nil {
		return nil, false, "", err
	}
	if err := r.reserveUnlessThere(name); err != nil {
		return nil, false, "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if sb, made, err = r.makeLocked(name, w); err != nil {
		return nil, false, "", err
	}
	return sb, made, r.ownLocked(sb, o), nil
}

func (r *Registry) makeLocked(name sandbox.Name, w CreateOptions) (sb *Entry, made bool, err error) {
	sb, ok := r.sandboxes[name.Canonical]
	if !ok {
		sb, err = r.addClaimedLocked(name, func(name sandbox.Name) *Entry {
			sb := r.fromTemplate(name)
			if w.Baseline != nil {
				sb.SetBaseline(*w.Baseline)
				sb.Store.Reset()
			}
			return sb
		})
		return sb, err == nil, err
	}
	sb.Claim()
	sb.Touch()
	if w.Fresh {
		template := r.templateOf(name.Canonical)
		sb.SetTemplate(template)
		sb.Snapshots.Reset()
		sb.Webhooks.Reset()
		if w.Baseline == nil {
			w.Baseline = new(template.Baseline())
		}
	}
	if w.Baseline != nil {
		err = sb.Rebase(*w.Baseline)
	}
	return sb, false, err
}

// Fork creates a copy of a sandbox; see [sandbox.Sandbox.Fork] and, unless entry is nil,
// [sandbox.Sandbox.ForkAt]. The error is one of ForkAt's, [ErrUnknown], [ErrExists],
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
	source.holders.Add(1) // so that the source itself is not evicted
	defer source.Release()
	var fork *sandbox.Sandbox
	if entry == nil {
		fork = source.Fork(toName.Clone())
	} else if fork, err = source.ForkAt(toName.Clone(), *entry); err != nil {
		return nil, err
	}
	return r.addClaimedLocked(toName, func(sandbox.Name) *Entry { return newEntry(fork) })
}

// fromTemplate returns a new sandbox with the name, made from its template.
func (r *Registry) fromTemplate(name sandbox.Name) *Entry {
	template := r.templateOf(name.Canonical)
	sb := template.Fork(name)
	sb.SetTemplate(template)
	return newEntry(sb)
}

// addClaimedLocked is addLocked with [Entry.Claim].
func (r *Registry) addClaimedLocked(name sandbox.Name, make func(sandbox.Name) *Entry) (*Entry, error) {
	sb, err := r.addLocked(name, make)
	if err == nil {
		sb.Claim()
	}
	return sb, err
}

// addLocked adds a new sandbox, whose name must not be taken.
func (r *Registry) addLocked(name sandbox.Name, make func(sandbox.Name) *Entry) (*Entry, error) {
	if r.door != nil && r.door.Ended {
		return nil, ErrEnded
	}
	if !r.makeRoomLocked() {
		return nil, ErrLimit
	}
	sb := make(name.Clone())
	if r.closed {
		sb.Finish(sandbox.ErrStopped) // like all others after Close
	}
	sb.registered.Store(true)
	r.sandboxes[sb.Name] = sb
	r.NoteChange()
	r.events.Gather(sb.Journal, sb.Name)
	r.scheduleLocked()
	return sb, nil
}

// Load is [sandbox.Sandbox.Load] for an acquired sandbox, which it registers and claims: a world
// that cannot be loaded leaves no new sandbox behind. It returns the registered sandbox. The error
// may also be [ErrLimit] or [memory.ErrFull].
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
	if registered != acquired { // another request has registered one first
		err = registered.Load(w)
	}
	return registered, err
}

// reserve reserves the memory of a new sandbox, or returns [memory.ErrFull]. It is called without
// mu, because it may have to measure the memory in use.
func (r *Registry) reserve() error {
	if err := r.options.Memory.Reserve(memory.Sandbox); err != nil {
		return err
	}
	r.options.Memory.Release(memory.Sandbox) // from now on, the sandbox's memory is measured
	return nil
}

// reserveUnlessThere calls reserve unless the sandbox exists.
func (r *Registry) reserveUnlessThere(name sandbox.Name) error {
	r.mu.RLock()
	_, ok := r.sandboxes[name.Canonical]
	r.mu.RUnlock()
	if ok {
		return nil
	}
	return r.reserve()
}
