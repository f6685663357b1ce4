package journal

import (
	"context"
	"sync"
	"time"
)

// Bounds of a journal, besides the number of its entries. The oldest go first.
const (
	maxJournalBytes = 4 << 20
	maxJournalBody  = 4 << 10 // of one body
	recordBytes     = 112     // what an entry costs besides its text
)

// Entry is one request and its response.
type Entry struct {
	ID            int64             `json:"id"`        // counts up from 1 in each sandbox, and on after a reset
	Time          time.Time         `json:"time"`      // when it came, by the sandbox's clock
	RequestID     string            `json:"requestId"` // the answer's X-Request-Id
	OperationID   string            `json:"operationId,omitzero"`
	Method        string            `json:"method"`
	Path          string            `json:"path"` // without the sandbox's prefix
	Query         string            `json:"query,omitzero"`
	Headers       map[string]string `json:"headers"` // several values of one name are joined by ", "
	Body          string            `json:"body,omitzero"`
	BodyTruncated bool              `json:"bodyTruncated,omitzero"`
	Status        int               `json:"status"`         // 0: the connection was broken off
	DurationMS    float64           `json:"durationMs"`     // until the answer began
	Fault         int64             `json:"fault,omitzero"` // id of the rule that was applied
	Client        string            `json:"client"`         // the address that it came from
}

// Request is what the journal is told of a request. The journal copies what it
// keeps of it.
type Request struct {
	Time                    time.Time
	ID, OperationID, Client string
	Method, Path, Query     string
	Headers                 map[string][]string
	Body                    []byte // as far as it was read
	Status                  int
	Duration                time.Duration // until the answer began
	Fault                   int64
	Resets                  int // of the journal, when the request came; see [Journal.Resets]
}

// Journal is what has happened in a sandbox: the bounded record of the requests that
// it has answered, and its events. Its methods may be called by any number of
// goroutines.
//
// Entries lie in memory as flat text, so that keeping one costs a copy of some
// hundred bytes, no allocation and nothing for the garbage collector to follow,
// and so that no request outlives its answer.
type Journal struct {
	most int             // entries; 0: no journal
	life context.Context // of the sandbox
	hub  hub

	mu      sync.Mutex
	records queue[record] // guarded by mu
	text    tape          // guarded by mu: of the records, in their order
	resets  int           // guarded by mu
	last    int64         // guarded by mu: id of the newest entry that ever was
	dropped uint64        // guarded by mu: entries that there was no room for any more
	lost    int64         // guarded by mu: event id of the newest entry that is gone
	waiters []*waiter     // guarded by mu
}

// record is an entry without its text.
type record struct {
	id, event int64
	time      time.Time
	duration  time.Duration
	fault     int64
	status    int
	truncated bool
	text      uint64 // position of its text, which ends where the next one's begins
}

// New returns the journal of a sandbox, which keeps as many entries at the most; 0
// switches it off, though not the events. All waiting and every stream ends with
// life.
func New(life context.Context, entries int) *Journal {
	return &Journal{most: entries, life: life, hub: hub{life: life}}
}

// Capacity returns how many entries the journal keeps at the most; 0: it is off.
func (j *Journal) Capacity() int { return j.most }

// On reports whether there is a journal.
func (j *Journal) On() bool { return j.most > 0 }

// Add keeps a request as the newest entry, and tells it to those who listen to
// requests, unless the journal was reset since the request came.
func (j *Journal) Add(r *Request) {
	if !j.On() {
		return
	}
	var scratch [1 << 10]byte // on the stack, and enough for most
	text, truncated := appendText(scratch[:0], r)
	rec := record{
		time: r.Time, duration: r.Duration, fault: r.Fault, status: r.Status, truncated: truncated,
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if r.Resets != j.resets {
		return
	}
	j.last++
	rec.id = j.last
	// Numbered in the journal's turn, so that events come in the order of entries.
	rec.event = j.hub.publishRequest(func() *Entry { return rec.entry(string(text)) })
	if len(j.waiters) > 0 {
		j.tellLocked(rec.unpack(string(text)))
	}
	j.keepLocked(rec, text)
}

func (j *Journal) keepLocked(rec record, text []byte) {
	size := func() int {
		return int(j.text.end-j.text.start) + len(text) + (j.records.n+1)*recordBytes
	}
	for j.records.n > 0 && (j.records.n >= j.most || size() > maxJournalBytes) {
		j.lost = j.records.pop().event
		j.dropped++
		j.text.start = j.text.end
		if j.records.n > 0 {
			j.text.start = j.records.at(0).text
		}
	}
	if size() > maxJournalBytes { // larger than all that there may be
		j.lost = rec.event
		j.dropped++
		return
	}
	rec.text = j.text.end
	j.text.write(text)
	j.records.push(rec)
}

// Size returns how many entries there are, and how many there was no room for any
// more since the last reset.
func (j *Journal) Size() (entries int, dropped uint64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.records.n, j.dropped
}

// Bytes returns what the journal and the kept events hold.
func (j *Journal) Bytes() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return int64(len(j.text.buf)+len(j.records.items)*recordBytes) + j.hub.bytesHeld()
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
	if j.records.n > 0 {
		j.lost = j.records.at(j.records.n - 1).event
	}
	j.records, j.text, j.dropped = queue[record]{}, tape{}, 0
	j.resets++
	for _, w := range j.waiters {
		w.missing = w.count
	}
}
