package sandbox

import (
	"errors"
	"fmt"
	"slices"

	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
)

// ErrHistory means that fewer writes are remembered than were to be taken back.
var ErrHistory = errors.New("there are not that many writes to undo")

// Part is a part of a sandbox that can be reset by itself.
type Part string

// The parts of a sandbox.
const (
	PartData      Part = "data" // with the undo history and the idempotency keys
	PartFaults    Part = "faults"
	PartClock     Part = "clock"
	PartLifecycle Part = "lifecycle"
	PartJournal   Part = "journal"
	PartReport    Part = "report"
	PartKeys      Part = "keys" // idempotency keys
	PartLimit     Part = "limit"
	PartSnapshots Part = "snapshots"
	PartWebhooks  Part = "webhooks" // with their deliveries
)

// Parts returns every part, in the order of the documentation.
func Parts() []Part {
	return []Part{PartData, PartFaults, PartClock, PartLifecycle, PartJournal, PartReport, PartKeys, PartLimit, PartSnapshots, PartWebhooks}
}

// Reset makes the sandbox as it was when it was made, all but its snapshots and its webhooks,
// which have nothing more to deliver; with parts, just those. Random draws begin anew with the faults. A reset of the data ends the waits of
// requests. Its cost does not depend on the data.
func (s *Sandbox) Reset(only ...Part) {
	s.changing.Lock()
	defer s.changing.Unlock()
	s.resetParts(only)
}

func (s *Sandbox) resetParts(only []Part) {
	if len(only) == 0 {
		s.Webhooks.Empty() // before the data, whose reset they tell
		only = slices.DeleteFunc(Parts(), func(p Part) bool { return p == PartSnapshots || p == PartWebhooks })
	}
	for _, part := range only {
		s.resetPart(part)
	}
}

func (s *Sandbox) resetPart(part Part) {
	switch part {
	case PartData:
		s.endData()
		s.Store.Reset(func() {
			s.replaced()
			s.writes.Store(0)
		})
	case PartFaults:
		s.Faults.CopyFrom(s.start.Load().Faults)
		s.requests.Store(0)
	case PartClock:
		s.start.Load().Clock.copyTo(s.Clock)
	case PartLifecycle:
		s.start.Load().Lifecycles.copyTo(&s.Lifecycles)
	case PartJournal:
		s.Journal.Reset()
	case PartReport:
		s.Report.Reset()
	case PartKeys:
		s.Idempotency.Reset()
	case PartLimit:
		s.Limiter.Reset()
	case PartSnapshots:
		s.Snapshots.Reset()
	case PartWebhooks:
		s.Webhooks.Reset()
	}
}

// Rebase gives the sandbox another baseline and makes it like new, or the given
// parts, of which data is one.
func (s *Sandbox) Rebase(b Baseline, only ...Part) {
	s.changing.Lock()
	defer s.changing.Unlock()
	s.setBaseline(b)
	s.resetParts(only)
}

// endData ends this life of the data before it is other than it was, so that no request that
// waited writes into the new one.
func (s *Sandbox) endData() { close(*s.data.Swap(new(make(chan struct{})))) }

func (s *Sandbox) setBaseline(b Baseline) {
	s.baseline.Store(new(b.clone()))
	s.Store.SetBaseline(b.State)
}

// Import replaces the data, and the baseline too if that is asked for. Undo takes
// back the new data, not the new baseline. The error is a [store.FullBytes] or a
// [store.TooLarge] one: a state may have no more records than writes could make of the
// baseline, and a baseline no more than they could make of the server's.
func (s *Sandbox) Import(state *store.State, baseline bool) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	if baseline {
		if err := s.Store.FitsBaseline(state); err != nil {
			return err
		}
		s.setBaseline(Baseline{State: state, Seed: s.Baseline().Seed})
	} else if err := s.Store.Fits(state); err != nil {
		return err
	}
	s.Store.Replace(state, s.replaced)
	return nil
}

// Restore returns to the data of a snapshot, or returns [ErrNoSnapshot]. Undo takes
// it back.
func (s *Sandbox) Restore(name string) error {
	snapshot, err := s.Snapshots.Find(name)
	if err != nil {
		return err
	}
	s.Store.Replace(snapshot.State, s.replaced)
	return nil
}

// Undo takes back the last writes, or returns [ErrHistory].
func (s *Sandbox) Undo(steps int) error {
	if !s.Store.Undo(steps, s.replaced) {
		return fmt.Errorf("%w: %d can be undone", ErrHistory, s.Store.Undoable())
	}
	return nil
}

// replaced tells clients that all data may be other than it was, and forgets the
// idempotency keys: a record that a kept answer tells of may be gone, and its id
// another's.
func (s *Sandbox) replaced() {
	s.writes.Add(1)
	s.Idempotency.Reset()
	s.Journal.Publish(journal.Event{Name: journal.EventReset})
}
