package sandbox

import "fmt"

// Enter returns the sandbox of the name, made now if it is new, with its idle
// time stopped until [Sandbox.Leave]. The error is [ErrBadName] or [ErrLimit].
func (r *Registry) Enter(name string) (*Sandbox, error) {
	sb, err := r.Visit(name)
	if err != nil {
		return nil, err
	}
	return r.Keep(sb)
}

// Visit is Enter for a request that may yet be refused: a new sandbox serves that
// request alone until [Registry.Keep]. Else whoever knows no key could fill the
// server with sandboxes.
func (r *Registry) Visit(name string) (*Sandbox, error) {
	if name == "" || name == Default {
		return r.def.enter(), nil
	}
	r.mu.RLock()
	sb, ok := r.sandboxes[name]
	if ok {
		sb.enter() // under the lock, so that a sweep does not take it away in between
	}
	full := len(r.sandboxes) >= r.max
	r.mu.RUnlock()
	switch {
	case ok:
		return sb, nil
	case !ValidName(name):
		return nil, fmt.Errorf("%q %w", name, ErrBadName)
	case full && !r.makeRoom():
		return nil, ErrLimit
	}
	return r.likeNew(name).enter(), nil
}

// makeRoom drops what has been idle for too long, and reports whether there is
// room then.
func (r *Registry) makeRoom() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweepLocked()
	return len(r.sandboxes) < r.max
}

// Keep keeps the sandbox of a visit under its name and returns it, or the one that
// another request has made meanwhile. The error is [ErrLimit].
func (r *Registry) Keep(visited *Sandbox) (*Sandbox, error) {
	if visited.kept.Load() {
		return visited, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if sb, ok := r.sandboxes[visited.Name]; ok {
		return sb.enter(), nil
	}
	return r.addLocked(visited.Name, func(name string) *Sandbox {
		visited.Name = name
		return visited
	})
}
