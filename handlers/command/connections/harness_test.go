package connections

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers/internal/must"
)

// pipes is a listener of unbuffered pipes in memory, which use the time of the synctest bubble. A
// write blocks until the other end reads it.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
	close    func()
}

func newPipes() *pipes {
	p := &pipes{accepted: make(chan net.Conn), closed: make(chan struct{})}
	p.close = sync.OnceFunc(func() { close(p.closed) })
	return p
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accepted:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.close()
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// server is a server in the bubble with its log.
type server struct {
	*Listener
	http  *http.Server
	pipes *pipes
	log   strings.Builder // read while the server is idle
}

// open returns the number of counted connections.
func (s *server) open() int {
	synctest.Wait()
	return s.Open()
}

// serve starts a server that allows up to most connections.
func serve(t *testing.T, most int, handler http.HandlerFunc) *server {
	t.Helper()
	s := &server{pipes: newPipes()}
	s.Listener = Listen(s.pipes, most, slog.New(slog.NewTextHandler(&s.log, nil)))
	s.http = &http.Server{Handler: handler, ConnState: s.ConnState, ReadHeaderTimeout: longTime, IdleTimeout: longTime}
	s.http.RegisterOnShutdown(s.Drain)
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = s.http.Serve(s.Listener)
	}()
	t.Cleanup(func() {
		_ = s.http.Close()
		<-served
		time.Sleep(longTime) // until handlers end
	})
	return s
}

// client is the other end of a connection.
type client struct {
	net.Conn
	t *testing.T
}

// dial opens a connection and waits until the server has accepted it.
func (s *server) dial(t *testing.T) *client {
	t.Helper()
	ours, theirs := net.Pipe()
	s.pipes.accepted <- theirs
	t.Cleanup(func() { ours.Close() })
	synctest.Wait()
	return &client{ours, t}
}

// send writes the text and waits until the server has handled it.
func (c *client) send(text string) {
	c.t.Helper()
	must.Get(io.WriteString(c, text))(c.t)
	synctest.Wait()
}

// closed reports whether the server has closed the connection.
func (c *client) closed() bool {
	c.t.Helper()
	synctest.Wait()
	_ = c.SetWriteDeadline(time.Now()) // a write to an open connection succeeds or times out
	_, err := c.Write([]byte("x"))
	return errors.Is(err, io.ErrClosedPipe)
}
