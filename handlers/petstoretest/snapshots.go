package petstoretest

// Snapshot saves the data under the name, replacing any snapshot with that name. A name consists of
// up to 63 lower-case letters, digits, ".", "_" and "-", and begins with a letter or a digit.
// Saving takes the same time however much data there is.
func (s *Sandbox) Snapshot(name string) {
	s.t.Helper()
	_, _, err := s.live().TakeSnapshot(name)
	s.must(err)
}

// Snapshots returns the snapshots, sorted by name.
func (s *Sandbox) Snapshots() []Snapshot {
	s.t.Helper()
	var list []Snapshot
	for _, snapshot := range s.live().Snapshots.List() {
		list = append(list, *snapshot)
	}
	return list
}

// Restore replaces the data with that of the snapshot. Undo can revert the replacement, like any
// write.
func (s *Sandbox) Restore(name string) {
	s.t.Helper()
	s.must(s.live().Restore(name))
}

// DropSnapshot deletes the snapshot.
func (s *Sandbox) DropSnapshot(name string) {
	s.t.Helper()
	s.must(s.live().Snapshots.Drop(name))
}
