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
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store"
)

// Options are the settings that all sandboxes of a server share.
type Options struct {
	Origin     Baseline         // the server's baseline
	MaxRecords int              // see [store.Limits]
	MaxBytes   int64            // the maximum number of bytes beyond the origin; 0 means no limit
	Machine    func() time.Time // replaces the machine's clock; nil means [Machine]
	Operations []lifecycle.Operation
	Faults     []fault.Rule   // the rules that each sandbox has until its faults are cleared
	RateLimit  float64        // requests per second for each client; 0 means no limit
	Journal    int            // the maximum number of journal entries; 0 means no journal
	Memory     *memory.Budget // the process's budget; nil means no limit

	JournalDrops *atomic.Uint64  // counts the entries that journals dropped to make room
	KnownKeys    journal.Keys    // the keys that journals redact
	Sender       *webhook.Sender // sends the deliveries of webhooks
}

// These errors are the reasons why the waiting requests of a sandbox end.
var (
	ErrReset   = errors.New("the sandbox was reset")
	ErrDropped = errors.New("the sandbox was dropped")
	ErrStopped = errors.New("the server was stopped")
)

// Baseline is the data that a reset restores, and the seed of the sandbox's random draws. A reset
// restores the clock, the faults and the lifecycles from the template. The server's own baseline
// and template are called the origin.
type Baseline struct {
	State *store.State
	Seed  uint64
	Sizes *fixtures.Sizes // the sizes of generated data; nil for other data
}

// Sandbox is one isolated copy of the service. A Sandbox and its parts are safe for concurrent use.
// An unused sandbox is small, because the parts that grow are initially empty.
type Sandbox struct {
	Name        string    // the canonical name; see [Name]
	Title       string    // the text by which the sandbox was first named
	Created     time.Time // by the machine's clock
	Store       *store.Store
	Clock       *Clock
	Idempotency Idempotency
	Snapshots   Snapshots
	Lifecycles  lifecycle.Lifecycles
	Report      lifecycle.Report
	Faults      *fault.Rules
	Journal     *journal.Journal
	Limiter     Limiter
	Webhooks    webhook.Hooks
	// Life is done when the sandbox is dropped or the server stops. All waiting requests and
	// streams then end. The cause of Life is [ErrDropped] or [ErrStopped].
	Life context.Context

	changing sync.Mutex // serializes changes and copies of several parts; locked before any part's own lock

	baseline atomic.Pointer[Baseline]
	template atomic.Pointer[Sandbox] // see [Sandbox.Template]
	requests atomic.Uint64           // drawAfter(requests) is the draw number of the next request
	writes   atomic.Int64            // see [Sandbox.Writes]
	options  *Options
	end      context.CancelCauseFunc       // ends Life
	data     atomic.Pointer[chan struct{}] // see [Sandbox.DataReset]
}

// NewOrigin returns the sandbox that is the first template of a server's sandboxes.
func NewOrigin(o *Options) *Sandbox {
	sb := &Sandbox{options: o}
	sb.Store = store.New(o.Origin.State, store.Limits{Records: o.MaxRecords, Bytes: o.MaxBytes})
	sb.init(&o.Origin)
	sb.Faults = fault.NewRules(o.Faults)
	sb.SetTemplate(sb)
	return sb
}

// init sets up all parts except the store, which must be set, and the faults.
func (s *Sandbox) init(b *Baseline) {
	o := s.options
	s.Life, s.end = context.WithCancelCause(context.Background())
	s.data.Store(new(make(chan struct{})))
	s.Clock = NewClock(o.Machine)
	s.Created = s.Clock.machine()
	s.baseline.Store(b)
	s.Lifecycles.Init(o.Operations)
	s.Report.Init(len(o.Operations), o.Memory)
	s.Journal = journal.New(s.Life, o.Journal, o.Memory)
	s.Journal.Drops, s.Journal.Keys, s.Journal.Undone = o.JournalDrops, o.KnownKeys, s.Store.Undone
	if o.RateLimit > 0 {
		s.Limiter.Policy = PolicyOf(o.RateLimit)
	}
	s.Webhooks.Init(s.Life, o.Sender)
}

// Fork returns a copy of the sandbox with another name. It copies the data, baseline, snapshots,
// clock, faults, lifecycles and template, but not the journal, report, idempotency keys, used
// quotas, webhooks and undo history. The random draws of the copy start from the beginning. The
// cost does not depend on the size of the data.
func (s *Sandbox) Fork(name Name) *Sandbox {
	s.changing.Lock()
	defer s.changing.Unlock()
	return s.forkLocked(name, store.Now)
}

// ForkAt is like Fork, but the copy has the data that [Sandbox.At] returns. The errors are those
// of At.
func (s *Sandbox) ForkAt(name Name, entry int64) (*Sandbox, error) {
	s.changing.Lock()
	defer s.changing.Unlock()
	_, number, err := s.Journal.StatesOf(entry)
	if err != nil {
		return nil, err
	}
	if fork := s.forkLocked(name, number); fork != nil {
		return fork, nil
	}
	return nil, fmt.Errorf("%w: %d", ErrGone, entry)
}

// forkLocked returns a copy whose data is the state with the given number. It returns nil if undo
// cannot restore that state.
func (s *Sandbox) forkLocked(name Name, number int64) *Sandbox {
	fork := &Sandbox{Name: name.Canonical, Title: name.Title, options: s.options}
	if fork.Store = s.Store.Fork(number); fork.Store == nil {
		return nil
	}
	fork.init(s.baseline.Load())
	fork.SetTemplate(s.Template())
	s.Clock.copyTo(fork.Clock)
	fork.Snapshots.load(s.Snapshots.newestFirst())
	s.Lifecycles.CopyTo(&fork.Lifecycles)
	fork.Faults = new(fault.Rules)
	fork.Faults.Load(s.Faults.Save())
	return fork
}

// AsTemplate returns a copy whose baseline is the current data and which has no snapshots.
func (s *Sandbox) AsTemplate(name Name) *Sandbox {
	template := s.Fork(name)
	template.SetTemplate(template)
	template.Snapshots.Reset()
	if now := template.Store.View(); now != template.baseline.Load().State {
		template.SetBaseline(Baseline{State: now, Seed: template.baseline.Load().Seed})
	}
	return template
}

// Template returns the sandbox whose clock, faults and lifecycles a reset restores. For a template,
// it is the template as it was captured, before any change.
func (s *Sandbox) Template() *Sandbox { return s.template.Load() }

// SetTemplate sets the template.
func (s *Sandbox) SetTemplate(template *Sandbox) { s.template.Store(template) }

// Baseline returns the baseline that a reset restores.
func (s *Sandbox) Baseline() Baseline { return s.baseline.Load().Clone() }

// Clone returns a copy. It shares only the state, which is immutable.
func (b Baseline) Clone() Baseline {
	if b.Sizes != nil {
		b.Sizes = new(*b.Sizes)
	}
	return b
}

// Draw returns the random draws for one request. Each call must be for a different request.
func (s *Sandbox) Draw() fault.Draws {
	return fault.Draws{Seed: s.baseline.Load().Seed, Number: drawAfter(s.requests.Add(1) - 1)}
}

// drawAfter returns the draw number of the request after the given number of requests. The number 1
// follows [store.MaxID].
func drawAfter(requests uint64) uint64 { return requests%store.MaxID + 1 }

// DrawNext sets the draw number of the next request. Draw numbers start at 1.
func (s *Sandbox) DrawNext(number uint64) { s.requests.Store(number - 1) }

// Update changes the data; see [store.Store.Update]. If change changed anything, Update then
// publishes the event, which change may fill in. Events are published in the order of the changes.
// Update returns the numbers of the states before and afterwards, which are equal if nothing
// changed; see [store.Kept].
func (s *Sandbox) Update(event *journal.Event, change func(*store.Tx) error) (before, after int64, err error) {
	s.changing.Lock()
	defer s.changing.Unlock()
	before = s.Store.Keep().Number
	err = s.Store.Update(s.beside(), change)
	after = s.Store.Keep().Number
	if after != before {
		s.writes.Add(1)
		s.Journal.Publish(*event)
	}
	return before, after, err
}

// Archive returns the HTTP Archive of the journal, without its entries. version is the version of
// the program.
func (s *Sandbox) Archive(version string) journal.HAR {
	prefix := ""
	if s.Name != Default {
		prefix = "/sandboxes/" + s.Name
	}
	return journal.HAR{Version: version, Prefix: prefix}
}

// Writes returns the number of changes to the data since the last reset of the data or import of a
// world.
func (s *Sandbox) Writes() int64 { return s.writes.Load() }

// DataReset returns a channel that is closed before the next reset or imported world replaces the
// data.
func (s *Sandbox) DataReset() <-chan struct{} { return *s.data.Load() }

// Finish ends the sandbox and everything that runs in it. cause is [ErrDropped] or [ErrStopped].
func (s *Sandbox) Finish(cause error) { s.end(cause) }

// Usage returns the memory that the sandbox uses beyond the origin. Besides the data and the
// snapshots, it counts the journal, events, stored responses, report, rate limits, fault rules and
// webhooks.
func (s *Sandbox) Usage() store.Usage { return s.Store.Usage(s.beside()) }

// beside returns everything outside the store that counts against the store's limit.
func (s *Sandbox) beside() store.Beside {
	beside := store.Beside{Bytes: s.Journal.Bytes() + s.Idempotency.Bytes() + s.Report.Bytes() +
		s.Limiter.Bytes() + s.Faults.Bytes() + s.Webhooks.Bytes()}
	for _, snapshot := range s.Snapshots.newestFirst() {
		beside.Kept = append(beside.Kept, snapshot.Kept)
	}
	return beside
}
