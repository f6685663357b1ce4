package journal

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJournalFilters(t *testing.T) {
	t.Parallel()
	j := newJournal(10)
	j.Add(&Request{OperationID: "listPets", Method: "GET", Path: "/pets", Status: 200})
	j.Add(&Request{OperationID: "getPet", Method: "GET", Path: "/pets/1", Status: 404})
	j.Add(&Request{OperationID: "deletePet", Method: "DELETE", Path: "/pets/1", Status: 0})
	j.Add(&Request{Method: "GET", Path: "/nope/1/2", Status: 404})
	for _, test := range []struct {
		filter Filter
		want   []string
	}{
		{Filter{}, []string{"/pets", "/pets/1", "/pets/1", "/nope/1/2"}},
		{Filter{OperationID: "getPet"}, []string{"/pets/1"}},
		{Filter{OperationID: "get"}, []string{}},
		{Filter{Method: "delete"}, []string{"/pets/1"}},
		{Filter{Path: "/pets/*"}, []string{"/pets/1", "/pets/1"}},
		{Filter{Path: "/nope/**"}, []string{"/nope/1/2"}},
		{Filter{Status: new(404)}, []string{"/pets/1", "/nope/1/2"}},
		{Filter{Status: new(0)}, []string{"/pets/1"}},
		{Filter{StatusClass: 4}, []string{"/pets/1", "/nope/1/2"}},
		{Filter{StatusClass: 4, Status: new(200)}, []string{}},
		{Filter{StatusClass: 2}, []string{"/pets"}},
		{Filter{Since: 3}, []string{"/nope/1/2"}},
		{Filter{Since: 4}, []string{}},
		{Filter{Path: "/pets/*", Status: new(404), Since: 1}, []string{"/pets/1"}},
	} {
		found := j.Find(test.filter, 10)
		if diff := cmp.Diff(test.want, paths(found)); diff != "" || found.Matched != len(test.want) {
			t.Errorf("%+v matches %d, -want +got:\n%s", test.filter, found.Matched, diff)
		}
	}
	if found := j.Find(Filter{}, 2); found.Matched != 4 || len(found.Entries) != 2 || found.Entries[0].ID != 1 {
		t.Errorf("with limit 2: %d matched, %v", found.Matched, paths(found))
	}
	if found := newest(j, Filter{}, 2); found.Matched != 4 || len(found.Entries) != 2 || found.Entries[0].ID != 4 || found.Entries[1].ID != 3 {
		t.Errorf("newest first with limit 2: %d matched, %v", found.Matched, paths(found))
	}
	if found := newest(j, Filter{}, 0); found.Matched != 4 || len(found.Entries) != 0 {
		t.Errorf("newest first with limit 0: %d matched, %v", found.Matched, paths(found))
	}
}

// newest is [Journal.Find] from the other end, newest first.
func newest(j *Journal, f Filter, limit int) Found {
	s, err := j.Select(f, limit, true, nil)
	if err != nil {
		panic(err)
	}
	found := Found{Entries: []Entry{}, Matched: s.Matched, Dropped: s.Dropped, Oldest: s.Oldest}
	for entry := range s.Entries() {
		found.Entries = append(found.Entries, *entry)
	}
	return found
}

// TestSelectionsAreReserved wants what a selection holds to be promised before.
func TestSelectionsAreReserved(t *testing.T) {
	t.Parallel()
	j := newJournal(100)
	for i := range 100 {
		j.Add(&Request{Path: fmt.Sprintf("/%d/%s", i, strings.Repeat("x", i*10))})
	}
	for _, end := range []bool{false, true} {
		var promised int64
		s, err := j.Select(Filter{Since: 10}, 50, end, func(bytes int64) error { promised = bytes; return nil })
		if err != nil || s.Len != 50 || s.Matched != 90 || int64(cap(s.texts)) != promised || int64(len(s.texts)) > promised || int64(len(s.texts)) < promised*3/4 {
			t.Errorf("newest %t: %d of %d entries in %d bytes, of which %d are used and %d were promised, %v", end, s.Len, s.Matched, cap(s.texts), len(s.texts), promised, err)
		}
	}
	full := errors.New("full")
	if s, err := j.Select(Filter{}, 100, false, func(int64) error { return full }); err != full || s != nil {
		t.Errorf("without room: %v, %v", s, err)
	}
}
