package registry

import (
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/sandbox"
)

// Entry is a sandbox with what its registry knows about it. It is safe for concurrent use.
type Entry struct {
	*sandbox.Sandbox

	registered atomic.Bool  // never becomes false again
	claimed    atomic.Bool  // never becomes false again
	holders    atomic.Int64 // running requests, streams and tests
	lastUsed   atomic.Int64 // machine time in microseconds, which covers every year

	joined bool        // belongs to a workshop's attendee; set before registration
	used   atomic.Bool // the attendee has made a request; never becomes false again

	owner       atomic.Pointer[Owner]         // nil without a key; changed under the registry's mu
	ownerChange atomic.Pointer[chan struct{}] // closed by the next change of the owner; nil if no request waits for it
}

// newEntry returns the entry of a sandbox that is used now.
func newEntry(sb *sandbox.Sandbox) *Entry {
	e := &Entry{Sandbox: sb}
	e.Touch()
	return e
}

// Registered reports whether the sandbox has been registered, even if it was dropped since.
func (e *Entry) Registered() bool { return e.registered.Load() }

// Claim protects the sandbox from eviction. Only being idle for the registry's ttl removes it.
func (e *Entry) Claim() { e.claimed.Store(true) }

// Use records a request of the sandbox's attendee, which keeps the seat. It reports whether this is
// the first one.
func (e *Entry) Use() bool { return e.joined && e.used.CompareAndSwap(false, true) }

// Touch records that the sandbox is being used now.
func (e *Entry) Touch() { e.TouchAt(sandbox.Machine()) }

// TouchAt records that the sandbox was used at a moment of [sandbox.Machine].
func (e *Entry) TouchAt(moment time.Time) {
	e.lastUsed.Store(e.Clock.MachineAt(moment).UnixMicro())
}

// LastUsed returns when the sandbox was last used (see [Entry.Touch]), by the machine's clock.
func (e *Entry) LastUsed() time.Time { return time.UnixMicro(e.lastUsed.Load()).UTC() }

// idleFor returns the time since the last use, whether or not the sandbox is held.
func (e *Entry) idleFor(now time.Time) time.Duration { return now.Sub(e.LastUsed()) }

// Release ends [Registry.Acquire] or [Registry.Hold].
func (e *Entry) Release() { e.holders.Add(-1) }

// Mark is a moment in the life of a sandbox. A request takes a mark when it arrives, and compares it
// later to detect resets and changes in the meantime.
type Mark struct {
	Owner         *Owner          // at the moment
	DataReset     <-chan struct{} // closed by the next reset of the data, before it changes the data
	JournalResets int             // the number of resets of the journal before
}

// Mark returns a mark of this moment.
func (e *Entry) Mark() Mark {
	return Mark{Owner: e.owner.Load(), DataReset: e.DataReset(), JournalResets: e.Journal.Resets()}
}
