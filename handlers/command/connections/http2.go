package connections

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"
)

// BoundHTTP2 makes the server bound the time of a header on a connection of HTTP/2, as it
// bounds it on one of HTTP/1.1: by its ReadHeaderTimeout. net/http waits for the rest of a
// header for as long as it waits for the next request, and without end while a stream is
// open.
//
// The frames of such a connection are read before net/http gets them. Therefore each
// connection has a server of its own, which takes its bytes as HTTP/2 without TLS.
func BoundHTTP2(server *http.Server) {
	var mu sync.Mutex
	all := make(map[*http.Server]bool) // guarded by mu
	server.RegisterOnShutdown(func() {
		mu.Lock()
		defer mu.Unlock()
		for one := range all {
			go func() { _ = one.Shutdown(context.Background()) }()
		}
	})
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	server.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){
		"h2": func(_ *http.Server, c *tls.Conn, handler http.Handler) {
			one := &http.Server{
				Handler: handler, Protocols: &protocols, HTTP2: server.HTTP2,
				ReadHeaderTimeout: server.ReadHeaderTimeout, IdleTimeout: server.IdleTimeout, MaxHeaderBytes: server.MaxHeaderBytes,
				ConnState: server.ConnState, ErrorLog: server.ErrorLog,
			}
			mu.Lock()
			all[one] = true
			mu.Unlock()
			framed := &framedConn{Conn: c, limit: server.ReadHeaderTimeout, frames: frames{left: len(preface)}, closed: make(chan struct{})}
			_ = one.Serve(&single{conn: framed}) // until the connection is closed, or the server shuts down
			<-framed.closed
			mu.Lock()
			delete(all, one)
			mu.Unlock()
		},
	}
}

// preface is what a client sends before its first frame (RFC 9113, 3.4).
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// single is a listener with one connection.
type single struct {
	conn     *framedConn
	accepted bool // guarded by the one goroutine that calls Accept
}

// Accept returns the connection, and then waits until that is closed.
func (s *single) Accept() (net.Conn, error) {
	if !s.accepted {
		s.accepted = true
		return s.conn, nil
	}
	<-s.conn.closed
	return nil, net.ErrClosed
}

// Close does nothing: the connection outlives its listener while a server shuts down.
func (s *single) Close() error { return nil }

// Addr returns the address of the server.
func (s *single) Addr() net.Addr { return s.conn.LocalAddr() }

// framedConn is a connection of HTTP/2 on which an unfinished frame or header has a limit.
type framedConn struct {
	net.Conn
	limit  time.Duration
	frames frames
	timed  bool // whether the limit runs
	closed chan struct{}
	close  sync.Once
}

// NetConn returns the connection below.
func (c *framedConn) NetConn() net.Conn { return c.Conn }

// Close closes the connection.
func (c *framedConn) Close() error {
	defer c.close.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// Read reads from the connection. The limit runs from the read that brings the first byte of
// a frame, or of a header of several frames, to the read that brings the last one.
func (c *framedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	finished := c.frames.take(p[:n])
	switch unfinished := c.frames.unfinished(); {
	case unfinished && (finished || !c.timed):
		c.timed = true
		_ = c.SetReadDeadline(time.Now().Add(c.limit))
	case !unfinished && c.timed:
		c.timed = false
		_ = c.SetReadDeadline(time.Time{})
	}
	return n, err
}

// frames follows the frames of HTTP/2 in a stream of bytes (RFC 9113, 4.1).
type frames struct {
	header [9]byte // of the next frame
	have   int     // bytes of header
	left   int     // bytes to come of the frame's content
	timed  bool    // whether the frame's content has to come within the limit
	block  bool    // whether a header goes on in the next frame (RFC 9113, 6.10)
}

// Types and flags of frames (RFC 9113, 6).
const (
	typeData         = 0x0
	typeHeaders      = 0x1
	typeContinuation = 0x9
	flagEndHeaders   = 0x4
)

// take follows the next bytes, and reports whether all before one of them was finished.
func (f *frames) take(p []byte) (finished bool) {
	for len(p) > 0 {
		finished = finished || !f.unfinished()
		if f.left > 0 {
			n := min(f.left, len(p))
			f.left, p = f.left-n, p[n:]
			continue
		}
		n := copy(f.header[f.have:], p)
		f.have, p = f.have+n, p[n:]
		if f.have < len(f.header) {
			break
		}
		f.have = 0
		f.left = int(f.header[0])<<16 | int(f.header[1])<<8 | int(f.header[2])
		f.timed = f.header[3] != typeData // the time of a body is bounded elsewhere
		if f.header[3] == typeHeaders || f.header[3] == typeContinuation {
			f.block = f.header[4]&flagEndHeaders == 0
		}
	}
	return finished
}

// unfinished reports whether a frame or a header has begun that has to come within the limit.
func (f *frames) unfinished() bool { return f.have > 0 || f.block || f.left > 0 && f.timed }
