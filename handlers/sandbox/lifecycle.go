package sandbox

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"example.com/petstore/store/field"
)

// Stability is the stability of an operation's contract. The empty Stability is stable.
type Stability string

// The stabilities, in the words that GitBook and other documentation tools read from x-stability.
// [Operation.Complete] replaces Stable by the empty one.
const (
	Experimental Stability = "experimental"
	Beta         Stability = "beta"
	Stable       Stability = "stable"
)

// Lifecycle is the deprecation, sunset and stability of one operation. Headers, documents, logs and
// enforcement are derived from it. The zero Lifecycle is a stable operation that is not deprecated.
// A Lifecycle in a sandbox never changes in place.
type Lifecycle struct {
	Stability Stability

	// Deprecated marks the operation as deprecated since DeprecatedSince (RFC 9745), which may be
	// in the future.
	Deprecated      bool
	DeprecatedSince time.Time

	// Sunset is the time of the operation's removal (RFC 8594). Zero means that none is planned.
	Sunset time.Time
	// Successor is the request to make instead: a path with query, in which {name} stands for the
	// path parameter of that name. It may be empty.
	Successor string
	// Advice describes the successor at the end of a warning. It may contain the same placeholders.
	Advice string

	// Brownout is the share of calls, from 0 to 1, that get a 410 before the sunset.
	Brownout float64

	// EnforceSunset makes the operation return 410 after the sunset.
	EnforceSunset bool
}

// Past reports whether the sunset has passed, enforced or not. The instant of the sunset itself
// counts as passed.
func (l *Lifecycle) Past(now time.Time) bool { return !l.Sunset.IsZero() && !now.Before(l.Sunset) }

// same reports whether both lead to equal headers and documents.
func (l Lifecycle) same(other Lifecycle) bool {
	if !wholeSecond(l.DeprecatedSince).Equal(wholeSecond(other.DeprecatedSince)) || !wholeSecond(l.Sunset).Equal(wholeSecond(other.Sunset)) {
		return false
	}
	l.DeprecatedSince, l.Sunset = other.DeprecatedSince, other.Sunset
	return l == other
}

// Lifecycles are the lifecycles of all operations in one sandbox: the document's, unless changed.
type Lifecycles struct {
	operations []Operation

	changing sync.Mutex                            // serializes changes
	changed  atomic.Pointer[map[string]*Lifecycle] // by operationId; a published map never changes
}

func (l *Lifecycles) init(operations []Operation) { l.operations = operations }

// Operations returns every operation with a lifecycle, in the order of the document.
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

// Unknown returns the error for an unknown operationId, with a suggestion.
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

// Changed returns the operation's lifecycle if it was set in this sandbox, or nil.
func (l *Lifecycles) Changed(operationID string) *Lifecycle {
	changed := l.changed.Load()
	if changed == nil {
		return nil
	}
	return (*changed)[operationID]
}

// Changes returns the number of operations whose lifecycle was set in this sandbox.
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

// Set sets the operation's lifecycle. Nil, or the document's own, returns it to the document's.
func (l *Lifecycles) Set(operationID string, to *Lifecycle) {
	l.changing.Lock()
	defer l.changing.Unlock()
	l.setLocked(operationID, to)
}

// Change sets the operation's lifecycle to the result of change for the current one, if ok. Changes
// are serialized.
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
	if op, ok := l.Find(operationID); to == nil || ok && to.same(op.Lifecycle) {
		delete(next, operationID)
	} else {
		next[operationID] = to
	}
	l.publishLocked(next)
}

// load sets the given lifecycles by operationId, and returns all others to the document's.
func (l *Lifecycles) load(to map[string]*Lifecycle) {
	next := maps.Clone(to)
	maps.DeleteFunc(next, func(id string, lifecycle *Lifecycle) bool {
		op, ok := l.Find(id)
		return ok && lifecycle.same(op.Lifecycle)
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

// copyTo copies the lifecycles to another sandbox with the same operations.
func (l *Lifecycles) copyTo(other *Lifecycles) {
	other.changing.Lock()
	defer other.changing.Unlock()
	other.changed.Store(l.changed.Load())
}
