package connections

import (
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"example.com/petstore/handlers/rest"
)

// slack is how much later than required a write deadline may be, so that one deadline serves many
// writes: setting it costs as much as a small write.
const slack = time.Second

// aLongTimeAgo is a deadline that ends a read immediately.
var aLongTimeAgo = time.Unix(1, 0)

// conn is a connection whose client has [rest.PieceTime] to receive each [rest.PieceBytes] that is
// written, whether by a handler, net/http, TLS or HTTP/2.
//
// It hides io.ReaderFrom of the wrapped connection, which would bypass the deadlines.
type conn struct {
	net.Conn
	listener *Listener
	close    func() error // closes once

	mu      sync.Mutex
	state   http.ConnState // guarded by mu
	since   time.Time      // guarded by mu: when it entered the state
	readBy  time.Time      // guarded by mu: the deadline of SetReadDeadline
	owes    time.Time      // guarded by mu: when readBy was set for a body, or zero
	writeBy time.Time      // guarded by mu: the deadline of SetWriteDeadline
	armed   time.Time      // guarded by mu: the write deadline of the wrapped connection
	writing time.Time      // guarded by mu: when writing the current piece began, or zero
	ending  bool           // guarded by mu: it will end unless a request has arrived
}

func newConn(c net.Conn, l *Listener, now time.Time) *conn {
	wrapped := &conn{Conn: c, listener: l, state: http.StateNew, since: now}
	wrapped.close = sync.OnceValue(func() error {
		l.remove(wrapped)
		return c.Close()
	})
	return wrapped
}

// Close closes the connection. Further calls do nothing.
func (c *conn) Close() error { return c.close() }

// Write writes p, each piece within its time.
func (c *conn) Write(p []byte) (n int, err error) {
	for {
		piece := p[n:min(len(p), n+rest.PieceBytes)]
		c.beginWrite()
		written, err := c.Conn.Write(piece)
		c.endWrite()
		n += written
		if errors.Is(err, os.ErrDeadlineExceeded) {
			c.abandon()
		}
		if err != nil || n == len(p) {
			return n, err
		}
	}
}

func (c *conn) beginWrite() {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.writing = now
	switch by := now.Add(rest.PieceTime); {
	case !c.writeBy.IsZero() && c.writeBy.Before(by):
		c.arm(c.writeBy)
	case c.armed.Before(by):
		c.arm(by.Add(slack))
	}
}

// arm sets the write deadline. It is called with mu held.
func (c *conn) arm(by time.Time) {
	c.armed = by
	_ = c.Conn.SetWriteDeadline(by) // if the connection is closed, the write reports that
}

func (c *conn) endWrite() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writing = time.Time{}
}

// abandon makes Close discard unsent data, which the kernel would otherwise keep and offer for
// minutes.
func (c *conn) abandon() { _ = c.SetLinger(0) }

// SetLinger is [net.TCPConn.SetLinger]. It does nothing for other connections.
func (c *conn) SetLinger(seconds int) error {
	if tcp, ok := c.Conn.(interface{ SetLinger(int) error }); ok {
		return tcp.SetLinger(seconds)
	}
	return nil
}

// CloseWrite is [net.TCPConn.CloseWrite]. net/http refuses a request without reading all of it.
// Closing a connection with unread bytes resets it, possibly before the client has read the
// response.
func (c *conn) CloseWrite() error {
	if tcp, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return tcp.CloseWrite()
	}
	return nil
}

// SetWriteDeadline sets the end of writes, if it is before the end of the piece's time.
func (c *conn) SetWriteDeadline(by time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writeBy = by
	if !c.writing.IsZero() && !by.IsZero() && by.Before(c.armed) {
		c.arm(by) // also for a write in progress
	}
	return nil
}

// SetReadDeadline sets the end of reads.
func (c *conn) SetReadDeadline(by time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.readBy = by
	if by.IsZero() || c.state != http.StateActive {
		c.owes = time.Time{}
	} else if c.owes.IsZero() {
		c.owes = time.Now()
	}
	return c.applyReadDeadline()
}

// SetDeadline sets both deadlines.
func (c *conn) SetDeadline(by time.Time) error {
	return errors.Join(c.SetReadDeadline(by), c.SetWriteDeadline(by))
}

// applyReadDeadline is called with mu held. An ending connection reads nothing more, unless a
// request has arrived, which is then served.
func (c *conn) applyReadDeadline() error {
	if c.ending && c.state != http.StateActive {
		return c.Conn.SetReadDeadline(aLongTimeAgo)
	}
	return c.Conn.SetReadDeadline(c.readBy)
}

// enter records the state that net/http reports. It reports whether the connection was ending and
// is spared because a request has arrived.
func (c *conn) enter(state http.ConnState) (spared bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state, c.owes = state, time.Time{}
	if state == http.StateIdle {
		c.since = time.Now()
	}
	if c.ending && state == http.StateActive {
		c.setEnding(false)
		_ = c.applyReadDeadline()
		return true
	}
	return false
}

// end ends the connection: immediately if its client keeps a running request waiting, and otherwise
// unless a request has just arrived.
func (c *conn) end() {
	c.mu.Lock()
	stalled := c.state == http.StateActive
	c.setEnding(true)
	if !stalled {
		_ = c.applyReadDeadline()
	}
	c.mu.Unlock()
	if stalled {
		c.abandon()
		_ = c.Conn.Close() // net/http closes the rest
	}
}

// setEnding is called with mu held.
func (c *conn) setEnding(ending bool) {
	if c.ending != ending {
		c.ending = ending
		c.listener.ending.Add(map[bool]int64{true: 1, false: -1}[ending])
	}
}
