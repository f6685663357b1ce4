package connections

import (
	"cmp"
	"net/http"
	"slices"
	"time"
)

// moment is how long a request must have neither sent nor received anything before its connection
// can make room.
const moment = 50 * time.Millisecond

// lookEvery is the least time between two unsuccessful searches for a connection that can make
// room.
const lookEvery = 10 * time.Millisecond

// rank orders connections by how soon they make room. Within a rank, the connection that has waited
// longest is first.
type rank int

const (
	waiting rank = iota // no request is in progress
	stalled             // its request neither sends nor receives
	busy                // its request is running; it cannot make room
)

// String describes the rank for the log.
func (r rank) String() string {
	return [...]string{
		waiting: "the connections that waited longest without a request",
		stalled: "the connections whose requests neither sent nor took anything for longest",
		busy:    "none",
	}[r]
}

// rank returns the connection's rank, and since when it has had it.
func (c *conn) rank(now time.Time) (rank, time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending {
		return busy, now
	}
	if c.state != http.StateActive {
		return waiting, c.since
	}
	for _, since := range []time.Time{c.owes, c.writing} {
		if !since.IsZero() && now.Sub(since) >= moment {
			return stalled, since
		}
	}
	return busy, now
}

// unusedFor returns how long the connection has had no request.
func (c *conn) unusedFor(now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending || c.state != http.StateNew && c.state != http.StateIdle {
		return 0
	}
	return now.Sub(c.since)
}

// makeRoom ends connections and returns a description of them for the log, or "" if none can make
// room. It examines all connections, so it ends several at a time: a flood of new connections must
// not cause a flood of searches. It is called with mu held.
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
