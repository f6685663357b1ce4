package connections

import (
	"container/list"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/rest"
)

// conn is a connection accepted by a [Listener].
//
// conn does not implement io.ReaderFrom, because the wrapped connection's ReadFrom would bypass
// Write.
type conn struct {
	net.Conn
	listener *Listener
	timed    atomic.Bool // a write deadline is set

	// The fields below are guarded by listener.mu.
	place   *list.Element // the connection's element in listener.open
	state   http.ConnState
	reading bool // a read deadline is set, which means that the server waits for the client
	writing bool // a write is in progress
	waits   wait
	since   time.Time // the start of the wait, or the later arrival of data for the next request
}

// wait is what a connection waits for.
type wait int

const (
	forServer  wait = iota // the server works on its request
	forRequest             // it has no request
	forClient              // its request waits for the client
)

// Close closes the connection.
func (c *conn) Close() error {
	c.listener.remove(c)
	return c.Conn.Close()
}

// update sets c.waits. If c.waits changes, but not to forServer, update restarts the wait. The
// caller must hold listener.mu.
func (c *conn) update() {
	waits := forServer
	switch {
	case c.state != http.StateActive:
		waits = forRequest
	case c.reading || c.writing:
		waits = forClient
	}
	if waits != forServer && waits != c.waits {
		c.restart()
	}
	c.waits = waits
}

// restart makes the connection's wait begin now. The caller must hold listener.mu.
func (c *conn) restart() {
	c.since = time.Now()
	c.listener.open.MoveToBack(c.place) // does nothing once the connection is closed
}

// set sets *flag, which is c.reading or c.writing, to value.
func (c *conn) set(flag *bool, value bool) {
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	*flag = value
	c.update()
}

// Read reads from the connection. If data arrives while no request is in progress, the connection's
// wait begins again. Idle connections are therefore closed before one whose request is arriving.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	if n > 0 && c.waits == forRequest {
		c.restart()
	}
	return n, err
}

// Write writes p. If no write deadline is set, the write must end within [rest.PieceTime]. This
// applies to responses that net/http itself writes. [rest.Writer] and HTTP/2 set their own
// deadlines.
func (c *conn) Write(p []byte) (int, error) {
	if !c.timed.Load() {
		_ = c.Conn.SetWriteDeadline(time.Now().Add(rest.PieceTime)) // if this fails, the write fails too
	}
	c.set(&c.writing, true)
	n, err := c.Conn.Write(p)
	c.set(&c.writing, false)
	if err != nil {
		_ = c.SetLinger(0) // discard unsent data, which the kernel would retry for minutes
	}
	return n, err
}

// SetReadDeadline sets the read deadline and c.reading. A deadline in 1970, which net/http sets to
// abort a read, counts as no deadline. The deadline is compared with 1970 and not with the clock,
// because reading the clock costs as much as the rest of the call.
func (c *conn) SetReadDeadline(by time.Time) error {
	c.set(&c.reading, by.After(time.Unix(1, 0)))
	return c.Conn.SetReadDeadline(by)
}

// SetWriteDeadline sets the write deadline.
func (c *conn) SetWriteDeadline(by time.Time) error {
	c.timed.Store(!by.IsZero())
	return c.Conn.SetWriteDeadline(by)
}

// SetLinger calls [net.TCPConn.SetLinger]. It does nothing on other types of connection.
func (c *conn) SetLinger(seconds int) error {
	if tcp, ok := c.Conn.(interface{ SetLinger(int) error }); ok {
		return tcp.SetLinger(seconds)
	}
	return nil
}

// CloseWrite calls [net.TCPConn.CloseWrite], if the connection has this method. net/http calls
// CloseWrite when it rejects a request that it has not read completely. If net/http closed the
// connection with unread data, the kernel would reset the connection, possibly before the client
// has read the response.
func (c *conn) CloseWrite() error {
	if tcp, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return tcp.CloseWrite()
	}
	return nil
}
