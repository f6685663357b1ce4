package sandbox

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// MaxSnapshots is the maximum number of snapshots in a sandbox.
const MaxSnapshots = 100

// Errors of [Snapshots].
var (
	ErrNoSnapshot   = field.Refusal("not_found", "there is no such snapshot")
	ErrSnapshotFull = field.Refusal("sandbox_full", "a sandbox can keep at most %d snapshots; drop one first",
		MaxSnapshots)
)

// Snapshot is a named state. It is immutable.
type Snapshot struct {
	Name    string
	Created time.Time // by the sandbox's clock
	store.Kept
}

// Snapshots holds the named states of a sandbox. The zero Snapshots is ready for use.
type Snapshots struct {
	mu  sync.Mutex
	all []*Snapshot // guarded by mu: newest first; the slice is never changed in place
}

// Take stores the state under the name and reports whether the name is new. It replaces any
// snapshot with that name. The error is [ErrBadSnapshotName] or [ErrSnapshotFull].
func (s *Snapshots) Take(name string, state store.Kept, now time.Time) (*Snapshot, bool, error) {
	if !ValidName(name) {
		return nil, false, fmt.Errorf("%q %w", name, ErrBadSnapshotName)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	others := s.withoutLocked(name)
	if len(others) >= MaxSnapshots {
		return nil, false, ErrSnapshotFull
	}
	taken := &Snapshot{Name: strings.Clone(name), Created: now, Kept: state}
	created := len(others) == len(s.all)
	s.all = slices.Insert(others, 0, taken)
	return taken, created, nil
}

// withoutLocked returns a copy of s.all without the named snapshot.
func (s *Snapshots) withoutLocked(name string) []*Snapshot {
	return slices.DeleteFunc(slices.Clone(s.all), func(s *Snapshot) bool { return s.Name == name })
}

// Find returns the named snapshot, or [ErrNoSnapshot].
func (s *Snapshots) Find(name string) (*Snapshot, error) {
	for _, snapshot := range s.newestFirst() {
		if snapshot.Name == name {
			return snapshot, nil
		}
	}
	return nil, fmt.Errorf("%w: %q", ErrNoSnapshot, name)
}

// List returns the snapshots, sorted by name.
func (s *Snapshots) List() []*Snapshot {
	return slices.SortedFunc(slices.Values(s.newestFirst()),
		func(a, b *Snapshot) int { return cmp.Compare(a.Name, b.Name) })
}

// newestFirst returns the snapshots, newest first. The caller must not modify the slice.
func (s *Snapshots) newestFirst() []*Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all
}

// load replaces all snapshots with the given ones, which are newest first.
func (s *Snapshots) load(all []*Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = all
}

// Drop deletes the named snapshot, or returns [ErrNoSnapshot].
func (s *Snapshots) Drop(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	others := s.withoutLocked(name)
	if len(others) == len(s.all) {
		return fmt.Errorf("%w: %q", ErrNoSnapshot, name)
	}
	s.all = others
	return nil
}

// Reset deletes all snapshots.
func (s *Snapshots) Reset() { s.load(nil) }
