package store

import (
	"fmt"
	"slices"
	"testing"
)

// checkInvariants fails the test when a table, an index or a counter of the
// state contradicts another.
func checkInvariants(t testing.TB, s *State) {
	t.Helper()
	for _, violation := range violations(s) {
		t.Error(violation)
	}
}

func violations(s *State) []string {
	c := &checker{}
	for _, k := range kinds {
		k.invariants(c, s)
	}
	if c.records != s.Records() {
		c.failf("Records returns %d, and the tables have %d", s.Records(), c.records)
	}
	c.indexes(s)
	if bytes := sum(cells(s)); s.bytes != bytes {
		c.failf("Bytes returns %d, and the records and their texts have %d", s.bytes, bytes)
	}
	return c.found
}

// cell is a place for a record: its kind and its id.
type cell struct {
	kind string
	id   int64
}

// record is a pointer to a record in a table.
type record any

// cells returns all records of a state.
func cells(s *State) map[cell]record {
	all := map[cell]record{}
	for _, k := range kinds {
		k.cells(all, s)
	}
	return all
}

func size(r record) (bytes int64) {
	for _, k := range kinds {
		bytes = max(bytes, k.bytes(r))
	}
	return bytes
}

func sum(records map[cell]record) (bytes int64) {
	for _, r := range records {
		bytes += size(r)
	}
	return bytes
}

type checker struct {
	found   []string
	records int // in the tables
}

func (c *checker) failf(format string, args ...any) {
	c.found = append(c.found, fmt.Sprintf(format, args...))
}

// checkTable checks one table of records by itself.
func checkTable[T any](c *checker, name string, t *tree[*T], last int64, id func(*T) int64) {
	c.records += t.m.Len()
	for _, key := range walk(c, name, t) {
		row, _ := t.m.Get(key)
		if id(row) != key {
			c.failf("%s: the record at %d has the id %d", name, key, id(row))
		}
		if key > last {
			c.failf("%s: the counter %d is behind the id %d", name, last, key)
		}
	}
}

// walk returns the ids of a tree and checks that all ways of listing them agree.
func walk[V any](c *checker, name string, t *tree[V]) []int64 {
	ids := t.m.Keys()
	if len(ids) != t.m.Len() {
		c.failf("%s: has %d entries but a length of %d", name, len(ids), t.m.Len())
	}
	for i, id := range ids {
		if i > 0 && id <= ids[i-1] {
			c.failf("%s: id %d after %d", name, id, ids[i-1])
		}
		if at, _, _ := t.m.GetAt(i); at != id {
			c.failf("%s: entry %d is %d when counted and %d when walked to", name, i, at, id)
		}
	}
	return ids
}

// indexes compares every index with one rebuilt from the pets.
func (c *checker) indexes(s *State) {
	type key struct {
		category int64
		status   PetStatus
	}
	want := map[key][]int64{} // category 0 stands for all
	s.pets.m.Scan(func(id int64, p *petRow) bool {
		if _, ok := s.categories.m.Get(p.categoryID); !ok {
			c.failf("pets: %d is of category %d, which is not there", id, p.categoryID)
		}
		for _, k := range []key{{0, statuses[p.status]}, {p.categoryID, statuses[p.status]}} {
			want[k] = append(want[k], id)
		}
		return true
	})
	index := func(k key, set *idSet) {
		name := fmt.Sprintf("index of category %d, status %q", k.category, k.status)
		if got := walk(c, name, set); !slices.Equal(got, want[k]) {
			c.failf("%s: has the pets %v, want %v", name, got, want[k])
		}
	}
	if got, want := s.byCategory.m.Keys(), s.categories.m.Keys(); !slices.Equal(got, want) {
		c.failf("indexes are of the categories %v, want %v", got, want)
	}
	for i, status := range statuses {
		index(key{0, status}, &s.byStatus[i])
	}
	s.byCategory.m.Scan(func(id int64, of *categoryIndex) bool {
		for i, status := range statuses {
			index(key{id, status}, &of.byStatus[i])
		}
		return true
	})
}
