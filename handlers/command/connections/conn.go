package connections

import (
	"container/list"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/rest"
)

// conn is a connection in the listener's queue of those that wait for their clients, unless the
// server works on its request.
//
// It hides io.ReaderFrom of the wrapped connection, which would bypass Write.
type conn struct {
	net.Conn
	listener *Listener
	timed    atomic.Bool // a write deadline is set

	// The fields below are guarded by listener.mu.
	state   http.ConnState
	reading bool          // a read deadline is set, so the server waits for the client to send
	writing bool          // a write is in progress
	queue   *list.List    // nil if it does not wait
	place   *list.Element // in queue
	since   time.Time     // when it entered the queue, or moved to its end
}

// Close closes the connection.
func (c *conn) Close() error {
	c.listener.remove(c)
	return c.Conn.Close()
}

// enqueue moves the connection to the end of its queue, unless it is in that queue already. It is
// called with listener.mu held.
func (c *conn) enqueue() {
	var queue *list.List
	switch {
	case c.state == http.StateClosed:
	case c.state != http.StateActive:
		queue = &c.listener.waiting
	case c.reading || c.writing:
		queue = &c.listener.stalled
	}
	if queue == c.queue {
		return
	}
	if c.queue != nil {
		c.queue.Remove(c.place)
	}
	if c.queue = queue; queue != nil {
		c.place, c.since = queue.PushBack(c), time.Now()
	}
}

// set sets reading or writing.
func (c *conn) set(what *bool, to bool) {
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	*what = to
	c.enqueue()
}

// Read reads from the connection. If no request is in progress, the connection moves to the end of
// its queue: while its request arrives, the others make room before it.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	if n > 0 && c.queue == &c.listener.waiting {
		c.since = time.Now()
		c.queue.MoveToBack(c.place)
	}
	return n, err
}

// Write writes p. A write without a deadline, such as net/http's own responses, has
// [rest.PieceTime]; [rest.Writer] and HTTP/2 set deadlines for theirs.
func (c *conn) Write(p []byte) (int, error) {
	if !c.timed.Load() {
		_ = c.Conn.SetWriteDeadline(time.Now().Add(rest.PieceTime)) // if it is closed, the write reports that
	}
	c.set(&c.writing, true)
	n, err := c.Conn.Write(p)
	c.set(&c.writing, false)
	if err != nil {
		_ = c.SetLinger(0) // the kernel would keep unsent data and offer it for minutes
	}
	return n, err
}

// SetReadDeadline sets the end of reads.
func (c *conn) SetReadDeadline(by time.Time) error {
	c.set(&c.reading, time.Until(by) > 0)
	return c.Conn.SetReadDeadline(by)
}

// SetWriteDeadline sets the end of writes.
func (c *conn) SetWriteDeadline(by time.Time) error {
	c.timed.Store(!by.IsZero())
	return c.Conn.SetWriteDeadline(by)
}

// SetDeadline sets both deadlines.
func (c *conn) SetDeadline(by time.Time) error {
	return errors.Join(c.SetReadDeadline(by), c.SetWriteDeadline(by))
}

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
