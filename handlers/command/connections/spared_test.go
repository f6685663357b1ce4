package connections

import (
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"
)

// TestSparedConnectionsAreBounded has the requests of connections that make room come in
// the same moment, so that they stay after all, beside those that have got their places.
func TestSparedConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	const most = 32
	l := Listen(nil, most, slog.New(slog.DiscardHandler))
	open := make(map[*conn]net.Conn)
	for range 10 * most {
		client, server := net.Pipe()
		t.Cleanup(func() { client.Close() })
		if c, _ := l.admit(server); c != nil {
			c.mu.Lock()
			c.since = c.since.Add(-time.Second) // so that it is the first to make room
			c.mu.Unlock()
			open[c] = client
		}
		for c, client := range open {
			if !c.isEnding() {
				continue
			}
			l.ConnState(c, http.StateActive)
			_ = client.SetReadDeadline(time.Now().Add(-time.Second))
			if _, err := client.Read(make([]byte, 1)); !isTimeout(err) { // as net/http does with one that is closed
				_ = c.Close()
				delete(open, c)
			}
		}
		if n := l.Open() - int(l.ending.Load()); n > most+most/16+1 {
			t.Fatalf("%d connections are open, of %d at most", n, most)
		}
	}
	if n := l.Open(); n < most {
		t.Errorf("%d connections are open, want %d", n, most)
	}
}

func (c *conn) isEnding() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ending
}

func isTimeout(err error) bool {
	timeout, ok := err.(net.Error)
	return ok && timeout.Timeout()
}
