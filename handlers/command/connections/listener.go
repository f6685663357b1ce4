package connections

import (
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

// drainEvery is the interval at which a stopping server looks for unused connections, and how long
// one must have been unused.
const drainEvery = 50 * time.Millisecond

// Listener is a net.Listener that bounds connections in number and time. Its server must call
// [Listener.ConnState] as its [net/http.Server.ConnState]. It always accepts: at the maximum, it
// closes connections that keep the server waiting, or else the new one.
type Listener struct {
	net.Listener
	max     int
	log     *slog.Logger
	ending  atomic.Int64  // connections that will end to make room
	closed  atomic.Uint64 // connections closed for lack of room
	drained chan struct{} // closed when it drains and no connection is left

	mu       sync.Mutex
	conns    map[*conn]bool // guarded by mu
	nextLook time.Time      // guarded by mu: no connection can make room earlier
	draining bool           // guarded by mu
}

// Listen returns a listener with at most this many connections, accepted from inner. It logs a
// warning, at a bounded rate, when the maximum is reached.
func Listen(inner net.Listener, most int, log *slog.Logger) *Listener {
	bounded := slog.New(logs.Bounded(log.Handler()))
	return &Listener{Listener: inner, max: most, log: bounded, conns: make(map[*conn]bool), drained: make(chan struct{})}
}

// Accept returns the next connection that there is room for.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		inner, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c, closed := l.admit(inner)
		if closed != "" {
			l.closed.Add(1)
			l.log.Warn("the maximum of connections is reached; raise --max-connections, or the limit of open files if that is lower", "max", l.max, "closed", closed)
		}
		if c != nil {
			boundKernel(inner)
			return c, nil
		}
		_ = inner.Close()
	}
}

// Open returns the number of open connections.
func (l *Listener) Open() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.conns)
}

// Closed returns the number of connections closed for lack of room, including new ones.
func (l *Listener) Closed() uint64 { return l.closed.Load() }

// admit returns the connection, or nil if there is no room for it, and describes what was closed,
// or "".
func (l *Listener) admit(inner net.Conn) (admitted *conn, closed string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if len(l.conns)-int(l.ending.Load()) >= l.max {
		if closed = l.makeRoom(now); closed == "" {
			return nil, "the new one"
		}
	}
	c := newConn(inner, l, now)
	l.conns[c] = true
	return c, closed
}

func (l *Listener) remove(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, c)
	c.mu.Lock()
	c.setEnding(false)
	c.mu.Unlock()
	l.noteDrained()
}

// noteDrained is called with mu held.
func (l *Listener) noteDrained() {
	if !l.draining || len(l.conns) > 0 {
		return
	}
	select {
	case <-l.drained:
	default:
		close(l.drained)
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
	if c, ok := c.(*conn); ok && c.enter(state) {
		l.replace(c)
	}
}

// replace makes room again after a connection that was ending has been spared. Spared connections
// may exceed the maximum by 1/16. Beyond that, the connection itself is closed if no other one can
// make room.
func (l *Listener) replace(spared *conn) {
	l.mu.Lock()
	full := len(l.conns)-int(l.ending.Load()) > l.max+1+l.max/16 && l.makeRoom(time.Now()) == ""
	l.mu.Unlock()
	if full {
		spared.abandon()
		_ = spared.Conn.Close() // net/http closes the rest
	}
}

// Drain ends all connections without a running request, now and as they become so. It is called
// when the server has begun to shut down: [net/http.Server.Shutdown] itself waits 5 s for a
// connection without a request, which browsers open in advance, and one second for an HTTP/2
// connection.
func (l *Listener) Drain() {
	l.mu.Lock()
	l.draining = true
	l.noteDrained()
	l.mu.Unlock()
	tick := time.NewTicker(drainEvery)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			l.endUnused(now)
		case <-l.drained:
			return
		}
	}
}

// Drained returns a channel that is closed when Drain has been called and no connection is left.
func (l *Listener) Drained() <-chan struct{} { return l.drained }

func (l *Listener) endUnused(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		if c.unusedFor(now) >= drainEvery {
			c.end()
		}
	}
}

// boundKernel bounds the kernel's buffers of a TCP connection.
func boundKernel(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(bufferBytes) // a closed connection reports that later
		_ = tcp.SetReadBuffer(bufferBytes)
	}
}
