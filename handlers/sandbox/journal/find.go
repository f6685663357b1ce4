package journal

import (
	"context"
	"fmt"
	"slices"
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
	StatusClass int    // 4: from 400 to 499; 0: any
	Since       int64  // entries of greater ids
}

// maxWaiters bounds those who wait for the entries of one journal: each new entry is
// compared with what each of them wants.
const maxWaiters = 1000

// ErrWaiters means that too many wait already.
var ErrWaiters = fmt.Errorf("a sandbox can have at most %d requests that wait for its journal; end some first", maxWaiters)

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
// nothing ever matches, and Wait returns at once. The error is [ErrWaiters].
func (j *Journal) Wait(ctx context.Context, f Filter, count int) (bool, error) {
	if !j.On() {
		return false, nil
	}
	w := &waiter{filter: f, count: count, missing: count, done: make(chan struct{})}
	j.mu.Lock()
	if len(j.waiters) >= maxWaiters {
		j.mu.Unlock()
		return false, ErrWaiters
	}
	j.waiters = append(j.waiters, w) // in the same turn, so that none is counted twice or never
	view, resets := j.entries.view(), j.resets
	j.mu.Unlock()

	before := view.count(f)
	view.release()
	j.mu.Lock()
	if j.resets == resets {
		w.missing -= before
	}
	enough := w.missing <= 0
	j.mu.Unlock()
	if !enough {
		select {
		case <-w.done:
		case <-ctx.Done():
		case <-j.life.Done():
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waiters = slices.DeleteFunc(j.waiters, func(other *waiter) bool { return other == w })
	return w.missing <= 0, nil
}

// tellLocked tells the new entry to those who wait.
func (j *Journal) tellLocked(s stored) {
	j.waiters = slices.DeleteFunc(j.waiters, func(w *waiter) bool {
		if !w.filter.matches(s) {
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

// count returns how many entries match.
func (v *view) count(f Filter) int {
	n := 0
	for s := range v.since(f.Since) {
		if f.matches(s) {
			n++
		}
	}
	return n
}

func (f *Filter) matches(s stored) bool {
	return s.id > f.Since &&
		(f.OperationID == "" || f.OperationID == string(s.operationID)) &&
		(f.Method == "" || strings.EqualFold(f.Method, string(s.method))) &&
		(f.Status == nil || *f.Status == s.status) &&
		(f.StatusClass == 0 || f.StatusClass == s.status/100) &&
		(f.Path == "" || pattern.Match(f.Path, string(s.path)))
}
