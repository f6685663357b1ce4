package sandbox

// Acquire returns the sandbox of the name, which does not go for being idle until
// [Sandbox.Release]. One that is not there is made for who asked alone, until
// [Registry.Register]: else whoever knows no key could fill the server with sandboxes.
func (r *Registry) Acquire(name Name) *Sandbox {
	r.mu.RLock()
	sb, ok := r.sandboxes[name.Canonical]
	if ok {
		sb.hold() // under the lock, so that a sweep does not take it away in between
	}
	r.mu.RUnlock()
	if !ok {
		sb = r.likeNew(name)
		sb.hold()
	}
	return sb
}

// HasRoom reports whether a sandbox that is not there could be registered now.
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

// Register keeps an acquired sandbox under its name and returns it, or the one that
// somebody else has registered meanwhile. Until it is claimed it may make room for
// another (see [Sandbox.Claim]). The error is [ErrLimit] or [memory.ErrFull].
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
	sb, err := r.addLocked(name, func(name Name) *Sandbox {
		if acquired.start.Load() != r.templateOf(name.Canonical) { // which has changed meanwhile
			acquired = r.likeNew(name)
			acquired.hold()
		}
		acquired.Name, acquired.Title = name.Canonical, name.Title
		return acquired
	})
	if err == nil {
		r.unchanged.add(sb)
	}
	return sb, err
}

// Hold does what [Registry.Make] does without a baseline. The sandbox does not go for
// being idle until [Sandbox.Release]. The error is [ErrBadName], [ErrLimit] or [memory.ErrFull].
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
	if sb, made, err = r.makeLocked(name, Wish{}); err != nil {
		return nil, false, err
	}
	sb.hold()
	return sb, made, nil
}
