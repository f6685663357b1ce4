package sandbox

import (
	"time"

	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/store"
)

// World is all that a sandbox holds at one moment, but what it was asked and has answered.
type World struct {
	Baseline   Baseline
	State      *store.State
	Snapshots  []*Snapshot // the newest first
	Clock      ClockReading
	Lifecycles map[string]*Lifecycle // by operationId, of those that say anything of their age
	Faults     fault.Saved
	Draw       uint64 // the number of the next request that draws
}

// World returns what the sandbox holds. What goes on meanwhile may be in a part of it and
// not in another; a reset or another world is in all of it or in none.
func (s *Sandbox) World() World {
	s.changing.Lock()
	defer s.changing.Unlock()
	w := World{
		Baseline: s.Baseline(), State: s.Store.View(), Snapshots: s.Snapshots.newestFirst(), Clock: s.Clock.Read(),
		Lifecycles: make(map[string]*Lifecycle), Faults: s.Faults.Save(), Draw: s.requests.Load() + 1,
	}
	for _, op := range s.Lifecycles.Operations() {
		if l := s.Lifecycles.Current(op.ID); l != (Lifecycle{}) || op.Lifecycle != (Lifecycle{}) {
			w.Lifecycles[op.ID] = &l
		}
	}
	return w
}

// NewWorld is what a sandbox is to hold. It is made for one server, and never changed once
// it is made.
type NewWorld struct {
	Baseline   Baseline
	Data       *store.Rebuild // of the baseline: the state, and those of the snapshots
	Snapshots  []NewSnapshot  // the newest first
	Now        *time.Time     // what the clock is to show; nil: the machine's time
	Frozen     bool
	Lifecycles map[string]*Lifecycle // by operationId; others are the document's
	Faults     fault.Saved           // each has passed [Sandbox.CheckRule]
	Draw       uint64                // from 1
}

// NewSnapshot is a snapshot of a [NewWorld] besides its state.
type NewSnapshot struct {
	Name    string // that passes [ValidName]
	Created time.Time
}

// Enter replaces all that the sandbox holds by the world, and makes it like new besides: its
// journal, report, idempotency keys, rate limit and undo history are empty. Waits of requests
// end as at a reset. The error is [ErrSnapshotFull], one of [fault.Saved.Check], or a
// [store.FullBytes] or [store.TooLarge] one, and nothing has happened.
func (s *Sandbox) Enter(w *NewWorld) error {
	if len(w.Snapshots) > MaxSnapshots {
		return ErrSnapshotFull
	}
	ruleBytes, err := w.Faults.Check()
	if err != nil {
		return err
	}
	s.changing.Lock()
	defer s.changing.Unlock()
	return s.Store.Load(w.Data, ruleBytes, s.endData, func(kept []store.Kept) {
		s.baseline.Store(new(w.Baseline.clone()))
		s.Snapshots.load(w.snapshots(kept))
		if w.Now == nil {
			s.Clock.Reset()
		} else {
			s.Clock.Set(*w.Now, w.Frozen)
		}
		s.Lifecycles.load(w.Lifecycles)
		s.Faults.Load(w.Faults)
		s.requests.Store(w.Draw - 1)
		for _, part := range []Part{PartJournal, PartReport, PartLimit} {
			s.resetPart(part)
		}
		s.Webhooks.Empty()
		s.replaced()
		s.writes.Store(0)
	})
}

func (w *NewWorld) snapshots(kept []store.Kept) []*Snapshot {
	list := make([]*Snapshot, len(kept))
	for i, state := range kept {
		list[i] = &Snapshot{Name: w.Snapshots[i].Name, Created: w.Snapshots[i].Created, Kept: state}
	}
	return list
}

// Enter is [Sandbox.Enter] for an acquired sandbox, which is registered and claimed then: a
// world that cannot be leaves no new sandbox behind. It returns the registered one. The error
// may also be [ErrLimit] or [memory.ErrFull].
func (r *Registry) Enter(acquired *Sandbox, w *NewWorld) (*Sandbox, error) {
	if err := acquired.Enter(w); err != nil {
		return nil, err
	}
	registered, err := r.Register(acquired)
	if err != nil {
		return nil, err
	}
	registered.Claim()
	registered.Touch()
	if registered != acquired { // somebody was faster
		err = registered.Enter(w)
	}
	return registered, err
}

// StartWith makes the default sandbox start with the world, and others too, with its data as
// the baseline of all, with its clock, lifecycles and faults, and without its snapshots. It is
// for a server that nobody has used yet. The error is as that of [Sandbox.Enter].
func (r *Registry) StartWith(w *NewWorld) error {
	for _, sb := range []*Sandbox{r.fresh, r.def} {
		if err := sb.Enter(w); err != nil {
			return err
		}
	}
	for _, sb := range []*Sandbox{r.fresh, r.def} { // so that a reset returns to the start
		sb.setBaseline(Baseline{State: sb.Store.View(), Seed: sb.baseline.Load().Seed})
	}
	r.first = r.fresh.asTemplate(Name{})
	r.DropTemplate()
	return nil
}
