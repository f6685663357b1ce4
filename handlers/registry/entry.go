package registry

import (
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/sandbox"
)

// Entry is a sandbox in a registry, with its key and the time of its last use. It is safe for
// concurrent use.
type Entry struct {
	*sandbox.Sandbox

	registered atomic.Bool  // whether the sandbox was registered; never becomes false again
	claimed    atomic.Bool  // whether eviction is forbidden; never becomes false again
	holders    atomic.Int64 // the number of running requests, streams and tests
	lastUsed   atomic.Int64 // by the machine's clock, in microseconds, because nanoseconds cannot express every year

	joined bool        // whether the sandbox belongs to a workshop's attendee; set before registration
	used   atomic.Bool // whether the attendee has made a request; never becomes false again

	owner atomic.Pointer[Owner] // nil if the sandbox has no key; changed while the registry's mu is held
	// The channel that the next change of the owner closes. The pointer is nil before the first wait.
	ownerChange atomic.Pointer[chan struct{}]
}

// newEntry returns an entry for the sandbox, last used now.
func newEntry(sb *sandbox.Sandbox) *Entry {
	e := &Entry{Sandbox: sb}
	e.Touch(sandbox.Machine())
	return e
}

// Registered reports whether the sandbox has been registered, even if it has been dropped since.
func (e *Entry) Registered() bool { return e.registered.Load() }

// Claim protects the sandbox from eviction. The registry still drops it once it has been idle for
// the registry's ttl.
func (e *Entry) Claim() { e.claimed.Store(true) }

// Use records a request by the sandbox's attendee. After that, the sandbox is not vacant; see
// [Entry.Vacant]. Use reports whether this is the first such request.
func (e *Entry) Use() bool { return e.joined && e.used.CompareAndSwap(false, true) }

// Touch records that the sandbox was used at the given moment, which must come from
// [sandbox.Machine].
func (e *Entry) Touch(moment time.Time) { e.lastUsed.Store(e.Clock.MachineAt(moment).UnixMicro()) }

// LastUsed returns the time of the last use, according to the machine's clock; see [Entry.Touch].
func (e *Entry) LastUsed() time.Time { return time.UnixMicro(e.lastUsed.Load()).UTC() }

// idleFor returns the time since the last use. A request that began earlier may still be running.
func (e *Entry) idleFor(now time.Time) time.Duration { return now.Sub(e.LastUsed()) }

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

// Register registers an acquired sandbox under its name. It returns the registered sandbox, which
// is a different one if another was registered under that name in the meantime, or if the template
// was replaced. The caller must release the returned sandbox instead of the acquired one. After
// that, the sandbox may be evicted unless it is claimed; see [Entry.Claim]. The error is
// [ErrLimit], [ErrEnded] or [memory.ErrFull].
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
	if acquired.Template() != r.templateOf(acquired.Name) { // the template has changed in the meantime
		acquired = r.fromTemplate(sandbox.Name{Canonical: acquired.Name, Title: acquired.Title})
		acquired.holders.Add(1)
	}
	if err := r.addLocked(acquired); err != nil {
		return nil, err
	}
	return acquired, nil
}

// Release releases a sandbox after [Registry.Acquire], or after [Registry.Make] with Hold.
func (e *Entry) Release() { e.holders.Add(-1) }
