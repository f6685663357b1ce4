package sandbox

import (
	"time"

	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/store"
)

// World is the exported part of a sandbox's contents; see [Sandbox.World].
type World struct {
	Baseline  Baseline
	State     *store.State
	Snapshots []*Snapshot // newest first
	Clock     ClockReading
	// By operationId. A lifecycle that is zero both in the sandbox and in the document is left out.
	Lifecycles map[string]*lifecycle.Lifecycle
	Faults     fault.Saved
	Draw       uint64 // the draw number of the next request
}

// World returns the contents of the sandbox. The effects of a concurrent request may appear in only
// some of the parts. A concurrent reset or load appears in all parts or in none.
func (s *Sandbox) World() World {
	s.changing.Lock()
	defer s.changing.Unlock()
	w := World{
		Baseline: s.Baseline(), State: s.Store.View(), Snapshots: s.Snapshots.newestFirst(), Clock: s.Clock.Read(),
		Lifecycles: make(map[string]*lifecycle.Lifecycle), Faults: s.Faults.Save(), Draw: drawAfter(s.requests.Load()),
	}
	for _, op := range s.Lifecycles.Operations {
		if l := s.Lifecycles.Current(op.ID); l != (lifecycle.Lifecycle{}) || op.Lifecycle != (lifecycle.Lifecycle{}) {
			w.Lifecycles[op.ID] = &l
		}
	}
	return w
}

// NewWorld is the new contents of a sandbox. It is made for one server, and never changes once it
// is complete.
type NewWorld struct {
	Baseline   Baseline
	Data       *store.Rebuild // the baseline, the current state and the states of the snapshots
	Snapshots  []Snapshot     // newest first, with valid names and without states
	Now        *time.Time     // the time that the clock shows; nil means the machine's time
	Frozen     bool
	Lifecycles map[string]*lifecycle.Lifecycle // by operationId; other operations have the document's lifecycle
	Faults     fault.Saved                     // each rule has passed [Sandbox.CheckRule]
	Draw       uint64                          // the draw number of the next request, from 1
	Trusted    bool                            // whether Load accepts more bytes than [Options.MaxBytes]
}

// Load replaces the contents of the sandbox. It clears the journal, the report, the idempotency
// keys and the undo history, and restores the quotas of the rate limit. Like a reset, it discards
// all deliveries and ends requests that are waiting. The error is [ErrSnapshotFull], an error
// of [fault.Saved.Check], a [store.FullBytes] or a [store.TooLarge]. After an error, the sandbox is
// unchanged.
func (s *Sandbox) Load(w *NewWorld) error {
	if len(w.Snapshots) > MaxSnapshots {
		return ErrSnapshotFull
	}
	ruleBytes, err := w.Faults.Check()
	if err != nil {
		return err
	}
	s.changing.Lock()
	defer s.changing.Unlock()
	if err := s.Store.FitsRebuild(w.Data, ruleBytes, w.Trusted, s.beside()); err != nil {
		return err
	}
	s.endWaits()
	kept := s.Store.Load(w.Data)
	s.baseline.Store(new(w.Baseline.Clone()))
	s.Snapshots.load(w.snapshots(kept))
	if w.Now == nil {
		s.Clock.Reset()
	} else {
		s.Clock.Set(*w.Now, w.Frozen)
	}
	s.Lifecycles.Load(w.Lifecycles)
	s.Faults.Load(w.Faults)
	s.requests.Store(w.Draw - 1)
	for _, part := range []Part{PartJournal, PartReport, PartLimit} {
		s.resetPart(part)
	}
	s.Webhooks.Empty()
	s.dataReplaced()
	s.writes.Store(0)
	return nil
}

func (w *NewWorld) snapshots(kept []store.Kept) []*Snapshot {
	list := make([]*Snapshot, len(kept))
	for i, state := range kept {
		snapshot := w.Snapshots[i]
		snapshot.Kept = state
		list[i] = &snapshot
	}
	return list
}
