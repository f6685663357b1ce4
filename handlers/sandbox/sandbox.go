package sandbox

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store"
)

// Options are the initial settings of every sandbox of a server. The sandboxes share what they
// refer to and never change it.
type Options struct {
	Baseline   Baseline
	MaxRecords int              // see [store.Limits]
	MaxBytes   int64            // beyond the server's initial data; 0 means no limit
	Machine    func() time.Time // replaces the machine's clock; nil means [Machine]
	Operations []Operation
	Faults     []fault.Rule // of every sandbox until its faults are cleared
	// FaultHeaders defines which headers a fault rule can match and set.
	FaultHeaders fault.Headers
	RateLimit    float64        // per client and second; 0 means no limit
	Journal      int            // the most entries; 0 means no journal
	journalDrops *atomic.Uint64 // over all sandboxes of a registry
	Memory       *memory.Budget // of the process; nil means no limit
	Events       []string       // the types of events about records
	// Shard is the ending of all sandbox names except the default one. Empty means any name.
	Shard Shard
	// Keys are the server's keys. Journals redact these and the sandboxes' keys.
	Keys      []string
	knownKeys journal.Keys // includes those of the sandboxes
	// Webhooks are the allowed targets of webhooks besides this machine.
	Webhooks webhook.Targets
	sender   *webhook.Sender // shared by all sandboxes of a registry
}

// Reasons for the end of a sandbox's life.
var (
	ErrReset   = errors.New("the sandbox was reset")
	ErrDropped = errors.New("the sandbox was dropped")
	ErrStopped = errors.New("the server was stopped")
	ErrOwner   = errors.New("the key or the privacy of the sandbox changed")
)

// Operation is the part of an API operation that a sandbox needs.
type Operation struct {
	ID, Method, Path, Tag string
	Lifecycle             Lifecycle // of the document
	Permanent             bool      // never returns 410
}

// Baseline is the data that a sandbox starts with and resets to, and the seed of its random draws.
type Baseline struct {
	State *store.State
	Seed  uint64
	Sizes *fixtures.Sizes // of generated data; nil for other data
}

// Sandbox is one isolated copy of the service. It and its parts are safe for concurrent use. An
// untouched sandbox is small, because parts that grow start empty.
type Sandbox struct {
	Name        string // canonical; see [Name]
	Title       string // the text that first named it
	Store       *store.Store
	Clock       *Clock
	Idempotency Idempotency
	Snapshots   Snapshots
	Lifecycles  Lifecycles
	Report      Report
	Faults      *fault.Rules
	Journal     *journal.Journal
	Limiter     Limiter
	Webhooks    webhook.Hooks

	changing sync.Mutex // serializes changes and copies of several parts; locked before the parts' own locks

	baseline atomic.Pointer[Baseline]
	start    atomic.Pointer[Sandbox] // the template that a reset returns to; a template's own start is the template that it was taken as
	requests atomic.Uint64           // requests that have drawn since the last reset
	writes   atomic.Int64            // changes of the data since the last reset
	owner    atomic.Pointer[Owner]   // nil without a key; changed under the registry's mu
	options  *Options
	created  time.Time
	life     context.Context // done when the sandbox is dropped or the server stops; the cause says which
	end      context.CancelCauseFunc
	data     atomic.Pointer[chan struct{}] // closed by the next reset of the data

	ownerChange atomic.Pointer[chan struct{}] // closed by the next change of the owner; nil if no request waits for it

	registered atomic.Bool  // never becomes false again
	claimed    atomic.Bool  // never becomes false again
	holders    atomic.Int64 // running requests, streams and tests
	lastUsed   atomic.Int64 // machine time in microseconds, which covers every year

	joined bool        // belongs to a workshop's attendee; set before registration
	used   atomic.Bool // the attendee has made a request; never becomes false again
}

// newTemplate returns the template of new sandboxes.
func newTemplate(o *Options) *Sandbox {
	sb := &Sandbox{options: o}
	sb.Store = store.New(o.Baseline.State, store.Limits{Records: o.MaxRecords, Bytes: o.MaxBytes})
	sb.init(&o.Baseline)
	sb.Faults = fault.NewRules(o.Faults)
	sb.start.Store(sb)
	return sb
}

// init sets up all parts except the store and the faults.
func (s *Sandbox) init(b *Baseline) {
	o := s.options
	s.life, s.end = context.WithCancelCause(context.Background())
	s.data.Store(new(make(chan struct{})))
	s.Clock = NewClock(o.Machine)
	s.created = s.Clock.machine()
	s.baseline.Store(b)
	s.Lifecycles.init(o.Operations)
	s.Report.init(len(o.Operations), o.Memory)
	s.Journal = journal.New(s.life, o.Journal, o.Memory)
	s.Journal.Drops, s.Journal.Keys = o.journalDrops, o.knownKeys
	s.Limiter.init(o.RateLimit)
	s.Webhooks.Init(s.life, o.sender)
	s.Touch()
}

// fork returns a copy with another name; see [Registry.Fork].
func (s *Sandbox) fork(name Name) *Sandbox {
	s.changing.Lock()
	defer s.changing.Unlock()
	fork := &Sandbox{Name: name.Canonical, Title: name.Title, options: s.options}
	return s.copyTo(fork, s.Store.Fork(fork.beside))
}

// forkAt is fork with the data of [Sandbox.At].
func (s *Sandbox) forkAt(name Name, entry int64) (*Sandbox, error) {
	s.changing.Lock()
	defer s.changing.Unlock()
	number, err := s.Journal.StateOf(entry)
	if err != nil {
		return nil, err
	}
	fork := &Sandbox{Name: name.Canonical, Title: name.Title, options: s.options}
	data := s.Store.ForkAt(number, fork.beside)
	if data == nil {
		return nil, fmt.Errorf("%w: %d", ErrGone, entry)
	}
	return s.copyTo(fork, data), nil
}

// copyTo gives the fork its data and copies of the other parts.
func (s *Sandbox) copyTo(fork *Sandbox, data *store.Store) *Sandbox {
	fork.Store = data
	fork.init(s.baseline.Load())
	fork.start.Store(s.start.Load())
	s.Clock.copyTo(fork.Clock)
	s.Snapshots.copyTo(&fork.Snapshots)
	s.Lifecycles.copyTo(&fork.Lifecycles)
	fork.Faults = s.Faults.Fork()
	return fork
}

// Baseline returns the baseline that a reset returns to.
func (s *Sandbox) Baseline() Baseline { return s.baseline.Load().clone() }

// clone returns a copy that shares only the state, which never changes.
func (b Baseline) clone() Baseline {
	if b.Sizes != nil {
		b.Sizes = new(*b.Sizes)
	}
	return b
}

// Created returns when the sandbox was created, by the machine's clock.
func (s *Sandbox) Created() time.Time { return s.created }

// LastUsed returns when the sandbox was last used (see [Sandbox.Touch]), by the machine's clock.
func (s *Sandbox) LastUsed() time.Time { return time.UnixMicro(s.lastUsed.Load()).UTC() }

// Draw returns the random draws of the next request.
func (s *Sandbox) Draw() fault.Draws {
	return fault.NewDraws(s.baseline.Load().Seed, s.requests.Add(1))
}

// DrawNext sets the draw number of the next request, from 1.
func (s *Sandbox) DrawNext(number uint64) { s.requests.Store(number - 1) }

// Update changes the data (see [store.Store.Update]) and then publishes the event that change
// returns, unless it left everything as it was. Events are in the order of the changes. Update
// returns the number of the state that it leaves, changed or not; see [store.Store.Numbered].
func (s *Sandbox) Update(change func(*store.Tx) (journal.Event, error)) (state int64, err error) {
	s.changing.Lock()
	defer s.changing.Unlock()
	_, before := s.Store.Numbered()
	var event journal.Event
	err = s.Store.Update(func(tx *store.Tx) (err error) {
		event, err = change(tx)
		return err
	})
	_, after := s.Store.Numbered()
	if after != before {
		s.writes.Add(1)
		s.Journal.Publish(event)
	}
	return after, err
}

// Archive returns the writer of the journal as an HTTP Archive. version is the program's.
func (s *Sandbox) Archive(version string) journal.HAR {
	prefix := ""
	if s.Name != Default {
		prefix = "/sandboxes/" + s.Name
	}
	return journal.HAR{Version: version, Prefix: prefix}
}

// Writes returns the number of changes of the data since the last reset.
func (s *Sandbox) Writes() int64 { return s.writes.Load() }

// Registered reports whether the sandbox has been registered, even if it was dropped since.
func (s *Sandbox) Registered() bool { return s.registered.Load() }

// Claim protects the sandbox from eviction. Only being idle for the registry's ttl removes it.
func (s *Sandbox) Claim() { s.claimed.Store(true) }

// Use records a request of the sandbox's attendee, which keeps the seat. It reports whether this is
// the first one.
func (s *Sandbox) Use() bool { return s.joined && s.used.CompareAndSwap(false, true) }

// Touch records that the sandbox is being used now.
func (s *Sandbox) Touch() { s.TouchAt(Machine()) }

// TouchAt records that the sandbox was used at a moment of [Machine].
func (s *Sandbox) TouchAt(moment time.Time) { s.lastUsed.Store(s.Clock.MachineAt(moment).UnixMicro()) }

func (s *Sandbox) hold() { s.holders.Add(1) }

// Release ends [Registry.Acquire] or [Registry.Hold].
func (s *Sandbox) Release() { s.holders.Add(-1) }

func (s *Sandbox) held() bool { return s.holders.Load() > 0 }

// idleFor returns the time since the last use, whether or not the sandbox is held.
func (s *Sandbox) idleFor(now time.Time) time.Duration {
	return now.Sub(time.UnixMicro(s.lastUsed.Load()))
}

// Done returns a channel that is closed when the sandbox is dropped or the server stops. Both end
// all waits and streams.
func (s *Sandbox) Done() <-chan struct{} { return s.life.Done() }

// End returns why Done is closed, [ErrDropped] or [ErrStopped], or nil if it is open.
func (s *Sandbox) End() error { return context.Cause(s.life) }

// Mark is a moment in the life of a sandbox. A request takes a mark when it arrives, and compares it
// later to detect resets and changes in the meantime.
type Mark struct {
	Owner         *Owner          // at the moment
	DataReset     <-chan struct{} // closed by the next reset of the data, before it changes the data
	JournalResets int             // the number of resets of the journal before
}

// Mark returns a mark of this moment.
func (s *Sandbox) Mark() Mark {
	return Mark{Owner: s.owner.Load(), DataReset: *s.data.Load(), JournalResets: s.Journal.Resets()}
}
