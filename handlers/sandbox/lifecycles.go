package sandbox

import (
	"maps"
	"sync"
	"sync/atomic"

	"example.com/petstore/store/field"
)

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

// Unknown formats the message for an unknown operationId, with suggestions. list names the list of
// operations for the reader.
func (l *Lifecycles) Unknown(operationID, list string) string {
	ids := make([]string, len(l.operations))
	for i := range l.operations {
		ids[i] = l.operations[i].ID
	}
	message := "there is no operation " + field.Quote(operationID) + "; "
	if nearest, ok := field.Nearest(operationID, ids); ok {
		message += "did you mean " + nearest + "? "
	}
	return message + list + " lists them"
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
