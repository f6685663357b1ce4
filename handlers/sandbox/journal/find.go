package journal

import (
	"context"
	"slices"
	"sort"
	"strings"

	"example.com/petstore/handlers/sandbox/pattern"
)

// Filter selects the journal entries that match all of it. The zero Filter matches
// all.
type Filter struct {
	OperationID string // empty: any
	Method      string // empty: any
	Path        string // a pattern, see [pattern.Match]; empty: any
	Status      *int   // nil: any; 0: broken off
	Since       int64  // entries of greater ids
}

// Found is what is in a journal.
type Found struct {
	Entries []Entry // that match, oldest first, as many as were asked for
	Matched int     // how many match
	Dropped uint64  // entries that there was no room for any more
	Oldest  int64   // id of the oldest entry; 0: there is none
}

// Find returns the entries that match, at most limit of them.
func (j *Journal) Find(f Filter, limit int) Found {
	var found Found
	j.mu.Lock()
	found.Dropped = j.dropped
	if j.records.n > 0 {
		found.Oldest = j.records.at(0).id
	}
	view := j.sinceLocked(f.Since)
	j.mu.Unlock()
	found.Entries = make([]Entry, 0, min(limit, len(view.records)))
	for i := range view.records {
		s := view.at(i)
		if !f.matches(&s) {
			continue
		}
		found.Matched++
		if len(found.Entries) < limit {
			found.Entries = append(found.Entries, *s.entry())
		}
	}
	return found
}

// waiter is somebody who waits until entries match.
type waiter struct {
	filter  Filter
	count   int           // of entries that must match
	missing int           // of them; guarded by the journal's mu
	done    chan struct{} // closed when none is missing
}

// Wait returns true as soon as at least count entries match, or false when ctx or
// the sandbox ends before. An entry that comes while it waits counts even if there
// is soon no room for it any more; a reset begins the count anew. Without a journal
// nothing ever matches, and Wait returns at once.
func (j *Journal) Wait(ctx context.Context, f Filter, count int) bool {
	w := &waiter{filter: f, count: count, done: make(chan struct{})}
	j.mu.Lock()
	w.missing = count - j.sinceLocked(f.Since).count(f) // in the same turn, so that none is counted twice or never
	if w.missing <= 0 || !j.On() {
		j.mu.Unlock()
		return w.missing <= 0
	}
	j.waiters = append(j.waiters, w)
	j.mu.Unlock()

	select {
	case <-w.done:
	case <-ctx.Done():
	case <-j.life.Done():
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waiters = slices.DeleteFunc(j.waiters, func(other *waiter) bool { return other == w })
	return w.missing <= 0
}

// tellLocked tells the new entry to those who wait.
func (j *Journal) tellLocked(s stored) {
	j.waiters = slices.DeleteFunc(j.waiters, func(w *waiter) bool {
		if !w.filter.matches(&s) {
			return false
		}
		w.missing--
		if w.missing > 0 {
			return false
		}
		close(w.done)
		return true
	})
}

// view is a copy of the newest entries of a journal, to be read without its lock.
type view struct {
	records []record
	text    string
}

// sinceLocked returns the entries of ids greater than since.
func (j *Journal) sinceLocked(since int64) view {
	first := sort.Search(j.records.n, func(i int) bool { return j.records.at(i).id > since })
	return j.fromLocked(first)
}

// fromLocked returns the entries from the i-th on.
func (j *Journal) fromLocked(i int) view {
	if i == j.records.n {
		return view{}
	}
	v := view{
		records: make([]record, 0, j.records.n-i),
		text:    string(j.text.from(j.records.at(i).text)),
	}
	for ; i < j.records.n; i++ {
		v.records = append(v.records, *j.records.at(i))
	}
	return v
}

func (v view) at(i int) stored {
	base := v.records[0].text
	end := uint64(len(v.text))
	if i+1 < len(v.records) {
		end = v.records[i+1].text - base
	}
	return v.records[i].unpack(v.text[v.records[i].text-base : end])
}

func (v view) count(f Filter) int {
	n := 0
	for i := range v.records {
		if s := v.at(i); f.matches(&s) {
			n++
		}
	}
	return n
}

func (f *Filter) matches(s *stored) bool {
	return s.id > f.Since &&
		(f.OperationID == "" || f.OperationID == s.operationID) &&
		(f.Method == "" || strings.EqualFold(f.Method, s.method)) &&
		(f.Status == nil || *f.Status == s.status) &&
		(f.Path == "" || pattern.Match(f.Path, s.path))
}

// missed returns the requests whose events have ids greater than after and up to
// last, and the greatest such id whose entry is gone, or 0.
func (j *Journal) missed(after, last int64) (events []Event, lost int64) {
	j.mu.Lock()
	first := sort.Search(j.records.n, func(i int) bool { return j.records.at(i).event > after })
	v := j.fromLocked(first)
	lost = j.lost
	j.mu.Unlock()
	for i := range v.records {
		if s := v.at(i); s.event <= last {
			events = append(events, Event{ID: s.event, Name: EventRequest, Request: s.entry()})
		}
	}
	if lost <= after {
		lost = 0
	}
	return events, min(lost, last)
}
