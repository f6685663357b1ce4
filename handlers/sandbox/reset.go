package sandbox

import (
	"fmt"
	"slices"

	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// ErrHistory means that the undo history has too few writes.
var ErrHistory = field.Refusal("conflict", "there are not that many writes to undo")

// ErrGone means that undo can no longer restore a state.
var ErrGone = field.Refusal("history_gone", "undo no longer reaches the data of the request")

// Part is a part of a sandbox that can be reset separately.
type Part string

// The parts of a sandbox.
const (
	PartData      Part = "data" // including undo history and idempotency keys
	PartFaults    Part = "faults"
	PartClock     Part = "clock"
	PartLifecycle Part = "lifecycle"
	PartJournal   Part = "journal"
	PartReport    Part = "report"
	PartKeys      Part = "keys" // idempotency keys
	PartLimit     Part = "limit"
	PartSnapshots Part = "snapshots"
	PartWebhooks  Part = "webhooks" // including their deliveries
)

// Parts returns every part, in the order of the documentation.
func Parts() []Part {
	return []Part{PartData, PartFaults, PartClock, PartLifecycle, PartJournal, PartReport, PartKeys, PartLimit,
		PartSnapshots, PartWebhooks}
}

// Reset restores the baseline's data, and the template's clock, faults and lifecycles. It keeps the
// snapshots and the webhooks, but removes all deliveries. It empties all other parts. If parts are
// given, Reset resets only those. Resetting the faults restarts the random draws. Resetting the
// data ends requests that are waiting. The cost does not depend on the size of the data.
func (s *Sandbox) Reset(only ...Part) {
	s.changing.Lock()
	defer s.changing.Unlock()
	s.resetParts(only)
}

func (s *Sandbox) resetParts(only []Part) {
	if len(only) == 0 {
		s.Webhooks.Empty() // first, so that the deliveries about this reset are kept
		only = slices.DeleteFunc(Parts(), func(p Part) bool { return p == PartSnapshots || p == PartWebhooks })
	}
	for _, part := range only {
		s.resetPart(part)
	}
}

func (s *Sandbox) resetPart(part Part) {
	switch part {
	case PartData:
		s.endWaits()
		s.Store.Reset()
		s.dataReplaced()
		s.writes.Store(0)
	case PartFaults:
		s.Faults.Load(s.Template().Faults.Save())
		s.requests.Store(0)
	case PartClock:
		s.Template().Clock.copyTo(s.Clock)
	case PartLifecycle:
		s.Template().Lifecycles.CopyTo(&s.Lifecycles)
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

// Rebase sets the baseline and then resets the sandbox, or only the given parts, which must include
// the data. If the new data does not fit in addition to the snapshots, the journal and the other
// parts, Rebase returns a [store.FullBytes] error and changes nothing.
func (s *Sandbox) Rebase(b Baseline, only ...Part) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	if err := s.Store.Rebase(b.State, s.beside()); err != nil {
		return err
	}
	s.baseline.Store(new(b.Clone()))
	s.resetParts(only)
	return nil
}

// Renew makes the sandbox like a new one with the given template and baseline. It resets all parts,
// including the snapshots and webhooks. Like a new sandbox, it can hold any baseline that fits
// [Options.MaxBytes], because nothing else remains.
func (s *Sandbox) Renew(template *Sandbox, b Baseline) {
	s.changing.Lock()
	defer s.changing.Unlock()
	s.SetTemplate(template)
	s.SetBaseline(b)
	s.Snapshots.Reset()
	s.Webhooks.Reset() // before resetParts, so that no webhook reports this reset
	s.resetParts(nil)
}

// endWaits ends requests that are waiting. It is called before a reset or an imported world
// replaces the data, so that none of these requests writes to the new data.
func (s *Sandbox) endWaits() { close(*s.data.Swap(new(make(chan struct{})))) }

// SetBaseline sets the baseline for the next reset.
func (s *Sandbox) SetBaseline(b Baseline) {
	s.baseline.Store(new(b.Clone()))
	s.Store.SetBaseline(b.State)
}

// Import replaces the data and, if baseline is true, the baseline. Undo reverts the data, but not
// the baseline. The error is a [store.FullBytes] or [store.TooLarge]. A state may have at most
// [Options.MaxRecords] more records than the baseline. If baseline is true, it may have at most
// that many more records than the origin.
func (s *Sandbox) Import(state *store.State, baseline bool) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	if baseline {
		if err := s.Store.FitsBaseline(state, s.beside()); err != nil {
			return err
		}
		s.SetBaseline(Baseline{State: state, Seed: s.Baseline().Seed})
	} else if err := s.Store.Fits(state, s.beside()); err != nil {
		return err
	}
	s.Store.Replace(state, s.beside())
	s.dataReplaced()
	return nil
}

// TakeSnapshot stores the data under the name; see [Snapshots.Take].
func (s *Sandbox) TakeSnapshot(name string) (taken *Snapshot, created bool, err error) {
	s.changing.Lock() // so that a concurrent write counts the snapshot's memory
	defer s.changing.Unlock()
	return s.Snapshots.Take(name, s.Store.Keep(), s.Clock.Now())
}

// Restore replaces the data with the named snapshot, or returns [ErrNoSnapshot]. Undo can revert
// the replacement.
func (s *Sandbox) Restore(name string) error {
	snapshot, err := s.Snapshots.Find(name)
	if err != nil {
		return err
	}
	s.changing.Lock()
	defer s.changing.Unlock()
	s.Store.Replace(snapshot.State, s.beside())
	s.dataReplaced()
	return nil
}

// Undo reverts the given number of writes, starting with the last one, or returns [ErrHistory].
func (s *Sandbox) Undo(steps int) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	if !s.Store.Undo(steps) {
		return fmt.Errorf("%w: %d can be undone", ErrHistory, s.Store.Undoable())
	}
	s.dataReplaced()
	return nil
}

// At returns the data as it was after the request with the given id in the journal, or before it.
// If the request changed nothing, this is the data that it read. The error is [journal.ErrNoEntry]
// or [ErrGone].
func (s *Sandbox) At(entry int64, before bool) (*store.State, error) {
	old, number, err := s.Journal.StatesOf(entry)
	if err != nil {
		return nil, err
	}
	if before {
		number = old
	}
	state := s.Store.At(number)
	if state == nil {
		return nil, fmt.Errorf("%w: %d", ErrGone, entry)
	}
	return state, nil
}

// dataReplaced counts a write and notifies clients that all data may have changed. It also deletes
// the idempotency keys, because the record in a stored response may have been deleted and its id
// reused.
func (s *Sandbox) dataReplaced() {
	s.writes.Add(1)
	s.Idempotency.Reset()
	s.Journal.Publish(journal.Event{Name: journal.EventReset})
}
