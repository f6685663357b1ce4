package command

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/command/connections"
	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/config"
	"example.com/petstore/handlers/extras"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/rest"
)

// inMemory is the listener of the program's HTTPS server over pipes in memory, so that the server
// uses the time of the synctest bubble.
type inMemory struct {
	connections chan net.Conn
	closed      chan struct{}
	client      *tls.Config
	dialled     int
}

func (m *inMemory) Accept() (net.Conn, error) {
	select {
	case c := <-m.connections:
		return c, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

func (m *inMemory) Close() error { return nil }

func (m *inMemory) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 443} }

func (m *inMemory) dial(context.Context, string, string) (net.Conn, error) {
	m.dialled++
	ours, theirs := net.Pipe()
	m.connections <- theirs
	return ours, nil
}

// connect opens a connection for a protocol, "h2" or "http/1.1". It returns the pipe and the TLS
// connection over it.
func (m *inMemory) connect(t *testing.T, protocol string) (inner net.Conn, c *tls.Conn) {
	t.Helper()
	inner = must.Get(m.dial(t.Context(), "", ""))(t)
	t.Cleanup(func() { inner.Close() })
	config := m.client.Clone()
	config.NextProtos = []string{protocol}
	c = tls.Client(inner, config)
	must.Succeed(t, c.HandshakeContext(t.Context()))
	return inner, c
}

// inBubble runs the test with a server in a synctest bubble.
func inBubble(t *testing.T, test func(t *testing.T, m *inMemory)) {
	t.Helper()
	cert, key, pool := certificate(t)
	made := time.Now() // the date differs inside the bubble
	synctest.Test(t, func(t *testing.T) {
		o := options{Program: config.Program{TLSCert: cert, TLSKey: key}}
		must.Succeed(t, o.loadCertificate())
		extras.Add(&o.Config)
		service := must.Get(handlers.New(o.Config))(t)
		m := &inMemory{connections: make(chan net.Conn), closed: make(chan struct{}), client: &tls.Config{
			RootCAs: pool, ServerName: "127.0.0.1", NextProtos: []string{"h2"}, Time: func() time.Time { return made },
		}}
		log := slog.New(slog.NewTextHandler(io.Discard, nil))
		listener := connections.Listen(m, 10, log)
		server := o.newServer(service, listener, log)
		served := make(chan error, 1)
		go func() { served <- o.accept(server, listener) }()
		test(t, m)
		close(m.closed)
		service.Close()
		_ = server.Close()
		<-served
	})
}

// transport returns an HTTP/2 transport whose streams have a receive window of that many bytes.
func (m *inMemory) transport(window int) *http.Transport {
	return &http.Transport{
		TLSClientConfig: m.client, ForceAttemptHTTP2: true, DialContext: m.dial,
		HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: window},
	}
}

// TestClosedWindow does not read a response on an HTTP/2 connection. The stream must be reset, and
// the connection must stay usable.
func TestClosedWindow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, path string
		within     time.Duration
		dials      int
	}{
		{"answer", "/pets?limit=100", rest.PieceTime + 2*time.Second, 1},
		// After its comments have filled the window, the connection has been idle too long.
		{"event stream", "/events", 6 * time.Hour, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T, m *inMemory) {
				transport := m.transport(1 << 10)
				defer transport.CloseIdleConnections()
				get := func(path string) *http.Response {
					t.Helper()
					r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://127.0.0.1"+path, nil)
					if err != nil {
						t.Fatal(err)
					}
					response := must.Get(transport.RoundTrip(r))(t)
					if response.ProtoMajor != 2 || response.StatusCode != http.StatusOK {
						t.Fatalf("%s: %s %s, want HTTP/2 and 200", path, response.Proto, response.Status)
					}
					return response
				}
				unread := get(test.path)
				defer unread.Body.Close()
				time.Sleep(test.within)
				body, err := io.ReadAll(unread.Body)
				if err == nil || !strings.Contains(err.Error(), "INTERNAL_ERROR") {
					t.Errorf("after %v the client reads %d bytes and %v; want the stream reset", test.within, len(body),
						err)
				}
				health := get("/healthz")
				if _, err := io.Copy(io.Discard, health.Body); err != nil {
					t.Error(err)
				}
				health.Body.Close()
				if m.dialled != test.dials {
					t.Errorf("%d connections, want %d", m.dialled, test.dials)
				}
			})
		})
	}
}

// TestWriteTimeoutOfEachPart reads pieces of a response over HTTP/1.1, each just in time, and then
// stops reading. The connection must end.
func TestWriteTimeoutOfEachPart(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, m *inMemory) {
		inner, c := m.connect(t, "http/1.1")
		must.Get(io.WriteString(c, "GET /admin/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"))(t)
		for range 5 {
			time.Sleep(rest.PieceTime - time.Second)
			must.Get(io.ReadFull(c, make([]byte, rest.PieceBytes)))(t)
		}
		const slack = 7 * time.Second // of the deadline, and 5 s for the TLS alert
		time.Sleep(rest.PieceTime + slack)
		synctest.Wait()
		if _, err := inner.Write([]byte("x")); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("a write returns %v, want that the connection is closed", err)
		}
	})
}

// TestClosedConnectionWindow never reads from a connection, which must end.
func TestClosedConnectionWindow(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, m *inMemory) {
		inner, _ := m.connect(t, "h2")
		time.Sleep(rest.PieceTime + 2*time.Second) // the server blocks while it writes its settings
		if _, err := inner.Write([]byte("x")); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("a write says %v, want that the connection is closed", err)
		}
	})
}

// TestHTTP2Settings checks the limits in the server's HTTP/2 settings (RFC 9113, section 6.5.2).
func TestHTTP2Settings(t *testing.T) {
	t.Parallel()
	cert, key, pool := certificate(t)
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key)
	c := must.Get(tls.Dial("tcp", strings.TrimPrefix(p.URL, "https://"),
		&tls.Config{RootCAs: pool, NextProtos: []string{"h2"}}))(t)
	defer c.Close()
	must.Get(io.WriteString(c, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"))(t)
	var header struct {
		Length [3]byte
		Type   byte
		Flags  byte
		Stream uint32
	}
	if err := binary.Read(c, binary.BigEndian, &header); err != nil || header.Type != 4 {
		t.Fatalf("the first frame is %+v, %v; want SETTINGS", header, err)
	}
	payload := make([]byte, int(header.Length[1])<<8|int(header.Length[2]))
	must.Get(io.ReadFull(c, payload))(t)
	got := make(map[uint16]uint32)
	for r := bytes.NewReader(payload); r.Len() > 0; {
		var setting struct {
			ID    uint16
			Value uint32
		}
		must.Succeed(t, binary.Read(r, binary.BigEndian, &setting))
		got[setting.ID] = setting.Value
	}
	const streams, window, frame, headers = 3, 4, 5, 6
	for id, want := range map[uint16]uint32{streams: maxStreams, window: uploadPerStream, frame: maxFrame,
		headers: maxHeader + 10*32} {
		if got[id] != want {
			t.Errorf("setting %d is %d, want %d", id, got[id], want)
		}
	}
}

// TestHeadersAreBounded sends a large request line and a large header. net/http refuses them in
// plain text, before any handler.
func TestHeadersAreBounded(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0")
	fits, large := strings.Repeat("x", maxHeader-1<<10), strings.Repeat("x", maxHeader+8<<10)
	for _, test := range []struct {
		name, path, header string
		status             int
		contentType        string
	}{
		{"a header that fits", "/pets", fits, http.StatusOK, "application/json"},
		{"a large header", "/pets", large, http.StatusRequestHeaderFieldsTooLarge, "text/plain; charset=utf-8"},
		{"a request line that fits", "/" + fits, "", http.StatusNotFound, "application/json"},
		{"a large request line", "/" + large, "", http.StatusRequestHeaderFieldsTooLarge, "text/plain; charset=utf-8"},
	} {
		got := programtest.Get(t, p.URL+test.path, "X-Large", test.header)
		if diff := cmp.Diff([]any{test.status, test.contentType},
			[]any{got.Status, got.Header.Get("Content-Type")}); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.name, diff)
		}
	}
}

// HTTP/2 frames sent by a client (RFC 9113, 6), with header fields encoded as in RFC 7541.
const (
	settingsFrame    = "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
	unfinishedHeader = "\x00\x00\x01\x01\x00\x00\x00\x00\x03\x82" // HEADERS without END_HEADERS, on stream 3
	moreOfTheHeader  = "\x00\x00\x01\x09\x00\x00\x00\x00\x03\x87" // CONTINUATION without END_HEADERS
	restOfTheHeader  = "\x00\x00\x0d\x09\x04\x00\x00\x00\x03\x84\x87" + "\x01\x09localhost"
	getPet           = "\x00\x00\x16\x01\x05\x00\x00\x00\x01\x82\x87" + "\x04\x07/pets/1" + "\x01\x09localhost"
	getEvents        = "\x00\x00\x16\x01\x05\x00\x00\x00\x01\x82\x87" + "\x04\x07/events" + "\x01\x09localhost"
	postWithABody    = "\x00\x00\x27\x01\x04\x00\x00\x00\x01\x83\x87" + "\x04\x05/pets" + "\x01\x09localhost" +
		"\x0f\x10\x10application/json"
	beginningOfABody  = "\x00\x00\x01\x00\x00\x00\x00\x00\x01{"
	beginningOfAFrame = "\x00\x00\x16\x01"
)

// answerPings reads frames until the connection ends, and answers each ping (RFC 9113, 6.7).
func answerPings(c net.Conn) {
	for {
		var header [9]byte
		if _, err := io.ReadFull(c, header[:]); err != nil {
			return
		}
		payload := make([]byte, int(header[1])<<8|int(header[2]))
		_, _ = io.ReadFull(c, payload) // if it fails, the next read does too
		if header[3] == 6 && header[4] == 0 {
			header[4] = 1
			_, _ = c.Write(append(header[:], payload...))
		}
	}
}

// TestHeaderTimeout sends the beginning of a header. The connection must end after the time
// for a header, even with other open streams of HTTP/2. A connection without a request must end
// after the idle time.
func TestHeaderTimeout(t *testing.T) {
	t.Parallel()
	const whole = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
	const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settingsFrame
	const unfinished = pingAfter + pingTimeout // for HTTP/2
	for _, test := range []struct {
		name   string
		first  string        // begins with preface for HTTP/2
		every  time.Duration // interval between the texts
		next   []string
		pongs  bool          // the client answers pings, which it cannot within a frame or a header
		closes time.Duration // time until the connection ends, or 0 if it must outlast three minutes
	}{
		{name: "nothing", closes: readHeaderTimeout},
		{name: "half a header", first: "GET /pets HTTP/1.1\r\nHost: loc", closes: readHeaderTimeout},
		{name: "no next request of HTTP 1", first: whole, closes: idleTimeout},
		{name: "half a next header", first: whole + "GET /pets HTTP/1.1\r\n", closes: readHeaderTimeout},
		{name: "half a frame", first: preface + beginningOfAFrame, closes: unfinished},
		{name: "a header without its end", first: preface + unfinishedHeader, closes: unfinished},
		{name: "beside an open stream", first: preface + getEvents + unfinishedHeader, closes: unfinished},
		{name: "an endless header", first: preface + unfinishedHeader, every: 9 * time.Second,
			next: []string{moreOfTheHeader, moreOfTheHeader, moreOfTheHeader}, closes: unfinished},
		{name: "a complete header", first: preface + getEvents + unfinishedHeader, every: 9 * time.Second,
			next: []string{restOfTheHeader}, pongs: true},
		{name: "an open stream", first: preface + getEvents, pongs: true},
		{name: "no next request", first: preface + getPet, pongs: true, closes: idleTimeout},
		// The stream ends after the time for a body and leaves the connection idle.
		{name: "half a body", first: preface + postWithABody + beginningOfABody, pongs: true,
			closes: 30*time.Second + idleTimeout},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			protocol := "http/1.1"
			if strings.HasPrefix(test.first, preface) {
				protocol = "h2"
			}
			inBubble(t, func(t *testing.T, m *inMemory) {
				begun := time.Now()
				_, c := m.connect(t, protocol)
				ended := make(chan time.Duration, 1)
				go func() {
					if test.pongs {
						answerPings(c)
					}
					_, _ = io.Copy(io.Discard, c)
					ended <- time.Since(begun)
				}()
				_, _ = io.WriteString(c, test.first)
				for _, text := range test.next {
					time.Sleep(test.every)
					_, _ = io.WriteString(c, text) // fails if the connection has ended
				}
				select {
				case after := <-ended:
					if test.closes == 0 || after < test.closes || after > test.closes+time.Second {
						t.Errorf("the connection ended after %v, want %v", after, test.closes)
					}
				case <-time.After(3 * time.Minute):
					if test.closes != 0 {
						t.Errorf("the connection has not ended within three minutes, want %v", test.closes)
					}
				}
			})
		})
	}
}
