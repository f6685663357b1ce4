package connections

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// BoundHTTP2 applies the server's ReadHeaderTimeout to the headers of HTTP/2 requests. Without
// this, net/http waits for the rest of a header as long as for the next request. If a stream is
// open, it waits forever.
//
// BoundHTTP2 inspects frames before net/http reads them. For this, each connection has its own
// http.Server, which serves it as unencrypted HTTP/2.
func BoundHTTP2(server *http.Server) {
	stopping, stop := context.WithCancel(context.Background())
	server.RegisterOnShutdown(stop)
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	server.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){
		"h2": func(_ *http.Server, c *tls.Conn, handler http.Handler) {
			framed := &framedConn{Conn: c, limit: server.ReadHeaderTimeout, frames: frames{left: len(preface)}}
			only := &single{conn: framed, ended: make(chan struct{})}
			one := &http.Server{
				Handler: handler, Protocols: &protocols, HTTP2: server.HTTP2, ErrorLog: server.ErrorLog,
				ReadHeaderTimeout: server.ReadHeaderTimeout, IdleTimeout: server.IdleTimeout,
				MaxHeaderBytes: server.MaxHeaderBytes,
				ConnState: func(c net.Conn, state http.ConnState) {
					server.ConnState(c, state)
					if state == http.StateClosed {
						close(only.ended)
					}
				},
			}
			defer context.AfterFunc(stopping, func() { _ = one.Shutdown(context.Background()) })()
			_ = one.Serve(only) // until the connection is closed
		},
	}
}

// preface is the connection preface, which a client sends before its first frame (RFC 9113, section
// 3.4).
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// single is a listener that accepts only one connection.
type single struct {
	conn     *framedConn
	accepted bool          // used only by the goroutine that calls Accept
	ended    chan struct{} // closed when the connection is closed
}

// Accept returns the connection once, and then waits until it is closed.
func (s *single) Accept() (net.Conn, error) {
	if !s.accepted {
		s.accepted = true
		return s.conn, nil
	}
	<-s.ended
	return nil, net.ErrClosed
}

// Close does nothing, because the connection must remain open after the server closes its
// listeners.
func (s *single) Close() error { return nil }

// Addr returns the server's address.
func (s *single) Addr() net.Addr { return s.conn.LocalAddr() }

// framedConn is an HTTP/2 connection with a limit on the time for receiving a frame or a header.
type framedConn struct {
	net.Conn
	limit  time.Duration
	frames frames
	by     time.Time // the read deadline; zero means none
}

// NetConn returns the wrapped connection.
func (c *framedConn) NetConn() net.Conn { return c.Conn }

// Read reads from the connection. The time limit starts with the first byte of a frame and applies
// until the last byte has arrived, but not to the payload of a DATA frame. A header block in
// several frames counts as one frame.
func (c *framedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.frames.take(p[:n], time.Now())
	var by time.Time
	if c.frames.unfinished() {
		by = c.frames.began.Add(c.limit)
	}
	if by != c.by {
		c.by = by
		_ = c.SetReadDeadline(by)
	}
	return n, err
}

// frames tracks HTTP/2 frame boundaries in a byte stream (RFC 9113, section 4.1).
type frames struct {
	header [9]byte   // the next frame's header
	have   int       // number of header bytes read so far
	left   int       // number of payload bytes not yet read
	timed  bool      // the time limit applies to this frame's payload
	block  bool      // the header block continues in the next frame (RFC 9113, section 6.10)
	began  time.Time // when the unfinished frame or header began
}

// Frame types and flags (RFC 9113, section 6).
const (
	typeData         = 0x0
	typeHeaders      = 0x1
	typeContinuation = 0x9
	flagEndHeaders   = 0x4
)

// take processes bytes that arrived at the given time.
func (f *frames) take(p []byte, now time.Time) {
	for len(p) > 0 {
		if !f.unfinished() {
			f.began = now
		}
		if f.left > 0 {
			n := min(f.left, len(p))
			f.left, p = f.left-n, p[n:]
			continue
		}
		n := copy(f.header[f.have:], p)
		f.have, p = f.have+n, p[n:]
		if f.have < len(f.header) {
			return
		}
		f.have = 0
		f.left = int(f.header[0])<<16 | int(f.header[1])<<8 | int(f.header[2])
		f.timed = f.header[3] != typeData // other limits apply to the time for a body
		if f.header[3] == typeHeaders || f.header[3] == typeContinuation {
			f.block = f.header[4]&flagEndHeaders == 0
		}
	}
}

// unfinished reports whether a part of a frame or header is missing and the time limit applies to
// it.
func (f *frames) unfinished() bool { return f.have > 0 || f.block || f.left > 0 && f.timed }
