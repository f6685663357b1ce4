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
	Origin     Baseline         // of the server
	MaxRecords int              // see [store.Limits]
	MaxBytes   int64            // beyond the origin; 0 means no limit
	Machine    func() time.Time // replaces the machine's clock; nil means [Machine]
	Operations []Operation
	Faults     []fault.Rule // of every sandbox until its faults are cleared
	// FaultHeaders defines which headers a fault rule can match and set.
	FaultHeaders fault.Headers
	RateLimit    float64        // per client and second; 0 means no limit
	Journal      int            // the most entries; 0 means no journal
	Memory       *memory.Budget // of the process; nil means no limit

	// The sandboxes of a server share these.
	JournalDrops *atomic.Uint64  // the requests that were too large for a journal
	KnownKeys    journal.Keys    // which journals redact
	Sender       *webhook.Sender // of webhooks
}

// Reasons for the end of a sandbox's life.
var (
	ErrReset   = errors.New("the sandbox was reset")
	ErrDropped = errors.New("the sandbox was dropped")
	ErrStopped = errors.New("the server was stopped")
)

// Operation is the part of an API operation that a sandbox needs.
type Operation struct {
	ID, Method, Path, Tag string
	Lifecycle             Lifecycle // of the document
	Permanent             bool      // never returns 410
}

// Baseline is the data that a sandbox resets to, and the seed of its random draws. What else it
// resets to is its template. The server's own baseline and template are the origin.
type Baseline struct {
	State *store.State
	Seed  uint64
	Sizes *fixtures.Sizes // of generated data; nil for other data
}

// Sandbox is one isolated copy of the service. It and its parts are safe for concurrent use. An
// untouched sandbox is small, because parts that grow start empty.
type Sandbox struct {
	Name        string    // canonical; see [Name]
	Title       string    // the text that first named it
	Created     time.Time // by the machine's clock
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
	template atomic.Pointer[Sandbox] // see [Sandbox.Template]
	requests atomic.Uint64           // requests that have drawn since the last reset
	writes   atomic.Int64            // changes of the data since the last reset
	options  *Options
	life     context.Context // done when the sandbox is dropped or the server stops; the cause says which
	end      context.CancelCauseFunc
	data     atomic.Pointer[chan struct{}] // closed by the next reset of the data
}

// NewOrigin returns the first template of a server's sandboxes.
func NewOrigin(o *Options) *Sandbox {
	sb := &Sandbox{options: o}
	sb.Store = store.New(o.Origin.State, store.Limits{Records: o.MaxRecords, Bytes: o.MaxBytes})
	sb.init(&o.Origin)
	sb.Faults = fault.NewRules(o.Faults)
	sb.SetTemplate(sb)
	return sb
}

// init sets up all parts except the store and the faults.
func (s *Sandbox) init(b *Baseline) {
	o := s.options
	s.life, s.end = context.WithCancelCause(context.Background())
	s.data.Store(new(make(chan struct{})))
	s.Clock = NewClock(o.Machine)
	s.Created = s.Clock.machine()
	s.baseline.Store(b)
	s.Lifecycles.init(o.Operations)
	s.Report.init(len(o.Operations), o.Memory)
	s.Journal = journal.New(s.life, o.Journal, o.Memory)
	s.Journal.Drops, s.Journal.Keys = o.JournalDrops, o.KnownKeys
	s.Limiter.init(o.RateLimit)
	s.Webhooks.Init(s.life, o.Sender)
}

// Fork returns a copy of the sandbox as it is now, with another name: its data, baseline, snapshots,
// clock, faults, lifecycles and template, but not its journal, report, keys and history. Its draws
// start from the beginning. The cost does not depend on the data.
func (s *Sandbox) Fork(name Name) *Sandbox {
	s.changing.Lock()
	defer s.changing.Unlock()
	return s.forkLocked(name, store.Now)
}

// ForkAt is Fork with the data of [Sandbox.At].
func (s *Sandbox) ForkAt(name Name, entry int64) (*Sandbox, error) {
	s.changing.Lock()
	defer s.changing.Unlock()
	number, err := s.Journal.StateOf(entry)
	if err != nil {
		return nil, err
	}
	if fork := s.forkLocked(name, number); fork != nil {
		return fork, nil
	}
	return nil, fmt.Errorf("%w: %d", ErrGone, entry)
}

// forkLocked returns a copy with the data of the numbered state, or nil if undo does not reach it.
func (s *Sandbox) forkLocked(name Name, number int64) *Sandbox {
	fork := &Sandbox{Name: name.Canonical, Title: name.Title, options: s.options}
	if fork.Store = s.Store.Fork(number, fork.beside); fork.Store == nil {
		return nil
	}
	fork.init(s.baseline.Load())
	fork.SetTemplate(s.Template())
	s.Clock.copyTo(fork.Clock)
	s.Snapshots.copyTo(&fork.Snapshots)
	s.Lifecycles.copyTo(&fork.Lifecycles)
	fork.Faults = s.Faults.Fork()
	return fork
}

// AsTemplate returns a copy with the data as the baseline and without snapshots.
func (s *Sandbox) AsTemplate(name Name) *Sandbox {
	template := s.Fork(name)
	template.SetTemplate(template)
	template.Snapshots.Reset()
	if now := template.Store.View(); now != template.baseline.Load().State {
		template.SetBaseline(Baseline{State: now, Seed: template.baseline.Load().Seed})
	}
	return template
}

// Template returns the sandbox to whose clock, faults and lifecycles a reset returns. That of a
// template is the one that it was taken as, before it was changed.
func (s *Sandbox) Template() *Sandbox { return s.template.Load() }

// SetTemplate sets the template.
func (s *Sandbox) SetTemplate(template *Sandbox) { s.template.Store(template) }

// Baseline returns the baseline that a reset returns to.
func (s *Sandbox) Baseline() Baseline { return s.baseline.Load().Clone() }

// Clone returns a copy that shares only the state, which never changes.
func (b Baseline) Clone() Baseline {
	if b.Sizes != nil {
		b.Sizes = new(*b.Sizes)
	}
	return b
}

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

// Done returns a channel that is closed when the sandbox is dropped or the server stops. Both end
// all waits and streams.
func (s *Sandbox) Done() <-chan struct{} { return s.life.Done() }

// End returns why Done is closed, [ErrDropped] or [ErrStopped], or nil if it is open.
func (s *Sandbox) End() error { return context.Cause(s.life) }

// DataReset returns a channel that the next reset of the data closes, before it changes the data.
func (s *Sandbox) DataReset() <-chan struct{} { return *s.data.Load() }

// Finish ends the life of the sandbox and everything that runs in it, for one of the reasons above.
func (s *Sandbox) Finish(why error) {
	s.end(why)
	s.Webhooks.Stop()
}

// Usage returns the size of the sandbox beyond the origin. Beside the data and the
// snapshots, the journal, events, responses to Idempotency-Keys, report, rate limit, fault rules and
// webhooks count.
func (s *Sandbox) Usage() store.Usage { return s.Store.Usage() }

// MaxBytes returns the largest size that the sandbox may have. 0 means no limit.
func (s *Sandbox) MaxBytes() int64 { return s.options.MaxBytes }

// beside returns to the store what else counts against its limit.
func (s *Sandbox) beside() (snapshots []store.Kept, bytes int64) {
	return s.Snapshots.kept(), s.Journal.Bytes() + s.Idempotency.Bytes() + s.Report.Bytes() +
		s.Limiter.Bytes() + s.Faults.Bytes() + s.Webhooks.Bytes()
}
