package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Default is the name of the sandbox that always exists.
const Default = "default"

// What a [Registry] refuses.
var (
	ErrBadName = errors.New(`is not a name; a name is 1 to 63 of a-z, 0-9, ".", "_" and "-", and begins with a letter or a digit`)
	ErrLimit   = errors.New("there is no room for another sandbox; drop one, wait until idle ones go, or start the server with a larger --max-sandboxes")
	ErrExists  = errors.New("a sandbox of the name exists already; drop it first or choose another name")
	ErrUnknown = errors.New("no sandbox has the name")
	ErrDefault = errors.New("the default sandbox always exists; reset it instead")
)

// ValidName reports whether the text can be the name of a sandbox or a snapshot:
// [a-z0-9][a-z0-9._-]{0,62}.
func ValidName(name string) bool {
	if len(name) < 1 || len(name) > 63 || strings.IndexByte("._-", name[0]) >= 0 {
		return false
	}
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}

// Registry holds the sandboxes of a server. Its methods may be called by any
// number of goroutines.
type Registry struct {
	options Options
	max     int           // sandboxes, the default one counted
	ttl     time.Duration // how long a sandbox may be idle; 0: for ever
	def     *Sandbox

	mu        sync.RWMutex
	sandboxes map[string]*Sandbox // guarded by mu
	idleFrom  time.Time           // guarded by mu: no sandbox can go before
	sweeper   *time.Timer         // guarded by mu; nil: nothing can become idle
	closed    bool                // guarded by mu
}

// NewRegistry returns a registry with the default sandbox. Every sandbox starts
// with the options; at most max exist at a time, and all but the default one go
// when they were idle for ttl (0: never).
func NewRegistry(o Options, max int, ttl time.Duration) *Registry {
	r := &Registry{options: o, max: max, ttl: ttl}
	r.def = newSandbox(Default, &r.options, &r.options.Baseline)
	r.def.kept.Store(true)
	r.sandboxes = map[string]*Sandbox{Default: r.def}
	return r
}

// Default returns the default sandbox.
func (r *Registry) Default() *Sandbox { return r.def }

// likeNew makes a sandbox as every one starts.
func (r *Registry) likeNew(name string) *Sandbox {
	return newSandbox(name, &r.options, &r.options.Baseline)
}

// addLocked makes a sandbox of a name that is not taken.
func (r *Registry) addLocked(name string, make func(name string) *Sandbox) (*Sandbox, error) {
	if !ValidName(name) {
		return nil, fmt.Errorf("%q %w", name, ErrBadName)
	}
	if len(r.sandboxes) >= r.max {
		r.sweepLocked()
	}
	if len(r.sandboxes) >= r.max {
		return nil, ErrLimit
	}
	name = strings.Clone(name) // since a header's value is a part of the whole request's memory
	sb := make(name)
	if r.closed {
		sb.close() // as the others were
	}
	sb.kept.Store(true)
	r.sandboxes[name] = sb
	r.scheduleLocked()
	return sb, nil
}

// Make makes the sandbox of the name unless it is there, and reports whether it
// did. With a baseline the sandbox has that one and is like new, either way. The
// error is [ErrBadName] or [ErrLimit].
func (r *Registry) Make(name string, own *Baseline) (sb *Sandbox, created bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if sb, ok := r.sandboxes[name]; ok {
		if own != nil {
			sb.Rebase(*own)
		}
		return sb, false, nil
	}
	make := r.likeNew
	if own != nil {
		baseline := *own
		make = func(name string) *Sandbox { return newSandbox(name, &r.options, &baseline) }
	}
	sb, err = r.addLocked(name, make)
	return sb, err == nil, err
}

// Baseline returns the baseline that the sandbox of the name has, or would have
// if it were made now.
func (r *Registry) Baseline(name string) Baseline {
	if sb, err := r.Find(name); err == nil {
		return sb.Baseline()
	}
	return r.options.Baseline
}

// Len returns how many sandboxes there are.
func (r *Registry) Len() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.sandboxes)
}

// Find returns the sandbox of the name, or [ErrUnknown].
func (r *Registry) Find(name string) (*Sandbox, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	sb, ok := r.sandboxes[name]
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrUnknown, name)
	}
	return sb, nil
}

// Fork makes a sandbox that is a copy of another at this moment: its data,
// baseline, snapshots, clock, faults and lifecycles, not its journal, report, keys
// and history; its draws begin anew. Its cost does not depend on the data. The error is [ErrUnknown],
// [ErrExists], [ErrBadName] or [ErrLimit].
func (r *Registry) Fork(from, to string) (*Sandbox, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	source, ok := r.sandboxes[from]
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrUnknown, from)
	}
	if _, ok := r.sandboxes[to]; ok {
		return nil, fmt.Errorf("%w: %q", ErrExists, to)
	}
	return r.addLocked(to, source.fork)
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

// Drop forgets the sandbox of the name; what still goes on in it ends in peace.
// The error is [ErrUnknown] or [ErrDefault].
func (r *Registry) Drop(name string) error {
	if name == Default {
		return ErrDefault
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	sb, ok := r.sandboxes[name]
	if !ok {
		return fmt.Errorf("%w: %q", ErrUnknown, name)
	}
	r.dropLocked(sb)
	return nil
}

// Sweep drops the sandboxes that were idle for the registry's ttl.
func (r *Registry) Sweep() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweepLocked()
}

// Close ends every stream and stops the sweeping. Sandboxes may still be used.
func (r *Registry) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.sweeper != nil {
		r.sweeper.Stop()
	}
	for _, sb := range r.sandboxes {
		sb.close()
	}
}

func (r *Registry) sweepLocked() {
	now := r.options.Machine()
	if r.ttl == 0 || now.Before(r.idleFrom) {
		return // a full server looks here with every sandbox that it refuses
	}
	longest := time.Duration(0)
	for _, sb := range r.sandboxes {
		if sb == r.def {
			continue
		}
		idle := sb.idleFor(now)
		if idle >= r.ttl {
			r.dropLocked(sb)
		} else {
			longest = max(longest, idle)
		}
	}
	r.idleFrom = now.Add(r.ttl - longest)
}

func (r *Registry) dropLocked(sb *Sandbox) {
	delete(r.sandboxes, sb.Name)
	sb.close()
}

// scheduleLocked sees to it that idle sandboxes go although nobody asks for them.
// A quarter of the ttl bounds how much too long one may stay.
func (r *Registry) scheduleLocked() {
	if r.ttl == 0 || r.sweeper != nil || r.closed || len(r.sandboxes) < 2 {
		return
	}
	r.sweeper = time.AfterFunc(max(r.ttl/4, time.Millisecond), func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.sweeper = nil
		r.sweepLocked()
		r.scheduleLocked()
	})
}
