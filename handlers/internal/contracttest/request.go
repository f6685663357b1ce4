package contracttest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/must"
)

// Request is one request. A body is sent as application/json unless Header has another
// Content-Type. If that is "", no Content-Type is sent.
type Request struct {
	Method, Path string // Path may include a query
	Header       http.Header
	Body         string
	Chunked      bool // send the body without a Content-Length
}

// Get returns a GET request.
func Get(path string) Request { return Request{Method: http.MethodGet, Path: path} }

// Post returns a POST request with a JSON body.
func Post(path, body string) Request { return Request{Method: http.MethodPost, Path: path, Body: body} }

// Put returns a PUT request with a JSON body.
func Put(path, body string) Request { return Request{Method: http.MethodPut, Path: path, Body: body} }

// Patch returns a PATCH request with a JSON body.
func Patch(path, body string) Request {
	return Request{Method: http.MethodPatch, Path: path, Body: body}
}

// Delete returns a DELETE request.
func Delete(path string) Request { return Request{Method: http.MethodDelete, Path: path} }

// InSandbox returns r addressed to the named sandbox by a header.
func InSandbox(name string, r Request) Request { return r.With("X-Sandbox", name) }

// Behind returns r addressed to the named sandbox by its path.
func Behind(name string, r Request) Request {
	r.Path = "/sandboxes/" + name + r.Path
	return r
}

// Textual returns r with the Content-Type text/plain.
func Textual(r Request) Request { return r.With("Content-Type", "text/plain") }

// With returns r with the header set.
func (r Request) With(name, value string) Request {
	if r.Header = r.Header.Clone(); r.Header == nil {
		r.Header = make(http.Header)
	}
	r.Header.Set(name, value)
	return r
}

// WithKey returns r with key as its bearer token.
func (r Request) WithKey(key string) Request { return r.With("Authorization", "Bearer "+key) }

// Do sends the request and returns the answer. It fails the test if there is none.
func (w *World) Do(t *testing.T, r Request) *Answer {
	t.Helper()
	ctx, leave := context.WithTimeout(t.Context(), 2*time.Minute) // so that a defect does not hang the test
	defer leave()
	a, err := w.Try(ctx, r)
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.Path, err)
	}
	return a
}

// Try is like [World.Do], but returns an error. It may be called from any goroutine.
func (w *World) Try(ctx context.Context, r Request) (*Answer, error) {
	var body io.Reader
	if r.Body != "" {
		body = strings.NewReader(r.Body)
	}
	if r.Chunked {
		body = struct{ io.Reader }{strings.NewReader(r.Body)} // hide the length from net/http
	}
	httpRequest, err := http.NewRequestWithContext(ctx, r.Method, w.URL+r.Path, body)
	if err != nil {
		return nil, err
	}
	if r.Body != "" {
		httpRequest.Header.Set("Content-Type", "application/json")
	}
	if len(r.Body) > 256<<10 {
		// A server that answers before it has read such a long body closes the connection. Sending
		// the body could then fail before the client has read the answer.
		httpRequest.Header.Set("Expect", "100-continue")
	}
	for name, values := range r.Header {
		httpRequest.Header[name] = values
	}
	if httpRequest.Header.Get("Content-Type") == "" {
		httpRequest.Header.Del("Content-Type")
	}
	if host := r.Header.Get("Host"); host != "" {
		httpRequest.Host = host
	}
	response, err := w.Client.Do(httpRequest)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if IsStream(response.Header) {
		return &Answer{Status: response.StatusCode, Header: response.Header}, nil // see World.Listen
	}
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	Plain, err := Uncompressed(response.Header, raw)
	return &Answer{response.StatusCode, response.Header, Plain}, err
}

// Get sends a GET request and returns the answer.
func (w *World) Get(t *testing.T, path string) *Answer {
	t.Helper()
	return w.Do(t, Request{Method: http.MethodGet, Path: path})
}

// Must is like [World.Do], but fails the test if the status is 400 or more.
func (w *World) Must(t *testing.T, r Request) *Answer {
	t.Helper()
	a := w.Do(t, r)
	if a.Status >= http.StatusBadRequest {
		t.Fatalf("%s %s = %d %s", r.Method, r.Path, a.Status, a.Body)
	}
	return a
}

// Raw sends a message over a new connection and returns the answer. The message may be one that
// net/http's client would not send.
func (w *World) Raw(t *testing.T, message string) *Answer {
	t.Helper()
	connection := w.Dial(t)
	Send(t, connection, message)
	return ReadAnswer(t, connection)
}

// ReadAnswer reads an answer from the connection.
func ReadAnswer(t *testing.T, connection io.Reader) *Answer {
	t.Helper()
	response := must.Get(http.ReadResponse(bufio.NewReader(connection), nil))(t)
	defer response.Body.Close()
	body := must.Get(io.ReadAll(response.Body))(t)
	return &Answer{response.StatusCode, response.Header, body}
}

// Dial opens a connection to the server. The connection is closed at the end of the test.
func (w *World) Dial(t *testing.T) net.Conn {
	t.Helper()
	connection := must.Get(net.Dial("tcp", strings.TrimPrefix(w.URL, "http://")))(t)
	t.Cleanup(func() { connection.Close() })
	_ = connection.SetDeadline(time.Now().Add(2 * time.Minute)) // so that a defect does not hang the test
	return connection
}

// Send writes the message to the connection.
func Send(t *testing.T, connection net.Conn, message string) {
	t.Helper()
	must.Get(io.WriteString(connection, message))(t)
}

// Uncompressed decompresses the body of an answer if it is compressed.
func Uncompressed(header http.Header, body []byte) ([]byte, error) {
	if header.Get("Content-Encoding") != "gzip" || len(body) == 0 { // the answer to HEAD is empty
		return body, nil
	}
	reader, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}
