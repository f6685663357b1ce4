package lifecycle

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"example.com/petstore/store/field"
)

// Stability is the stability of an operation's contract. An empty Stability means stable.
type Stability string

// GitBook and other documentation tools read Experimental and Beta from x-stability.
// [Operation.Complete] replaces Stable with an empty Stability.
const (
	Experimental Stability = "experimental"
	Beta         Stability = "beta"
	Stable       Stability = "stable"
)

// Lifecycle is the deprecation, sunset and stability of one operation. Headers, documents, logs and
// enforcement are derived from it. The zero Lifecycle belongs to a stable operation that is not
// deprecated. [Lifecycles] never modifies a Lifecycle, but replaces it.
type Lifecycle struct {
	Stability Stability

	// Deprecated marks the operation as deprecated (RFC 9745) from DeprecatedSince on, which may be
	// in the future.
	Deprecated      bool
	DeprecatedSince time.Time

	// Sunset is the time when the operation will be removed (RFC 8594). Zero means that no removal
	// is planned.
	Sunset time.Time
	// Successor is the request that replaces the operation: a path with an optional query. In the
	// successor, {name} stands for the operation's path parameter with that name. An empty
	// Successor means that there is none.
	Successor string
	// Advice is the part of a warning that describes the successor. It may contain the same
	// placeholders.
	Advice string

	// Brownout is the fraction of calls, from 0 to 1, that return 410 from the deprecation until the
	// sunset is enforced.
	Brownout float64

	// EnforceSunset makes the operation return 410 from the sunset on.
	EnforceSunset bool
}

// Past reports whether the sunset has passed, enforced or not. At the instant of the sunset, the
// sunset has passed.
func (l *Lifecycle) Past(now time.Time) bool { return !l.Sunset.IsZero() && !now.Before(l.Sunset) }

// Operation describes an API operation.
type Operation struct {
	ID, Method, Path, Tag string
	Index                 int       // the index in [Lifecycles.Operations]
	Lifecycle             Lifecycle // the lifecycle in the document; its times are results of [WholeSecond]
	Permanent             bool      // not affected by faults, never returns 410, and not in the journal
}

// Lifecycles holds the lifecycles of all operations in one sandbox. An operation has the lifecycle
// of the OpenAPI document until its lifecycle is changed.
type Lifecycles struct {
	Operations []Operation // all operations of the service, in the order of the document; never changed

	changing sync.Mutex                            // serializes changes
	changed  atomic.Pointer[map[string]*Lifecycle] // by operationId; a published map is never modified
}

// Init sets the operations of a new Lifecycles.
func (l *Lifecycles) Init(operations []Operation) {
	l.Operations = operations
	l.changed.Store(new(map[string]*Lifecycle))
}

// Find returns the operation with the id. The error suggests a similar id, if there is one.
func (l *Lifecycles) Find(operationID string) (*Operation, error) {
	if op := l.find(operationID); op != nil {
		return op, nil
	}
	var ids []string
	for _, op := range l.Operations {
		ids = append(ids, op.ID)
	}
	suggestion := ""
	if nearest, ok := field.Nearest(operationID, ids); ok {
		suggestion = "; did you mean " + nearest + "?"
	}
	return nil, field.Refusal("not_found.operation", "there is no operation %s%s", field.Quote(operationID), suggestion)
}

// find returns the operation with the id, or nil.
func (l *Lifecycles) find(operationID string) *Operation {
	for i := range l.Operations {
		if l.Operations[i].ID == operationID {
			return &l.Operations[i]
		}
	}
	return nil
}

// Changed returns the operation's lifecycle if it was changed in this sandbox, or nil.
func (l *Lifecycles) Changed(operationID string) *Lifecycle { return (*l.changed.Load())[operationID] }

// Changes returns the number of operations whose lifecycle was changed in this sandbox.
func (l *Lifecycles) Changes() int { return len(*l.changed.Load()) }

// Current returns the operation's lifecycle in this sandbox.
func (l *Lifecycles) Current(operationID string) Lifecycle {
	if changed := l.Changed(operationID); changed != nil {
		return *changed
	}
	if op := l.find(operationID); op != nil {
		return op.Lifecycle
	}
	return Lifecycle{}
}

// Set sets the operation's lifecycle.
func (l *Lifecycles) Set(op *Operation, to Lifecycle) {
	l.Change(op, func(Lifecycle) (Lifecycle, bool) { return to, true })
}

// Change calls change with the operation's current lifecycle, and sets the result if ok is true.
// Changes are serialized.
func (l *Lifecycles) Change(op *Operation, change func(current Lifecycle) (to Lifecycle, ok bool)) {
	l.changing.Lock()
	defer l.changing.Unlock()
	to, ok := change(l.Current(op.ID))
	if !ok {
		return
	}
	next := make(map[string]*Lifecycle)
	maps.Copy(next, *l.changed.Load())
	if next[op.ID] = &to; to == op.Lifecycle {
		delete(next, op.ID)
	}
	l.changed.Store(&next)
}

// Load sets the given lifecycles, by operationId. All other operations get the document's
// lifecycles.
func (l *Lifecycles) Load(to map[string]*Lifecycle) {
	next := make(map[string]*Lifecycle)
	for _, op := range l.Operations {
		if lifecycle := to[op.ID]; lifecycle != nil && *lifecycle != op.Lifecycle {
			next[op.ID] = lifecycle
		}
	}
	l.changing.Lock()
	defer l.changing.Unlock()
	l.changed.Store(&next)
}

// CopyTo copies the lifecycles to another sandbox with the same operations.
func (l *Lifecycles) CopyTo(other *Lifecycles) {
	other.changing.Lock()
	defer other.changing.Unlock()
	other.changed.Store(l.changed.Load())
}
