package connections

import (
	"cmp"
	"container/list"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/logs"
)

// bufferBytes is the size of a connection's send buffer and of its receive buffer in the kernel.
const bufferBytes = 64 << 10

// moment is the minimum time without progress after which the connection of a running request may
// be closed to make room.
const moment = 50 * time.Millisecond

// drainEvery is the interval at which a server that shuts down closes unused connections. A
// connection counts as unused if it has had no request for this time.
const drainEvery = 50 * time.Millisecond

// Listener is a net.Listener that limits the number of open connections. When the maximum is
// reached, it still accepts a new connection, and closes the open connection that has been without
// a request for longest. If every open connection has a request, it closes the one whose request
// has waited longest for its client. If no request has waited for 50 ms (see moment), it closes the
// new connection. The http.Server must use [Listener.ConnState] as its ConnState hook.
type Listener struct {
	net.Listener
	max    int
	log    *logs.Bounded
	closed atomic.Uint64 // number of connections closed because the maximum was reached

	mu sync.Mutex
	// The open connections, guarded by mu. Of those with equal conn.waits, the one that has waited
	// longest (the earliest conn.since) comes first.
	open list.List
}

// Listen returns a listener that accepts connections from inner. The parameter most is the maximum
// number of open connections. When the listener closes a connection to make room, it logs a
// warning, at a limited rate.
func Listen(inner net.Listener, most int, log *slog.Logger) *Listener {
	return &Listener{Listener: inner, max: most, log: logs.NewBounded(log)}
}

// Limit returns wanted, or the number of connections that the process's limit on open files allows
// if that is lower. This number leaves room for other files. The result is at least 1.
func Limit(wanted int) int {
	files := openFiles()
	spare := min(max(files/4, 16), 64)
	return max(1, int(min(uint64(wanted), files-min(files, spare))))
}

// Accept returns the next connection. At the maximum, it closes another connection. If no other
// connection may be closed, it closes the new one and waits for the next.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		inner, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: inner, listener: l, state: http.StateNew}
		closed := l.admit(c)
		if closed != nil {
			l.closed.Add(1)
			l.log.Warn("the maximum of connections is reached; "+
				"raise --max-connections, or the limit of open files if that is lower", "max", l.max)
			_ = closed.Close()
		}
		if closed != c {
			boundKernel(inner)
			return c, nil
		}
	}
}

// admit counts c as open. If there is no room for c, admit returns the connection to close, which
// may be c itself. Otherwise, it returns nil.
func (l *Listener) admit(c *conn) (closed *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open.Len() >= l.max {
		closed = cmp.Or(l.longer(0, forRequest), l.longer(moment, forClient), c)
		if closed.waits == forClient {
			_ = closed.SetLinger(0) // discard data that the client has not read
		}
	}
	c.place = l.open.PushBack(c)
	c.update()
	return closed
}

// longer returns the connection that has been in the given wait for longest, or nil if none has
// been in it for at least d. The caller must hold mu.
func (l *Listener) longer(d time.Duration, waits wait) *conn {
	for at := l.open.Front(); at != nil; at = at.Next() {
		if c := at.Value.(*conn); c.waits == waits {
			if time.Since(c.since) < d {
				return nil
			}
			return c
		}
	}
	return nil
}

func (l *Listener) remove(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open.Remove(c.place)
}

// ConnState records the state of a connection.
func (l *Listener) ConnState(c net.Conn, state http.ConnState) {
	if secured, ok := c.(interface{ NetConn() net.Conn }); ok { // TLS
		c = secured.NetConn()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if c, ok := c.(*conn); ok {
		c.state = state
		c.update()
	}
}

// Open returns the number of open connections.
func (l *Listener) Open() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open.Len()
}

// Closed returns the number of connections that were closed because the maximum was reached. The
// number includes new connections.
func (l *Listener) Closed() uint64 { return l.closed.Load() }

// Drain closes each connection that has been without a request for drainEvery. It returns when no
// connection is open, so it waits for running requests. It must be called once, during shutdown.
// Without Drain, [net/http.Server.Shutdown] would wait 5 s for connections that a browser has
// opened in advance and not used, and one second for an HTTP/2 connection.
func (l *Listener) Drain() {
	for l.Open() > 0 {
		time.Sleep(drainEvery)
		for c := l.unused(); c != nil; c = l.unused() {
			_ = c.Close()
		}
	}
}

// unused returns a connection that has had no request for drainEvery, or nil if there is none.
func (l *Listener) unused() *conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.longer(drainEvery, forRequest)
}

// boundKernel limits the size of the kernel's buffers for a TCP connection.
func boundKernel(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(bufferBytes) // if this fails, the system's default applies
		_ = tcp.SetReadBuffer(bufferBytes)
	}
}
