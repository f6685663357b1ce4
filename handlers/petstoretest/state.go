package petstoretest

import (
	"fmt"

	"example.com/petstore/fixtures"
)

// State returns the current data, for reading. The result never changes: later writes make new
// states.
func (s *Sandbox) State() *State {
	s.t.Helper()
	return s.live().Store.View()
}

// StateAt returns the data right after the request with the given id in the journal. For a read, it
// returns the data that was read. If the journal no longer has the request, or if undo can no
// longer restore the data, the test fails.
func (s *Sandbox) StateAt(entry int64) *State {
	s.t.Helper()
	state, err := s.live().At(entry, false)
	s.must(err)
	return state
}

// Export returns all data as JSON, in the format of fixture files. Equal data gives equal strings,
// so tests can compare them.
func (s *Sandbox) Export() string {
	s.t.Helper()
	text, err := fixtures.Encode(s.State())
	s.must(err)
	return string(text)
}

// Import replaces all data with the content of a fixture file in JSON or YAML; package fixtures
// describes the format. Undo can revert the import, like any write. If the file is invalid, Import
// fails the test and reports all errors with their locations.
func (s *Sandbox) Import(file string) {
	s.t.Helper()
	s.importFile(file, false)
}

// ImportBaseline is like [Sandbox.Import], but also makes the new data the baseline.
func (s *Sandbox) ImportBaseline(file string) {
	s.t.Helper()
	s.importFile(file, true)
}

func (s *Sandbox) importFile(file string, baseline bool) {
	s.t.Helper()
	state, err := fixtures.Decode([]byte(file))
	s.must(err)
	s.must(s.live().Import(state, baseline))
}

// Diff returns the differences from the baseline.
func (s *Sandbox) Diff() Diff {
	s.t.Helper()
	return s.State().Diff(s.Baseline().State)
}

// DiffFrom returns the differences from the named snapshot.
func (s *Sandbox) DiffFrom(name string) Diff {
	s.t.Helper()
	snapshot, err := s.live().Snapshots.Find(name)
	s.must(err)
	return s.State().Diff(snapshot.State)
}

// Undo reverts the given number of writes, starting with the last one, and the id counters. At most
// the last 100 writes can be reverted. If fewer writes than steps can be reverted, the test fails.
func (s *Sandbox) Undo(steps int) {
	s.t.Helper()
	if steps < 1 {
		s.must(fmt.Errorf("Undo needs at least 1 step, not %d", steps))
	}
	s.must(s.live().Undo(steps))
}

// Undoable returns the number of writes that Undo can revert.
func (s *Sandbox) Undoable() int {
	s.t.Helper()
	return s.live().Store.Undoable()
}
