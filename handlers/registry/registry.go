package registry

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store/field"
)

// Errors of a [Registry].
var (
	ErrLimit  = field.Refusal("sandbox_limit_reached", "there is no room for another sandbox")
	ErrExists = field.Refusal("conflict",
		"a sandbox with this name already exists; drop it first or choose another name")
	ErrUnknown = field.Refusal("not_found", "there is no such sandbox")
	ErrDefault = field.Refusal("conflict", "the default sandbox always exists; reset it instead")
)

// Options are the settings of a registry.
type Options struct {
	sandbox.Options          // the options of every sandbox; [New] sets some of them
	Events          []string // the types of events about records
	// If Shard is not empty, it is the name of this replica, and the canonical names of all
	// sandboxes, except the default one, end in a dot and Shard.
	Shard Shard
	// Keys are the keys of the server. Journals redact them and the keys of the sandboxes.
	Keys []string
	// Webhooks are the targets that webhooks may have besides loopback addresses.
	Webhooks webhook.Targets
}

// Registry holds the sandboxes of a server. It is safe for concurrent use.
type Registry struct {
	Options Options       // never changed after New
	max     int           // the maximum number of sandboxes, including the default one
	ttl     time.Duration // how long a sandbox may be idle; 0 means no limit
	def     *Entry
	Events  *journal.All       // the events of all sandboxes, including their creation and removal; never replaced
	end     context.CancelFunc // ends the streams of all sandboxes' events
	origin  *sandbox.Sandbox   // the server's initial state, and the template of the default sandbox

	changes atomic.Uint64 // the number of changes of kept data; see [Registry.NoteChange]
	keyed   atomic.Int64  // the number of sandboxes with a key; changed while mu is locked
	lengths lengths       // the lengths of the server's keys and of all keys that sandboxes have had
	// The template of new sandboxes except the default one; changed while mu is locked.
	template atomic.Pointer[sandbox.Sandbox]

	mu        sync.RWMutex
	sandboxes map[string]*Entry // guarded by mu; keys are canonical names
	keys      map[Digest]int    // guarded by mu; the number of sandboxes with each key
	door      *Door             // guarded by mu; nil if there is no workshop
	evicted   uint64            // guarded by mu; the number of sandboxes dropped to make room
	expired   uint64            // guarded by mu; the number of sandboxes dropped because they were idle
	sweeper   *time.Timer       // guarded by mu; nil if the timer is not running
	closed    bool              // guarded by mu
}

// New returns a registry with the default sandbox. The registry has at most max sandboxes at a
// time, including the default one. It drops any sandbox except the default one that has been idle
// for ttl. If ttl is 0, no sandbox is dropped for being idle.
func New(o Options, max int, ttl time.Duration) *Registry {
	o.Origin, o.JournalDrops = o.Origin.Clone(), new(atomic.Uint64)
	o.Sender = webhook.NewSender(o.Webhooks, slices.Concat(o.Events, []string{journal.EventReset}), sandbox.Machine,
		o.Memory)
	r := &Registry{Options: o, max: max, ttl: ttl}
	r.Options.KnownKeys = r.keyFinder(o.Keys)
	r.origin = sandbox.NewOrigin(&r.Options.Options)
	r.template.Store(r.origin)
	life, end := context.WithCancel(context.Background())
	r.Events, r.end = journal.NewAll(life, o.Memory), end
	r.def = r.fromTemplate(sandbox.Name{Canonical: sandbox.Default, Title: sandbox.Default})
	r.def.registered.Store(true)
	r.def.Claim()
	r.Events.Gather(r.def.Journal, sandbox.Default)
	r.sandboxes, r.keys = map[string]*Entry{sandbox.Default: r.def}, make(map[Digest]int)
	return r
}

// Default returns the default sandbox.
func (r *Registry) Default() *Entry { return r.def }

// Baseline returns the baseline of the named sandbox. If there is no such sandbox, or if fresh is
// set, it returns the baseline that the sandbox would have if it were created now.
func (r *Registry) Baseline(text string, fresh bool) sandbox.Baseline {
	name, _ := sandbox.ParseName(text) // an invalid name gets the template's baseline
	if sb, err := r.Find(text); err == nil && !fresh {
		return sb.Baseline()
	}
	return r.templateOf(name.Canonical).Baseline()
}

// Now returns the machine's time, or the time of [sandbox.Options.Machine] if that is set.
func (r *Registry) Now() time.Time {
	if r.Options.Machine != nil {
		return r.Options.Machine()
	}
	return sandbox.Machine()
}

// Max returns the maximum number of sandboxes, including the default one.
func (r *Registry) Max() int { return r.max }

// Len returns the number of sandboxes.
func (r *Registry) Len() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.sandboxes)
}

// Find returns the named sandbox. The error is [sandbox.ErrBadName] or [ErrUnknown].
func (r *Registry) Find(text string) (*Entry, error) {
	name, err := r.Options.Shard.parse(text)
	if err != nil {
		return nil, err
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.findLocked(name)
}

func (r *Registry) findLocked(name sandbox.Name) (*Entry, error) {
	sb, ok := r.sandboxes[name.Canonical]
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrUnknown, name.Title)
	}
	return sb, nil
}

// List returns the sandboxes, sorted by name.
func (r *Registry) List() []*Entry {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.listLocked()
}

func (r *Registry) listLocked() []*Entry {
	return slices.SortedFunc(maps.Values(r.sandboxes), func(a, b *Entry) int { return strings.Compare(a.Name, b.Name) })
}

// Drop removes the named sandbox. Running requests may still read its data, but not change it.
// Its streams and waiting requests end. The error is [sandbox.ErrBadName], [ErrUnknown] or
// [ErrDefault].
func (r *Registry) Drop(text string) error {
	name, err := r.Options.Shard.parse(text)
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

// Close ends all streams, waiting requests and webhook deliveries, and stops dropping idle
// sandboxes. The sandboxes remain usable.
func (r *Registry) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.end()
	if r.sweeper != nil {
		r.sweeper.Stop()
	}
	for _, sb := range r.sandboxes {
		sb.Finish(sandbox.ErrStopped)
	}
	r.Options.Sender.Close()
}

func (r *Registry) dropLocked(sb *Entry) {
	delete(r.sandboxes, sb.Name)
	r.NoteChange()
	r.removeKeyLocked(sb.owner.Load()) // keep sb.owner, because running requests still need it
	r.Events.Dismiss(sb.Journal)
	if sb.joined {
		r.door.Joined--
	}
	sb.Finish(sandbox.ErrDropped)
}
