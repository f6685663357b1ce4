package sandbox

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/petstore/store"
)

// maxSnapshots bounds the snapshots of one sandbox.
const maxSnapshots = 100

// What [Snapshots] refuses.
var (
	ErrNoSnapshot   = errors.New("there is no such snapshot")
	ErrSnapshotFull = fmt.Errorf("a sandbox can keep at most %d snapshots; drop one first", maxSnapshots)
)

// Snapshot is a state kept under a name. It is never changed.
type Snapshot struct {
	Name    string
	Created time.Time // by the sandbox's clock
	store.Kept
}

// Snapshots are the kept states of a sandbox. The zero value is ready.
type Snapshots struct {
	mu     sync.Mutex
	byName map[string]*Snapshot // guarded by mu
}

// Take keeps the state under the name, in place of one that had the name, and
// reports whether there was none. The error is [ErrBadSnapshotName] or [ErrSnapshotFull].
func (s *Snapshots) Take(name string, state store.Kept, now time.Time) (*Snapshot, bool, error) {
	if !ValidName(name) {
		return nil, false, fmt.Errorf("%q %w", name, ErrBadSnapshotName)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, replaced := s.byName[name]
	if !replaced && len(s.byName) >= maxSnapshots {
		return nil, false, ErrSnapshotFull
	}
	if s.byName == nil {
		s.byName = make(map[string]*Snapshot)
	}
	kept := &Snapshot{Name: strings.Clone(name), Created: now, Kept: state}
	s.byName[kept.Name] = kept
	return kept, !replaced, nil
}

// Find returns the snapshot of the name, or [ErrNoSnapshot].
func (s *Snapshots) Find(name string) (*Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, ok := s.byName[name]
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrNoSnapshot, name)
	}
	return kept, nil
}

// List returns the snapshots by name.
func (s *Snapshots) List() []*Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*Snapshot, 0, len(s.byName))
	for _, name := range slices.Sorted(maps.Keys(s.byName)) {
		list = append(list, s.byName[name])
	}
	return list
}

// kept returns the states.
func (s *Snapshots) kept() []store.Kept {
	s.mu.Lock()
	defer s.mu.Unlock()
	var states []store.Kept
	for _, snapshot := range s.byName {
		states = append(states, snapshot.Kept)
	}
	return states
}

// Drop forgets the snapshot of the name, or returns [ErrNoSnapshot].
func (s *Snapshots) Drop(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.byName[name]; !ok {
		return fmt.Errorf("%w: %q", ErrNoSnapshot, name)
	}
	delete(s.byName, name)
	return nil
}

// Reset forgets all snapshots.
func (s *Snapshots) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byName = nil
}

func (s *Snapshots) copyTo(other *Snapshots) {
	s.mu.Lock()
	defer s.mu.Unlock()
	other.byName = maps.Clone(s.byName)
}
