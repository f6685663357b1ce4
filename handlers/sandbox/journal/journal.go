package journal

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"

	"example.com/petstore/handlers/sandbox/memory"
)

// Journal is what has happened in a sandbox: the bounded record of the requests that
// it has answered, and its events. Its methods may be called by any number of
// goroutines.
//
// Entries lie in memory as flat text, so that keeping one costs a copy of some
// hundred bytes, no allocation and nothing for the garbage collector to follow,
// and so that no request outlives its answer. Who reads holds the lock no longer than it
// takes to know where they lie.
type Journal struct {
	most   int             // entries; 0: no journal
	life   context.Context // of the sandbox
	memory *memory.Budget  // of the process
	hub    hub

	// Drops counts the entries that there was no room for any more, of all journals that it
	// is given to; nil: nobody counts them. It is set before the journal is used.
	Drops *atomic.Uint64

	// IsKey reports whether a text is a key that the server knows, which entries do not keep.
	// Nil means that it knows none. It is set before the journal is used.
	IsKey func(text string) bool

	mu      sync.Mutex
	entries tape      // guarded by mu
	resets  int       // guarded by mu
	last    int64     // guarded by mu: id of the newest entry that ever was
	dropped uint64    // guarded by mu: entries that there was no room for any more
	errors  uint64    // guarded by mu: requests since the last reset that went wrong
	event   int64     // guarded by mu: event id of the newest entry that ever was
	lost    int64     // guarded by mu: event id of the newest entry that is gone
	waiters []*waiter // guarded by mu
}

// New returns the journal of a sandbox, which keeps as many entries at the most; 0
// switches it off, though not the events. All waiting and every stream ends with
// life. Where the budget has no room for more, the journal remembers less.
func New(life context.Context, entries int, budget *memory.Budget) *Journal {
	return &Journal{most: entries, life: life, memory: budget, hub: hub{life: life, memory: budget}}
}

// On reports whether there is a journal.
func (j *Journal) On() bool { return j.most > 0 }

// Add keeps a request as the newest entry, and tells it to those who listen to
// requests, unless the journal was reset since the request came.
func (j *Journal) Add(r *Request) {
	if !j.On() {
		return
	}
	var scratch [2 << 10]byte // on the stack, and enough for most
	text := j.appendEntry(scratch[:0], r)
	j.mu.Lock()
	defer j.mu.Unlock()
	if r.Resets != j.resets {
		return
	}
	j.last++
	// Numbered in the journal's turn, so that events come in the order of entries.
	j.event = j.hub.publishRequest(func() *Entry { return read(j.last, text).entry() })
	setEvent(text, j.event)
	if len(j.waiters) > 0 {
		j.tellLocked(read(j.last, text))
	}
	for j.entries.n > 0 && (j.entries.n >= j.most || !j.entries.hasRoom(text)) {
		j.dropLocked()
	}
	if grow := j.entries.growth(text); grow > 0 && j.entries.n > 0 && !j.memory.Keep(int64(grow)) {
		for most := j.entries.bytes; j.entries.n > 0 && j.entries.bytes+j.entries.growth(text) > most; {
			j.dropLocked()
		}
	}
	j.entries.push(j.last, text)
	if r.Status == 0 || r.Status >= http.StatusBadRequest {
		j.errors++
	}
}

// dropLocked forgets the oldest entry.
func (j *Journal) dropLocked() {
	j.lost = eventOf(j.entries.pop())
	j.dropped++
	if j.Drops != nil {
		j.Drops.Add(1)
	}
}

// Size returns how many entries there are, and how many there was no room for any
// more since the last reset.
func (j *Journal) Size() (entries int, dropped uint64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.entries.n, j.dropped
}

// Activity is what goes on in a sandbox, by its journal: nothing where that is off.
type Activity struct {
	Requests uint64       `json:"requests"`             // since the journal was reset
	Errors   uint64       `json:"errors"`               // of them: of status 400 and above, or broken off
	Last     *LastRequest `json:"lastRequest,omitzero"` // nil: there was none
}

// LastRequest is the newest request of a journal.
type LastRequest struct {
	Method string `json:"method"`
	Path   string `json:"path"`   // without the sandbox's prefix
	Status int    `json:"status"` // 0: the connection was broken off
}

// Activity returns what goes on.
func (j *Journal) Activity() Activity {
	j.mu.Lock()
	defer j.mu.Unlock()
	a := Activity{Requests: uint64(j.entries.n) + j.dropped, Errors: j.errors}
	if j.entries.n > 0 {
		last := read(j.last, j.entries.last())
		a.Last = &LastRequest{Method: string(last.method), Path: string(last.path), Status: last.status}
	}
	return a
}

// Bytes returns what the journal and the kept events hold.
func (j *Journal) Bytes() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return int64(j.entries.bytes) + j.hub.bytesHeld()
}

// Resets returns how often the journal was reset.
func (j *Journal) Resets() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.resets
}

// Reset forgets every entry, and takes none of a request that came before. Ids count on, so that one that a client remembers
// never comes to name another request.
func (j *Journal) Reset() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lost = max(j.lost, j.event)
	j.entries.reset()
	j.dropped, j.errors = 0, 0
	j.resets++
	for _, w := range j.waiters {
		w.missing = w.count
	}
}
