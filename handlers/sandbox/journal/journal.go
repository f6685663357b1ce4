package journal

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"

	"example.com/petstore/handlers/sandbox/memory"
)

// Journal records a sandbox's events and a bounded number of its requests. It is safe for
// concurrent use.
//
// Entries are stored as text without pointers. Adding an entry copies a few hundred bytes and
// usually allocates nothing. The garbage collector need not scan the text, and an entry does not
// keep its request in memory. Readers hold the lock only while they copy the positions of the
// entries, or count entries at the start of a wait.
type Journal struct {
	limit  int            // the maximum number of entries; 0 turns the journal off
	memory *memory.Budget // the budget of the process
	hub    hub

	// Drops counts the entries that were dropped to make room, in all journals that share the
	// counter. It may be nil. It must be set before the journal is used.
	Drops *atomic.Uint64

	// Keys detects the keys to be removed from entries. It must be set before the journal is used.
	Keys Keys

	// Undone reports whether an undo has reverted the write that made the state with the number; see
	// [Request.State]. It is called when an entry is read, so it must not block. It may be nil. It
	// must be set before the journal is used.
	Undone func(state int64) bool

	mu      sync.Mutex
	entries tape      // guarded by mu
	resets  int       // guarded by mu
	last    int64     // guarded by mu: the id of the latest entry, even if it is no longer kept
	dropped uint64    // guarded by mu: the number of entries dropped to make room since the last reset
	errors  uint64    // guarded by mu: the number of failed requests since the last reset
	event   int64     // guarded by mu: the event id of the latest entry, even if it is no longer kept
	lost    int64     // guarded by mu: the event id of the latest dropped entry
	waiters []*waiter // guarded by mu
}

// New returns the journal of a sandbox, with room for the given number of entries. With 0 entries,
// the journal records no requests, but still publishes events. Streams end when life is done. If the
// budget has no memory left, the journal keeps fewer entries.
func New(life context.Context, entries int, budget *memory.Budget) *Journal {
	return &Journal{limit: entries, memory: budget, hub: hub{life: life, memory: budget}}
}

// On reports whether requests are recorded.
func (j *Journal) On() bool { return j.limit > 0 }

// Add records a request and sends it to the streams that receive requests. It ignores a request
// that arrived before the last reset. The journal must be on.
func (j *Journal) Add(r *Request) {
	var text, headers [2 << 10]byte // on the stack; large enough for most entries
	e := j.encode(text[:0], headers[:0], r)
	j.mu.Lock()
	defer j.mu.Unlock()
	if r.Resets != j.resets {
		return
	}
	j.last++
	// Publish while mu is locked, so that events have the order of the entries.
	j.event = j.hub.publishRequest(func() *Entry { return parse(j.last, 0, e).entry(j.Undone) })
	if len(j.waiters) > 0 {
		j.notifyLocked(parse(j.last, j.event, e))
	}
	j.entries.find(&e)
	for j.entries.n >= j.limit {
		j.dropLocked()
	}
	if j.entries.full(&e) {
		j.makeRoomLocked(&e)
	}
	j.entries.push(j.last, j.event, &e)
	if r.Status == 0 || r.Status >= http.StatusBadRequest {
		j.errors++
	}
}

// makeRoomLocked drops the oldest entries until the journal may allocate a new chunk for the entry.
func (j *Journal) makeRoomLocked(e *encoded) {
	for j.entries.n > 0 && j.entries.bytes+chunkBytes > maxBytes {
		j.dropLocked()
	}
	if grow := j.entries.growth(e); j.entries.n > 0 && !j.memory.Keep(int64(grow)) {
		for limit := j.entries.bytes; j.entries.n > 0 && j.entries.bytes+j.entries.growth(e) > limit; {
			j.dropLocked()
		}
	}
}

// dropLocked drops the oldest entry.
func (j *Journal) dropLocked() {
	j.lost = j.entries.pop()
	j.dropped++
	if j.Drops != nil {
		j.Drops.Add(1)
	}
}

// Size returns the number of entries, and the number of entries that were dropped to make room
// since the last reset.
func (j *Journal) Size() (entries int, dropped uint64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.entries.n, j.dropped
}

// Activity is a summary of a sandbox's journal. It is zero if the journal is off.
type Activity struct {
	Requests uint64       `json:"requests"`             // since the last reset of the journal
	Errors   uint64       `json:"errors"`               // requests that were aborted or got a status of 400 or above
	Last     *LastRequest `json:"lastRequest,omitzero"` // nil if the journal has no entry
}

// LastRequest is the newest request of a journal.
type LastRequest struct {
	Method string `json:"method"`
	Path   string `json:"path"`   // without the sandbox prefix
	Status int    `json:"status"` // 0 if the connection was aborted
}

// Activity returns a summary of the journal.
func (j *Journal) Activity() Activity {
	j.mu.Lock()
	defer j.mu.Unlock()
	a := Activity{Requests: uint64(j.entries.n) + j.dropped, Errors: j.errors}
	if j.entries.n > 0 {
		last := j.entries.last(j.last)
		a.Last = &LastRequest{Method: string(last.method), Path: string(last.path), Status: last.status}
	}
	return a
}

// Bytes returns the memory that the journal, its events and its streams use, in bytes.
func (j *Journal) Bytes() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return int64(j.entries.bytes) + j.hub.bytesHeld()
}

// Resets returns the number of resets so far.
func (j *Journal) Resets() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.resets
}

// Reset drops every entry, and makes [Journal.Add] ignore requests that arrived before the reset.
// Ids do not restart, so an id never refers to two requests.
func (j *Journal) Reset() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lost = max(j.lost, j.event)
	j.entries = tape{}
	j.dropped, j.errors = 0, 0
	j.resets++
	for _, w := range j.waiters {
		w.missing = w.count
	}
}
