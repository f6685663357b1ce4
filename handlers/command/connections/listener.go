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

// bufferBytes is what the kernel may hold for a connection, each way.
const bufferBytes = 64 << 10

// drainEvery is how often a server that stops looks for connections that nobody uses,
// and how long one may have been unused by then.
const drainEvery = 50 * time.Millisecond

// Listener is a net.Listener whose connections are bounded in number and in time. A
// server that serves it has to call [Listener.ConnState] as its
// [net/http.Server.ConnState]. It always accepts: where as many connections are open as
// there may be, some that keep the server waiting are closed, or else the new one.
type Listener struct {
	net.Listener
	max     int
	log     *slog.Logger
	ending  atomic.Int64  // of conns: those that make room
	closed  atomic.Uint64 // since there was no room
	drained chan struct{} // closed when it drains and no connection is left

	mu       sync.Mutex
	conns    map[*conn]bool // guarded by mu
	nextLook time.Time      // guarded by mu: until when there is nobody to make room
	draining bool           // guarded by mu
}

// Listen returns a listener with at most that many connections, of those that the inner
// one accepts. The log gets a warning when the maximum is reached, at a bounded rate.
func Listen(inner net.Listener, most int, log *slog.Logger) *Listener {
	bounded := slog.New(logs.Bounded(log.Handler()))
	return &Listener{Listener: inner, max: most, log: bounded, conns: make(map[*conn]bool), drained: make(chan struct{})}
}

// Accept returns the next connection for which there is room.
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

// Open returns how many connections are open.
func (l *Listener) Open() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.conns)
}

// Closed returns how many were closed because there were too many, new ones among them.
func (l *Listener) Closed() uint64 { return l.closed.Load() }

// admit returns the connection if there is room for it, and says who made room, or did
// not get any.
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

// ConnState notes the state of a connection.
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

// replace makes room in place of a connection that was to make room, and whose request has
// come after all: another one has its place. A sixteenth more than the maximum may be open
// for that. If there are as many, and nobody else makes room, it is closed.
func (l *Listener) replace(spared *conn) {
	l.mu.Lock()
	full := len(l.conns)-int(l.ending.Load()) > l.max+1+l.max/16 && l.makeRoom(time.Now()) == ""
	l.mu.Unlock()
	if full {
		spared.abandon()
		_ = spared.Conn.Close() // net/http closes the rest of it
	}
}

// Drain ends the connections on which no request runs, now and when that is so. It is to
// be called when the server has begun to shut down: [net/http.Server.Shutdown] itself
// waits 5 s for a connection that was only opened, as browsers do in advance, and a
// second for one of HTTP/2.
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

// Drained is closed when Drain has been called and no connection is left.
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

// boundKernel bounds what the kernel holds for the connection. What is not TCP has no
// such buffers.
func boundKernel(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(bufferBytes) // a connection that is closed already says so later
		_ = tcp.SetReadBuffer(bufferBytes)
	}
}
