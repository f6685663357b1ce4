package sandbox

import (
	"cmp"
	"fmt"
	"maps"
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

	number int64 // increases with each snapshot of the sandbox
}

// Snapshots holds the named states of a sandbox. The zero Snapshots is ready for use.
type Snapshots struct {
	mu     sync.Mutex
	byName map[string]*Snapshot // guarded by mu
	last   int64                // guarded by mu: the number of the newest snapshot
}

// Take stores the state under the name and reports whether the name is new. It replaces any
// snapshot with that name. The error is [ErrBadSnapshotName] or [ErrSnapshotFull].
func (s *Snapshots) Take(name string, state store.Kept, now time.Time) (*Snapshot, bool, error) {
	if !ValidName(name) {
		return nil, false, fmt.Errorf("%q %w", name, ErrBadSnapshotName)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, replaced := s.byName[name]
	if !replaced && len(s.byName) >= MaxSnapshots {
		return nil, false, ErrSnapshotFull
	}
	if s.byName == nil {
		s.byName = make(map[string]*Snapshot)
	}
	s.last++
	kept := &Snapshot{Name: strings.Clone(name), Created: now, Kept: state, number: s.last}
	s.byName[kept.Name] = kept
	return kept, !replaced, nil
}

// Find returns the named snapshot, or [ErrNoSnapshot].
func (s *Snapshots) Find(name string) (*Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, ok := s.byName[name]
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrNoSnapshot, name)
	}
	return kept, nil
}

// List returns the snapshots, sorted by name.
func (s *Snapshots) List() []*Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*Snapshot, 0, len(s.byName))
	for _, name := range slices.Sorted(maps.Keys(s.byName)) {
		list = append(list, s.byName[name])
	}
	return list
}

// newestFirst returns the snapshots, newest first.
func (s *Snapshots) newestFirst() []*Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.byName), func(a, b *Snapshot) int { return cmp.Compare(b.number, a.number) })
}

// load replaces all snapshots with the given ones, which are newest first.
func (s *Snapshots) load(newestFirst []*Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byName, s.last = make(map[string]*Snapshot, len(newestFirst)), 0
	for _, snapshot := range slices.Backward(newestFirst) {
		s.last++
		snapshot.number = s.last
		s.byName[snapshot.Name] = snapshot
	}
}

// kept returns the states of all snapshots.
func (s *Snapshots) kept() []store.Kept {
	s.mu.Lock()
	defer s.mu.Unlock()
	var states []store.Kept
	for _, snapshot := range s.byName {
		states = append(states, snapshot.Kept)
	}
	return states
}

// Drop deletes the named snapshot, or returns [ErrNoSnapshot].
func (s *Snapshots) Drop(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.byName[name]; !ok {
		return fmt.Errorf("%w: %q", ErrNoSnapshot, name)
	}
	delete(s.byName, name)
	return nil
}

// Reset deletes all snapshots.
func (s *Snapshots) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byName = nil
}

func (s *Snapshots) copyTo(other *Snapshots) {
	s.mu.Lock()
	defer s.mu.Unlock()
	other.byName, other.last = maps.Clone(s.byName), s.last
}
