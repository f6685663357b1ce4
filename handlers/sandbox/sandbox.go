package sandbox

import (
	"context"
	"errors"
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

// Options are what every sandbox of a server starts with. What they refer to is
// shared and never changed.
type Options struct {
	Baseline   Baseline
	MaxRecords int              // see [store.Limits]
	MaxBytes   int64            // that a sandbox holds beyond the data of the server's start; 0: any number
	Machine    func() time.Time // stands for the machine's time
	Operations []Operation
	Faults     []fault.Rule // that every sandbox has until its faults are cleared
	// FaultHeaders says which headers a fault rule can match and answer.
	FaultHeaders fault.Headers
	RateLimit    float64        // requests a second for each client; 0: none
	Journal      int            // entries; 0: no journal
	journalDrops *atomic.Uint64 // of all sandboxes of a registry
	Memory       *memory.Budget // of the process; nil: no bound
	Events       []string       // types of the events that tell of a changed record
	// Shard is what the names of all sandboxes but the default one end in. Empty means any name.
	Shard Shard
	// Keys are the server's keys. Journals keep neither those nor the keys of sandboxes.
	Keys  []string
	isKey func(text string) bool // reports whether a text is one of them
	// Webhooks are where webhooks may send besides this machine.
	Webhooks webhook.Targets
	sender   *webhook.Sender // of all sandboxes of a registry
}

// Why what goes on in a sandbox ends.
var (
	ErrReset   = errors.New("the sandbox was reset")
	ErrDropped = errors.New("the sandbox was dropped")
	ErrStopped = errors.New("the server was stopped")
	ErrOwner   = errors.New("the key or the privacy of the sandbox changed")
)

// Operation is what a sandbox needs to know of an operation of the API.
type Operation struct {
	ID, Method, Path, Tag string
	Lifecycle             Lifecycle // as the document has it
	Permanent             bool      // never answers 410
}

// Baseline is the data that a sandbox starts with and resets to, and the seed of
// its random draws.
type Baseline struct {
	State *store.State
	Seed  uint64
	Sizes *fixtures.Sizes // that the state was made with; nil: it came from a file
}

// Sandbox is one isolated copy of the service. All its methods, and those of its
// parts, may be called by any number of goroutines. An untouched sandbox is small:
// parts that grow start empty.
type Sandbox struct {
	Name        string // canonical; see [Name]
	Title       string // the text that it was first named by
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

	changing sync.Mutex // held by who changes, copies or reads several parts as one; before the locks of the parts

	baseline atomic.Pointer[Baseline]
	start    atomic.Pointer[Sandbox] // the template that it was made of, to which a reset returns; of a template: as it was taken
	requests atomic.Uint64           // that have drawn since the last reset
	writes   atomic.Int64            // changes of the data since its last reset
	owner    atomic.Pointer[Owner]   // nil: nobody's; stored under the registry's mu
	options  *Options
	created  time.Time
	life     context.Context // done when the sandbox is dropped or the server stops; its cause says which
	end      context.CancelCauseFunc
	data     atomic.Pointer[chan struct{}] // closed by the reset that ends this life of the data

	ownerChange atomic.Pointer[chan struct{}] // closed by the next change of the owner; nil: no request waits for it

	registered atomic.Bool  // once true always true
	claimed    atomic.Bool  // likewise
	holders    atomic.Int64 // requests, streams and tests that go on
	lastUsed   atomic.Int64 // machine time in microseconds, so that no year is out of range

	joined bool        // set before it is registered: whether an attendee of a workshop has it
	used   atomic.Bool // whether a request of its attendee has come; once true always true

	seen  int64  // guarded by the registry's mu: lastUsed when it was looked at last, or later if it was held then
	heap  *byUse // guarded by the registry's mu: that it is in; nil: it is in none
	place int    // guarded by the registry's mu: in its heap
}

// newTemplate returns the template of fresh sandboxes.
func newTemplate(o *Options) *Sandbox {
	sb := &Sandbox{options: o}
	sb.Store = store.New(o.Baseline.State, store.Limits{Records: o.MaxRecords, Bytes: o.MaxBytes})
	sb.init(&o.Baseline)
	sb.Faults = fault.NewRules(o.Faults)
	sb.start.Store(sb)
	return sb
}

// init sets up all parts but the store and the faults.
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
	s.Journal.Drops, s.Journal.IsKey = o.journalDrops, o.isKey
	s.Limiter.init(o.RateLimit)
	s.Webhooks.Init(s.life, o.sender)
	s.Touch()
}

// fork returns a copy under another name; see [Registry.Fork].
func (s *Sandbox) fork(name Name) *Sandbox {
	s.changing.Lock()
	defer s.changing.Unlock()
	fork := &Sandbox{Name: name.Canonical, Title: name.Title, options: s.options}
	fork.Store = s.Store.Fork(fork.beside)
	fork.init(s.baseline.Load())
	fork.start.Store(s.start.Load())
	s.Clock.copyTo(fork.Clock)
	s.Snapshots.copyTo(&fork.Snapshots)
	s.Lifecycles.copyTo(&fork.Lifecycles)
	fork.Faults = s.Faults.Fork()
	return fork
}

// Baseline returns what a reset returns to.
func (s *Sandbox) Baseline() Baseline { return s.baseline.Load().clone() }

// clone returns a copy that shares the state alone, which never changes.
func (b Baseline) clone() Baseline {
	if b.Sizes != nil {
		b.Sizes = new(*b.Sizes)
	}
	return b
}

// Created returns when the sandbox was made, by the machine's time.
func (s *Sandbox) Created() time.Time { return s.created }

// LastUsed returns when the sandbox was last used (see [Sandbox.Touch]), by the
// machine's time.
func (s *Sandbox) LastUsed() time.Time { return time.UnixMicro(s.lastUsed.Load()).UTC() }

// Draw returns the random draws of the next request.
func (s *Sandbox) Draw() fault.Draws {
	return fault.NewDraws(s.baseline.Load().Seed, s.requests.Add(1))
}

// DrawNext makes the next request that draws do so as the request of the number, from 1.
func (s *Sandbox) DrawNext(number uint64) { s.requests.Store(number - 1) }

// Update changes the data (see [store.Store.Update]) and tells it as an event. event is
// called once the change is made.
func (s *Sandbox) Update(change func(*store.Tx) error, event func() journal.Event) error {
	return s.Store.Update(change, func() {
		s.writes.Add(1)
		s.Journal.Publish(event())
	})
}

// Archive returns how the journal is written as an HTTP Archive: version is the program's.
func (s *Sandbox) Archive(version string) journal.HAR {
	prefix := ""
	if s.Name != Default {
		prefix = "/sandboxes/" + s.Name
	}
	return journal.HAR{Version: version, Prefix: prefix}
}

// Writes returns how often the data was changed since it was last reset.
func (s *Sandbox) Writes() int64 { return s.writes.Load() }

// Registered reports whether the registry has the sandbox, or had it.
func (s *Sandbox) Registered() bool { return s.registered.Load() }

// Claim says that somebody would miss the sandbox: it makes no room for others any
// more, and goes when it was idle for the registry's ttl alone.
func (s *Sandbox) Claim() { s.claimed.Store(true) }

// Touch says that the sandbox is used now, from which on it is idle.
func (s *Sandbox) Touch() { s.lastUsed.Store(s.Clock.machine().UnixMicro()) }

func (s *Sandbox) hold() { s.holders.Add(1) }

// Release ends what [Registry.Acquire] or [Registry.Hold] began.
func (s *Sandbox) Release() { s.holders.Add(-1) }

func (s *Sandbox) held() bool { return s.holders.Load() > 0 }

// idleFor returns for how long nobody has used the sandbox, held or not.
func (s *Sandbox) idleFor(now time.Time) time.Duration {
	return now.Sub(time.UnixMicro(s.lastUsed.Load()))
}

// Done returns a channel that is closed when the sandbox is dropped or the server
// stops, which ends all waiting and every stream.
func (s *Sandbox) Done() <-chan struct{} { return s.life.Done() }

// End returns why Done is closed: [ErrDropped] or [ErrStopped]; nil: it is not.
func (s *Sandbox) End() error { return context.Cause(s.life) }

// DataReset returns a channel that the next reset of the data closes, before the data is
// other than it was. Whoever waits has it from before, and runs no operation afterwards
// if it is closed.
func (s *Sandbox) DataReset() <-chan struct{} { return *s.data.Load() }
