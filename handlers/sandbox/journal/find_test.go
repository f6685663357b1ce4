package journal

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// newest calls [Journal.Find] for the newest entries first.
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

// TestSelectionsAreReserved checks that the memory of a selection is reserved in advance.
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
