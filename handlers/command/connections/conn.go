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

// slack is by how much the deadline of a write may be later than it must be, so that one
// serves many writes: setting it costs as much as a small write.
const slack = time.Second

// aLongTimeAgo is a deadline that ends a read at once.
var aLongTimeAgo = time.Unix(1, 0)

// conn is a connection whose client has [rest.PieceTime] to take each
// [rest.PieceBytes] of what is written, whoever writes it: a handler, net/http itself,
// TLS or HTTP/2.
//
// It hides io.ReaderFrom of the connection below, which would write past the deadlines.
type conn struct {
	net.Conn
	listener *Listener
	close    func() error // closes once

	mu      sync.Mutex
	state   http.ConnState // guarded by mu
	since   time.Time      // guarded by mu: since when it has been in the state
	readBy  time.Time      // guarded by mu: what SetReadDeadline was told
	owes    time.Time      // guarded by mu: since when readBy has been set, for a body; zero: it is not
	writeBy time.Time      // guarded by mu: what SetWriteDeadline was told
	armed   time.Time      // guarded by mu: the deadline that writes of the connection below have
	writing time.Time      // guarded by mu: since when a piece has been being written; zero: none is
	ending  bool           // guarded by mu: it ends unless a request of it has come
}

func newConn(c net.Conn, l *Listener, now time.Time) *conn {
	wrapped := &conn{Conn: c, listener: l, state: http.StateNew, since: now}
	wrapped.close = sync.OnceValue(func() error {
		l.remove(wrapped)
		return c.Close()
	})
	return wrapped
}

// Close closes the connection. Calling it again does nothing.
func (c *conn) Close() error { return c.close() }

// Write writes p, each piece of it in its time.
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

// arm is called with mu held.
func (c *conn) arm(by time.Time) {
	c.armed = by
	_ = c.Conn.SetWriteDeadline(by) // of a closed connection, whose write then says so
}

func (c *conn) endWrite() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writing = time.Time{}
}

// abandon makes closing the connection drop what the client has not taken, which the
// kernel would keep and offer for minutes.
func (c *conn) abandon() { _ = c.SetLinger(0) }

// SetLinger is that of [net.TCPConn], where the connection is one.
func (c *conn) SetLinger(seconds int) error {
	if tcp, ok := c.Conn.(interface{ SetLinger(int) error }); ok {
		return tcp.SetLinger(seconds)
	}
	return nil
}

// CloseWrite is that of [net.TCPConn], where the connection is one: net/http refuses a
// request that it has not read to its end, and what is closed with bytes unread resets
// the connection before the client has read why.
func (c *conn) CloseWrite() error {
	if tcp, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return tcp.CloseWrite()
	}
	return nil
}

// SetWriteDeadline sets when writes end, if that is before the time of a piece is over.
func (c *conn) SetWriteDeadline(by time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writeBy = by
	if !c.writing.IsZero() && !by.IsZero() && by.Before(c.armed) {
		c.arm(by) // whoever writes meanwhile has it too
	}
	return nil
}

// SetReadDeadline sets when reads end.
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

// SetDeadline sets both.
func (c *conn) SetDeadline(by time.Time) error {
	return errors.Join(c.SetReadDeadline(by), c.SetWriteDeadline(by))
}

// applyReadDeadline is called with mu held. A connection that ends reads no more, unless
// a request of it has come, which is then answered.
func (c *conn) applyReadDeadline() error {
	if c.ending && c.state != http.StateActive {
		return c.Conn.SetReadDeadline(aLongTimeAgo)
	}
	return c.Conn.SetReadDeadline(c.readBy)
}

// enter notes what net/http says of the connection.
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

// end makes the connection end: at once, if its client keeps the server waiting within a
// request, else unless a request has come that nobody knows of yet.
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
		_ = c.Conn.Close() // net/http closes the rest of it
	}
}

// setEnding is called with mu held.
func (c *conn) setEnding(ending bool) {
	if c.ending != ending {
		c.ending = ending
		c.listener.ending.Add(map[bool]int64{true: 1, false: -1}[ending])
	}
}
