package sandbox

import "example.com/petstore/store"

// Default is the name of the sandbox that always exists.
const Default = "default"

// Options are what every sandbox of a server starts with.
type Options struct {
	Baseline   *store.State         // shared, never changed
	MaxRecords int                  // see [store.New]
	Clock      Clock                // zero: the machine's
	Lifecycles map[string]Lifecycle // by operationId; shared, never changed
}

// Sandbox is one isolated copy of the service. All its methods may be called by
// any number of goroutines.
type Sandbox struct {
	Name        string
	Store       *store.Store
	Clock       Clock
	Idempotency Idempotency

	lifecycles map[string]Lifecycle
	callers    callers
}

// New returns a sandbox. Its cost does not depend on the data.
func New(name string, o Options) *Sandbox {
	return &Sandbox{
		Name:       name,
		Store:      store.New(o.Baseline, o.MaxRecords),
		Clock:      o.Clock,
		lifecycles: o.Lifecycles,
	}
}

// Lifecycle returns what the operation says about its age in this sandbox.
func (s *Sandbox) Lifecycle(operationID string) Lifecycle { return s.lifecycles[operationID] }

// FirstUse reports whether the caller uses the deprecated operation for the
// first time since the last reset.
func (s *Sandbox) FirstUse(operationID, caller string) bool {
	return s.callers.first(operationID, caller)
}

// Reset makes the sandbox like new: data, ids, idempotency keys and remembered
// callers. Its cost does not depend on the data.
func (s *Sandbox) Reset() {
	s.Store.Reset()
	s.Idempotency.Reset()
	s.callers.reset()
}
