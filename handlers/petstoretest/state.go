package petstoretest

import (
	"fmt"

	"example.com/petstore/fixtures"
)

// State returns the data as it is now, for reading. It never changes: later writes
// make new states.
func (s *Sandbox) State() *State {
	s.t.Helper()
	return s.live().Store.View()
}

// StateAt returns the data right after the request with this id in the journal, or for a read the
// data that it read. If the journal no longer has the request, or undo no longer reaches its data,
// the test ends.
func (s *Sandbox) StateAt(entry int64) *State {
	s.t.Helper()
	state, err := s.live().At(entry)
	s.must(err)
	return state
}

// Export returns all data in the format of fixture files, as JSON. The text is the
// same for the same data, so tests can compare it.
func (s *Sandbox) Export() string {
	s.t.Helper()
	text, err := fixtures.Encode(s.State())
	s.must(err)
	return string(text)
}

// Import replaces all data with that of a fixture file, JSON or YAML; package
// fixtures shows the format. It is a write, which Undo can undo. A file with errors
// ends the test with all of them, each with its place.
func (s *Sandbox) Import(file string) {
	s.t.Helper()
	s.importFile(file, false)
}

// ImportBaseline replaces all data as [Sandbox.Import] does, and makes it the baseline.
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

// DiffFrom returns the differences from the snapshot with the name.
func (s *Sandbox) DiffFrom(name string) Diff {
	s.t.Helper()
	snapshot, err := s.live().Snapshots.Find(name)
	s.must(err)
	return s.State().Diff(snapshot.State)
}

// Undo undoes the last steps writes, including ids. The last 100 are kept; if there
// are fewer than steps, the test ends.
func (s *Sandbox) Undo(steps int) {
	s.t.Helper()
	if steps < 1 {
		s.must(fmt.Errorf("Undo needs at least 1 step, not %d", steps))
	}
	s.must(s.live().Undo(steps))
}

// Undoable returns the number of writes that Undo can undo.
func (s *Sandbox) Undoable() int {
	s.t.Helper()
	return s.live().Store.Undoable()
}
