package petstoretest

// Snapshot keeps the data under the name, in the place of a snapshot that had it. A
// name is as for sandboxes over HTTP: lower-case letters, digits, ".", "_" and "-".
// It costs the same however much data there is.
func (s *Sandbox) Snapshot(name string) {
	s.t.Helper()
	_, _, err := s.live().Snapshots.Take(name, s.State(), s.Now())
	s.must(err)
}

// Snapshots returns the snapshots by name.
func (s *Sandbox) Snapshots() []*Snapshot {
	s.t.Helper()
	return s.live().Snapshots.List()
}

// Restore returns to the data of the snapshot. It is a write, which Undo takes
// back.
func (s *Sandbox) Restore(name string) {
	s.t.Helper()
	s.must(s.live().Restore(name))
}

// DropSnapshot forgets the snapshot.
func (s *Sandbox) DropSnapshot(name string) {
	s.t.Helper()
	s.must(s.live().Snapshots.Drop(name))
}
