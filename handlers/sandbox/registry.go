package sandbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/webhook"
)

// Default is the name of the sandbox that always exists.
const Default = "default"

// What a [Registry] refuses.
var (
	ErrLimit   = errors.New("there is no room for another sandbox")
	ErrExists  = errors.New("a sandbox with this name already exists; drop it first or choose another name")
	ErrUnknown = errors.New("there is no such sandbox")
	ErrDefault = errors.New("the default sandbox always exists; reset it instead")
)

// Registry holds the sandboxes of a server. Its methods may be called by any
// number of goroutines.
type Registry struct {
	options Options
	max     int           // sandboxes, the default one counted
	ttl     time.Duration // how long a sandbox may be idle; 0: for ever
	def     *Sandbox
	events  *journal.All
	end     context.CancelFunc // of the streams of all events
	fresh   *Sandbox           // the template of the default sandbox: it is as the server was started
	first   *Sandbox           // the template of the others until another one is taken; often fresh

	changes  atomic.Uint64           // of what a file keeps; see [Registry.NoteChange]
	keyed    atomic.Int64            // sandboxes that have a key; stored under mu
	template atomic.Pointer[Sandbox] // of new sandboxes but the default one; stored under mu

	mu        sync.RWMutex
	sandboxes map[string]*Sandbox // guarded by mu; by canonical name
	keys      map[Digest]int      // guarded by mu; how many sandboxes have the key
	unchanged byUse               // guarded by mu: may hold changed ones, until they are looked at
	changed   byUse               // guarded by mu: that only writes of the service have changed
	seats     byUse               // guarded by mu: of a workshop, from which no request has come yet, by when they were taken
	door      *Door               // guarded by mu; nil: there is no workshop
	evicted   evictions           // guarded by mu
	idleFrom  time.Time           // guarded by mu: no sandbox can go before
	sweeper   *time.Timer         // guarded by mu; nil: nothing can become idle
	closed    bool                // guarded by mu
}

// NewRegistry returns a registry with the default sandbox. Every sandbox starts
// with the options; at most max exist at a time, and all but the default one go
// when they were idle for ttl (0: never).
func NewRegistry(o Options, max int, ttl time.Duration) *Registry {
	o.Baseline, o.journalDrops = o.Baseline.clone(), new(atomic.Uint64)
	o.sender = webhook.NewSender(o.Webhooks, slices.Concat(o.Events, []string{journal.EventReset}), Machine, o.Memory)
	r := &Registry{options: o, max: max, ttl: ttl}
	r.options.isKey = r.keyFinder(o.Keys)
	r.fresh = newTemplate(&r.options)
	r.first = r.fresh
	r.template.Store(r.first)
	life, end := context.WithCancel(context.Background())
	r.events, r.end = journal.NewAll(life, o.Memory), end
	r.def = r.likeNew(Name{Default, Default})
	r.def.registered.Store(true)
	r.events.Gather(r.def.Journal, Default)
	r.sandboxes, r.keys = map[string]*Sandbox{Default: r.def}, make(map[Digest]int)
	return r
}

// Shard returns the shard that the sandboxes are of, save the default one.
func (r *Registry) Shard() Shard { return r.options.Shard }

// Default returns the default sandbox.
func (r *Registry) Default() *Sandbox { return r.def }

// Baseline returns the baseline that the sandbox that the text names has, or would
// have if it were made now.
func (r *Registry) Baseline(text string) Baseline {
	if sb, err := r.Find(text); err == nil {
		return sb.Baseline()
	}
	return r.FirstBaseline(text)
}

// FirstBaseline returns the baseline that the sandbox that the text names would have if it
// were made now.
func (r *Registry) FirstBaseline(text string) Baseline {
	name, _ := ParseName(text) // what is no name names no sandbox, so any answer will do
	return r.templateOf(name.Canonical).Baseline()
}

// MaxRecords returns how many records a sandbox can hold that has the server's baseline,
// see [store.State.Records].
func (r *Registry) MaxRecords() int {
	return r.options.maxRecords()
}

// JournalDrops returns how many requests the journals of all sandboxes, those that are gone
// too, had no room for any more.
func (r *Registry) JournalDrops() uint64 { return r.options.journalDrops.Load() }

// Events returns the events of all sandboxes, with those that come and go.
func (r *Registry) Events() *journal.All { return r.events }

// Webhooks returns who delivers for the webhooks of all sandboxes.
func (r *Registry) Webhooks() *webhook.Sender { return r.options.sender }

// Now returns the time that stands for the machine's.
func (r *Registry) Now() time.Time { return r.options.Machine() }

// Max returns how many sandboxes there can be, the default one counted.
func (r *Registry) Max() int { return r.max }

// Len returns how many sandboxes there are.
func (r *Registry) Len() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.sandboxes)
}

// Find returns the sandbox that the text names. The error is [ErrBadName] or
// [ErrUnknown].
func (r *Registry) Find(text string) (*Sandbox, error) {
	name, err := r.options.Shard.parse(text)
	if err != nil {
		return nil, err
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.findLocked(name)
}

func (r *Registry) findLocked(name Name) (*Sandbox, error) {
	sb, ok := r.sandboxes[name.Canonical]
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrUnknown, name.Title)
	}
	return sb, nil
}

// List returns the sandboxes by name.
func (r *Registry) List() []*Sandbox {
	r.mu.RLock()
	defer r.mu.RUnlock()
	list := make([]*Sandbox, 0, len(r.sandboxes))
	for _, sb := range r.sandboxes {
		list = append(list, sb)
	}
	slices.SortFunc(list, func(a, b *Sandbox) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Drop forgets the sandbox that the text names; what still goes on in it ends in
// peace. The error is [ErrBadName], [ErrUnknown] or [ErrDefault].
func (r *Registry) Drop(text string) error {
	name, err := r.options.Shard.parse(text)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	sb, err := r.findLocked(name)
	if err != nil {
		return err
	}
	if sb == r.def {
		return ErrDefault
	}
	r.dropLocked(sb)
	return nil
}

// Close ends every stream and stops the sweeping. Sandboxes may still be used.
func (r *Registry) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.end()
	if r.sweeper != nil {
		r.sweeper.Stop()
	}
	for _, sb := range r.sandboxes {
		sb.finish(ErrStopped)
	}
	r.options.sender.Close()
}

func (r *Registry) dropLocked(sb *Sandbox) {
	delete(r.sandboxes, sb.Name)
	r.NoteChange()
	r.forgetKeyLocked(sb.owner.Load()) // it stays private for who still speaks to it
	sb.unlistLocked()
	r.events.Dismiss(sb.Journal)
	if sb.joined {
		r.door.Joined--
	}
	sb.finish(ErrDropped)
}
