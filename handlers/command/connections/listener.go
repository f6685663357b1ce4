package connections

import (
	"container/list"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/logs"
)

// bufferBytes is the size of each of a connection's kernel buffers.
const bufferBytes = 64 << 10

// moment is how long a request must have neither sent nor received anything before its connection
// can make room.
const moment = 50 * time.Millisecond

// drainEvery is the interval at which a stopping server looks for unused connections, and how long
// one must have been unused.
const drainEvery = 50 * time.Millisecond

// Listener is a net.Listener that bounds the number of connections. Its server must call
// [Listener.ConnState] as its [net/http.Server.ConnState]. It always accepts: at the maximum, it
// closes the connection that has waited longest for its client, or else the new one.
type Listener struct {
	net.Listener
	max     int
	log     *slog.Logger
	closed  atomic.Uint64 // connections closed for lack of room
	drained chan struct{}

	mu      sync.Mutex
	open    int       // guarded by mu
	waiting list.List // guarded by mu: connections without a request, the longest waiting first
	stalled list.List // guarded by mu: those whose request waits for the client, likewise
}

// Listen returns a listener with at most this many connections, accepted from inner. It logs a
// warning, at a bounded rate, when the maximum is reached.
func Listen(inner net.Listener, most int, log *slog.Logger) *Listener {
	bounded := slog.New(logs.Bounded(log.Handler()))
	return &Listener{Listener: inner, max: most, log: bounded, drained: make(chan struct{})}
}

// Limit returns the most connections, at most wanted, that the process's limit of open files allows
// beside its other files. It is at least 1.
func Limit(wanted int) int {
	files := openFiles()
	spare := min(max(files/4, 16), 64)
	return max(1, int(min(uint64(wanted), files-min(files, spare))))
}

// Accept returns the next connection that there is room for.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		inner, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: inner, listener: l, state: http.StateNew}
		closed, which := l.admit(c)
		if closed != nil {
			l.closed.Add(1)
			l.log.Warn("the maximum of connections is reached; "+
				"raise --max-connections, or the limit of open files if that is lower", "max", l.max, "closed", which)
			_ = closed.Close()
		}
		if closed != c {
			boundKernel(inner)
			return c, nil
		}
	}
}

// admit counts the connection. It returns the connection to close for it, which may be the same,
// and describes it for the log, or returns nil if there is room.
func (l *Listener) admit(c *conn) (closed *conn, which string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open >= l.max {
		closed, which = l.longest()
		if closed == nil {
			closed, which = c, "the new one"
		}
	}
	l.open++
	c.enqueue()
	return closed, which
}

// longest returns the connection that has waited longest for its client, and describes its queue
// for the log. It returns nil if none can make room. It is called with mu held.
func (l *Listener) longest() (*conn, string) {
	if c := firstAfter(0, &l.waiting); c != nil {
		return c, "the connections that waited longest without a request"
	}
	if c := firstAfter(moment, &l.stalled); c != nil {
		_ = c.SetLinger(0) // discards what the client does not take
		return c, "the connections whose requests neither sent nor took anything for longest"
	}
	return nil, ""
}

// firstAfter returns the first connection of the queue, or nil if none has waited for that long. It
// is called with mu held.
func firstAfter(wait time.Duration, queue *list.List) *conn {
	if first := queue.Front(); first != nil {
		if c := first.Value.(*conn); time.Since(c.since) >= wait {
			return c
		}
	}
	return nil
}

func (l *Listener) remove(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.state != http.StateClosed {
		c.state = http.StateClosed
		l.open--
		c.enqueue()
	}
}

// ConnState records the state of a connection.
func (l *Listener) ConnState(c net.Conn, state http.ConnState) {
	for {
		outer, ok := c.(interface{ NetConn() net.Conn })
		if !ok {
			break
		}
		c = outer.NetConn()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if c, ok := c.(*conn); ok && c.state != http.StateClosed {
		c.state = state
		c.enqueue()
	}
}

// Open returns the number of open connections.
func (l *Listener) Open() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open
}

// Closed returns the number of connections closed for lack of room, including new ones.
func (l *Listener) Closed() uint64 { return l.closed.Load() }

// Drain closes all connections without a running request, now and as they become so. It is called
// once, when the server has begun to shut down: [net/http.Server.Shutdown] itself waits 5 s for a
// connection without a request, which browsers open in advance, and one second for an HTTP/2
// connection.
func (l *Listener) Drain() {
	defer close(l.drained)
	for l.Open() > 0 {
		time.Sleep(drainEvery)
		for c := l.unused(); c != nil; c = l.unused() {
			_ = c.Close()
		}
	}
}

// Drained returns a channel that is closed when Drain has been called and no connection is left.
func (l *Listener) Drained() <-chan struct{} { return l.drained }

// unused returns a connection that has had no request for some time, or nil if there is none.
func (l *Listener) unused() *conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	return firstAfter(drainEvery, &l.waiting)
}

// boundKernel bounds the kernel's buffers of a TCP connection.
func boundKernel(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(bufferBytes) // a closed connection reports that later
		_ = tcp.SetReadBuffer(bufferBytes)
	}
}
