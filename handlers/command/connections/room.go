package connections

import (
	"cmp"
	"net/http"
	"slices"
	"time"
)

// Times for which a connection has kept the server waiting when it is the first to make
// room, and when it may be the last.
const (
	patience = 2 * time.Second
	moment   = 50 * time.Millisecond
)

// lookEvery is how soon after nobody was found to make room others are looked for.
const lookEvery = 10 * time.Millisecond

// rank is in which order connections make room: first those whose loss does the least
// harm, among those that have kept the server waiting for a while.
type rank int

const (
	silent   rank = iota // has not sent the header of its first request for a while
	unused               // idle for a while
	stalled              // sends no body, or takes no answer, for a while
	idle                 // since a moment ago
	opening              // has not sent its first header, but may be about to
	stalling             // may be slow only
	busy                 // is being served: makes no room
)

// String says so for the log.
func (r rank) String() string {
	return [...]string{
		silent: "those that sent no request", unused: "those that were idle for longest", stalled: "those that neither sent nor took anything",
		idle: "those that were idle for longest", opening: "those that sent no request", stalling: "those that neither sent nor took anything", busy: "none",
	}[r]
}

// rank returns the connection's rank, and since when it has had cause to make room.
func (c *conn) rank(now time.Time) (rank, time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ending:
	case c.state == http.StateNew:
		return later(now, c.since, moment, silent, opening)
	case c.state == http.StateIdle:
		return later(now, c.since, 0, unused, idle)
	case c.state == http.StateActive && !c.owes.IsZero():
		return later(now, c.owes, moment, stalled, stalling)
	case c.state == http.StateActive && !c.writing.IsZero():
		return later(now, c.writing, moment, stalled, stalling)
	}
	return busy, now
}

// later returns the rank of what keeps the server waiting since then: one for patience
// and more, another from the least time on.
func later(now, since time.Time, least time.Duration, long, short rank) (rank, time.Time) {
	switch waited := now.Sub(since); {
	case waited >= patience:
		return long, since
	case waited >= least:
		return short, since
	}
	return busy, now
}

// unusedFor returns how long the connection has been without a request.
func (c *conn) unusedFor(now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending || c.state != http.StateNew && c.state != http.StateIdle {
		return 0
	}
	return now.Sub(c.since)
}

// makeRoom ends connections that keep the server waiting and says which; empty: there is
// none. It looks at all of them, and so ends more than one where there are many: a flood
// of new ones must not be a flood of looks. It is called with mu held.
func (l *Listener) makeRoom(now time.Time) string {
	if now.Before(l.nextLook) {
		return ""
	}
	type candidate struct {
		*conn
		rank  rank
		since time.Time
	}
	var found []candidate
	for c := range l.conns {
		if r, since := c.rank(now); r != busy {
			found = append(found, candidate{c, r, since})
		}
	}
	if len(found) == 0 {
		l.nextLook = now.Add(lookEvery)
		return ""
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), a.since.Compare(b.since))
	})
	first := found[0].rank
	for _, c := range found[:min(len(found), max(1, l.max/64))] {
		if c.rank == first {
			c.end()
		}
	}
	return first.String()
}
