package sandbox

// Acquire returns the named sandbox and keeps it from being dropped as idle until
// [Sandbox.Release]. A missing sandbox is created for this caller only, until [Registry.Register];
// otherwise clients without a key could fill the server with sandboxes.
func (r *Registry) Acquire(name Name) *Sandbox {
	r.mu.RLock()
	sb, ok := r.sandboxes[name.Canonical]
	if ok {
		sb.hold() // under the lock, so that a sweep cannot drop it first
	}
	r.mu.RUnlock()
	if !ok {
		sb = r.fromTemplate(name)
		sb.hold()
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
// under that name in the meantime. Until it is claimed, it may be evicted (see [Sandbox.Claim]).
// The error is [ErrLimit] or [memory.ErrFull].
func (r *Registry) Register(acquired *Sandbox) (*Sandbox, error) {
	if acquired.Registered() {
		return acquired, nil
	}
	if err := r.reserve(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if sb, ok := r.sandboxes[acquired.Name]; ok {
		sb.hold()
		return sb, nil
	}
	name := Name{acquired.Name, acquired.Title}
	return r.addLocked(name, func(name Name) *Sandbox {
		if acquired.start.Load() != r.templateOf(name.Canonical) { // the template has changed in the meantime
			acquired = r.fromTemplate(name)
			acquired.hold()
		}
		acquired.Name, acquired.Title = name.Canonical, name.Title
		return acquired
	})
}

// Hold is [Registry.Make] without a baseline. The sandbox is not dropped as idle until
// [Sandbox.Release]. The error is [ErrBadName], [ErrLimit] or [memory.ErrFull].
func (r *Registry) Hold(text string) (sb *Sandbox, made bool, err error) {
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
	sb.hold()
	return sb, made, nil
}
