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
	// The channel is closed by the next change of the owner. It is nil before the first wait.
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

// Use records a request by the sandbox's attendee, who then keeps the seat. It reports whether this
// is the first such request.
func (e *Entry) Use() bool { return e.joined && e.used.CompareAndSwap(false, true) }

// Touch records that the sandbox was used at the moment, which [sandbox.Machine] returned.
func (e *Entry) Touch(moment time.Time) { e.lastUsed.Store(e.Clock.MachineAt(moment).UnixMicro()) }

// LastUsed returns the time of the last use by the machine's clock; see [Entry.Touch].
func (e *Entry) LastUsed() time.Time { return time.UnixMicro(e.lastUsed.Load()).UTC() }

// idleFor returns the time since the last use. A request that began earlier may still be running.
func (e *Entry) idleFor(now time.Time) time.Duration { return now.Sub(e.LastUsed()) }

// Release releases a sandbox after [Registry.Acquire], or after [Registry.Make] with Hold.
func (e *Entry) Release() { e.holders.Add(-1) }
