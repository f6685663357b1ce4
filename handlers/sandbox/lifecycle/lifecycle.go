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
// deprecated. A Lifecycle in a sandbox is never modified.
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

	// Brownout is the fraction of calls, from 0 to 1, that return 410 before the sunset is enforced.
	Brownout float64

	// EnforceSunset makes the operation return 410 from the sunset on.
	EnforceSunset bool
}

// Past reports whether the sunset has passed, enforced or not. At the instant of the sunset, the
// sunset has passed.
func (l *Lifecycle) Past(now time.Time) bool { return !l.Sunset.IsZero() && !now.Before(l.Sunset) }

// equal reports whether two lifecycles are equal, except for fractions of a second.
func (l Lifecycle) equal(other Lifecycle) bool {
	if !wholeSecond(l.DeprecatedSince).Equal(wholeSecond(other.DeprecatedSince)) ||
		!wholeSecond(l.Sunset).Equal(wholeSecond(other.Sunset)) {
		return false
	}
	l.DeprecatedSince, l.Sunset = other.DeprecatedSince, other.Sunset
	return l == other
}

// Operation describes an API operation.
type Operation struct {
	ID, Method, Path, Tag string
	Lifecycle             Lifecycle // the lifecycle in the document
	Permanent             bool      // not affected by faults, never returns 410, and not in the journal
}

// Lifecycles holds the lifecycles of all operations in one sandbox. An operation has the lifecycle
// of the OpenAPI document until its lifecycle is changed.
type Lifecycles struct {
	operations []Operation

	changing sync.Mutex                            // serializes changes
	changed  atomic.Pointer[map[string]*Lifecycle] // by operationId; a published map is never modified
}

// Init sets the operations of a new Lifecycles.
func (l *Lifecycles) Init(operations []Operation) { l.operations = operations }

// Operations returns all operations of the service, in the order of the document.
func (l *Lifecycles) Operations() []Operation { return l.operations }

// Find returns the operation with the id.
func (l *Lifecycles) Find(operationID string) (*Operation, bool) {
	for i := range l.operations {
		if l.operations[i].ID == operationID {
			return &l.operations[i], true
		}
	}
	return nil, false
}

// Unknown returns the error for an unknown operationId. It suggests a similar one, if there is one.
func (l *Lifecycles) Unknown(operationID string) error {
	ids := make([]string, len(l.operations))
	for i := range l.operations {
		ids[i] = l.operations[i].ID
	}
	suggestion := ""
	if nearest, ok := field.Nearest(operationID, ids); ok {
		suggestion = "; did you mean " + nearest + "?"
	}
	return field.Refusal("not_found.operation", "there is no operation %s%s", field.Quote(operationID), suggestion)
}

// Changed returns the operation's lifecycle if it was changed in this sandbox, or nil.
func (l *Lifecycles) Changed(operationID string) *Lifecycle {
	changed := l.changed.Load()
	if changed == nil {
		return nil
	}
	return (*changed)[operationID]
}

// Changes returns the number of operations whose lifecycle was changed in this sandbox.
func (l *Lifecycles) Changes() int {
	if changed := l.changed.Load(); changed != nil {
		return len(*changed)
	}
	return 0
}

// Current returns the operation's lifecycle in this sandbox.
func (l *Lifecycles) Current(operationID string) Lifecycle {
	if changed := l.Changed(operationID); changed != nil {
		return *changed
	}
	if op, ok := l.Find(operationID); ok {
		return op.Lifecycle
	}
	return Lifecycle{}
}

// Set sets the operation's lifecycle. If to is nil, Set restores the document's lifecycle.
func (l *Lifecycles) Set(operationID string, to *Lifecycle) {
	l.changing.Lock()
	defer l.changing.Unlock()
	l.setLocked(operationID, to)
}

// Change calls change with the operation's current lifecycle, and sets the result if ok is true.
// Changes are serialized.
func (l *Lifecycles) Change(operationID string, change func(current Lifecycle) (to Lifecycle, ok bool)) {
	l.changing.Lock()
	defer l.changing.Unlock()
	if to, ok := change(l.Current(operationID)); ok {
		l.setLocked(operationID, &to)
	}
}

func (l *Lifecycles) setLocked(operationID string, to *Lifecycle) {
	next := make(map[string]*Lifecycle)
	if changed := l.changed.Load(); changed != nil {
		maps.Copy(next, *changed)
	}
	if op, ok := l.Find(operationID); to == nil || ok && to.equal(op.Lifecycle) {
		delete(next, operationID)
	} else {
		next[operationID] = to
	}
	l.publishLocked(next)
}

// Load sets the given lifecycles, by operationId. All other operations get the document's
// lifecycles.
func (l *Lifecycles) Load(to map[string]*Lifecycle) {
	next := maps.Clone(to)
	maps.DeleteFunc(next, func(id string, lifecycle *Lifecycle) bool {
		op, ok := l.Find(id)
		return ok && lifecycle.equal(op.Lifecycle)
	})
	l.changing.Lock()
	defer l.changing.Unlock()
	l.publishLocked(next)
}

func (l *Lifecycles) publishLocked(next map[string]*Lifecycle) {
	if len(next) == 0 {
		l.changed.Store(nil)
		return
	}
	l.changed.Store(&next)
}

// CopyTo copies the lifecycles to another sandbox with the same operations.
func (l *Lifecycles) CopyTo(other *Lifecycles) {
	other.changing.Lock()
	defer other.changing.Unlock()
	other.changed.Store(l.changed.Load())
}
