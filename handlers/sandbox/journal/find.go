package journal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/petstore/handlers/sandbox/pattern"
	"example.com/petstore/store/field"
)

// Filter selects the journal entries that match all of its fields. The zero Filter matches every
// entry.
type Filter struct {
	OperationID string // "" matches any
	Method      string // "" matches any
	Path        string // a pattern for [pattern.Match]; "" matches any
	Status      *int   // nil matches any; 0 matches aborted connections
	StatusClass int    // 4 matches 400 to 499; 0 matches any
	Since       int64  // an entry matches if its id is greater
}

// maxWaiters limits the requests that wait for entries of one journal, because each new entry is
// compared with every waiter.
const maxWaiters = 1000

// ErrWaiters means that too many requests wait for the journal.
var ErrWaiters = field.Refusal("unavailable",
	"a sandbox can have at most %d requests that wait for its journal; end some first", maxWaiters)

// waiter is a request that waits for matching entries.
type waiter struct {
	filter  Filter
	count   int           // the number of matching entries wanted
	missing int           // guarded by the journal's mu: the number of matching entries still missing
	done    chan struct{} // closed when missing reaches 0
}

// Wait returns true as soon as count entries match, or false when ctx ends first. It counts every
// matching entry that is added during the wait, even if the journal drops the entry later. A reset
// restarts the count. The count must be valid; see [Journal.CheckCount]. The error is [ErrWaiters].
func (j *Journal) Wait(ctx context.Context, f Filter, count int) (bool, error) {
	w := &waiter{filter: f, count: count, missing: count, done: make(chan struct{})}
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.waiters) >= maxWaiters {
		return false, ErrWaiters
	}
	w.missing -= j.entries.view().count(f) // read under the lock, so that each entry is counted once
	if w.missing <= 0 {
		return true, nil
	}
	j.waiters = append(j.waiters, w)
	j.mu.Unlock()
	select {
	case <-w.done:
	case <-ctx.Done():
	}
	j.mu.Lock()
	j.waiters = slices.DeleteFunc(j.waiters, func(other *waiter) bool { return other == w })
	return w.missing <= 0, nil
}

// notifyLocked counts the new entry for each waiter whose filter matches the entry, and wakes the
// waiters that need no more entries.
func (j *Journal) notifyLocked(s stored) {
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

// ErrNoEntry means that the journal has no entry with the id. The entry may never have existed, or
// the journal may have dropped it.
var ErrNoEntry = field.Refusal("not_found.entry", "the journal has no such request")

// StatesOf returns [Request.Before] and [Request.State] of the entry with the id, or [ErrNoEntry].
func (j *Journal) StatesOf(id int64) (before, after int64, err error) {
	j.mu.Lock()
	view := j.entries.view()
	j.mu.Unlock()
	for entry := range view.since(id - 1) {
		if entry.id == id {
			return entry.before, entry.state, nil
		}
		break
	}
	return 0, 0, fmt.Errorf("%w: %d", ErrNoEntry, id)
}

// count returns the number of matching entries.
func (v view) count(f Filter) int {
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

// CheckCount returns nil if a request can wait for count entries, and otherwise the reason why not.
func (j *Journal) CheckCount(count int64) error {
	switch {
	case !j.On():
		return field.Refusal("journal_size", "needs a journal, and the server keeps none")
	case count > int64(j.limit):
		return field.Refusal("journal_size", "must be at most %d, the size of the journal", j.limit)
	}
	return nil
}

// Check validates the filter. It calls operation to validate the operationId.
func (f *Filter) Check(operation func(id string) error) field.Problems {
	var problems field.Problems
	if f.OperationID != "" {
		if err := operation(f.OperationID); err != nil {
			problems = append(problems, field.ProblemOf("/operationId", err))
		}
	}
	if f.Path != "" {
		if wrong := pattern.Check(f.Path); wrong != "" {
			problems.Add("/path", "%s, not %s", wrong, field.Quote(f.Path))
		}
	}
	if f.Status != nil && (*f.Status < 0 || *f.Status > 599) {
		problems.Add("/status", "must be from 0 to 599, not %d", *f.Status)
	}
	if f.StatusClass < 0 || f.StatusClass > 5 {
		problems.Add("/statusClass", "must be from 1 to 5, or 0 for any, not %d", f.StatusClass)
	}
	if f.Since < 0 {
		problems.Add("/since", "cannot be negative, but is %d", f.Since)
	}
	return problems
}
