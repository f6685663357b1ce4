package contracttest

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Request is one request. A body without a Content-Type is sent as
// application/json; an empty Content-Type is not sent at all.
type Request struct {
	Method, Path string // path with query, as they stand in the request line
	Header       http.Header
	Body         string
	Chunked      bool // send the body without a Content-Length
}

// Get is a GET.
func Get(path string) Request { return Request{Method: http.MethodGet, Path: path} }

// Post is a POST of JSON.
func Post(path, body string) Request { return Request{Method: http.MethodPost, Path: path, Body: body} }

// Put is a PUT of JSON.
func Put(path, body string) Request { return Request{Method: http.MethodPut, Path: path, Body: body} }

// Delete is a DELETE.
func Delete(path string) Request { return Request{Method: http.MethodDelete, Path: path} }

// InSandbox is the request to the sandbox of the name, by header.
func InSandbox(name string, r Request) Request {
	r.Header = http.Header{"X-Sandbox": {name}}
	return r
}

// Behind is the request to the sandbox of the name, by path.
func Behind(name string, r Request) Request {
	r.Path = "/sandboxes/" + name + r.Path
	return r
}

// Textual is the request with a body that does not say that it is JSON.
func Textual(r Request) Request {
	r.Header = http.Header{"Content-Type": {"text/plain"}}
	return r
}

// Do makes the request and fails the test unless it gets an answer.
func (w *World) Do(t *testing.T, r Request) *Answer {
	t.Helper()
	ctx, leave := context.WithTimeout(t.Context(), 2*time.Minute) // so that a defect is no hanging test
	defer leave()
	a, err := w.Try(ctx, r)
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.Path, err)
	}
	return a
}

// Try is do for goroutines and for requests that may break off.
func (w *World) Try(ctx context.Context, r Request) (*Answer, error) {
	var body io.Reader
	if r.Body != "" {
		body = strings.NewReader(r.Body)
	}
	if r.Chunked {
		body = struct{ io.Reader }{strings.NewReader(r.Body)} // a length that net/http cannot see
	}
	httpRequest, err := http.NewRequestWithContext(ctx, r.Method, w.URL+r.Path, body)
	if err != nil {
		return nil, err
	}
	if r.Body != "" {
		httpRequest.Header.Set("Content-Type", "application/json")
	}
	if len(r.Body) > 256<<10 {
		// A server that answers without reading that much closes the connection, which
		// may break off the sending before the answer is seen.
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
		return &Answer{Status: response.StatusCode, Header: response.Header}, nil // what it tells is for world.listen
	}
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	Plain, err := Uncompressed(response.Header, raw)
	return &Answer{response.StatusCode, response.Header, Plain}, err
}

// Get is do for a GET, the commonest request.
func (w *World) Get(t *testing.T, path string) *Answer {
	t.Helper()
	return w.Do(t, Request{Method: http.MethodGet, Path: path})
}

// Must is do for a step on the way that has to succeed.
func (w *World) Must(t *testing.T, r Request) *Answer {
	t.Helper()
	a := w.Do(t, r)
	if a.Status >= http.StatusBadRequest {
		t.Fatalf("%s %s = %d %s", r.Method, r.Path, a.Status, a.Body)
	}
	return a
}

// Raw sends bytes as they are and returns the first bytes of what comes back:
// for what net/http's client refuses to send.
func (w *World) Raw(t *testing.T, message string) string {
	t.Helper()
	connection := w.Dial(t)
	Send(t, connection, message)
	got, err := io.ReadAll(connection)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

// Dial opens a connection to the world, which is closed with the test.
func (w *World) Dial(t *testing.T) net.Conn {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(w.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	_ = connection.SetDeadline(time.Now().Add(2 * time.Minute)) // so that a defect is no hanging test
	return connection
}

// Send writes the message as it is.
func Send(t *testing.T, connection net.Conn, message string) {
	t.Helper()
	if _, err := io.WriteString(connection, message); err != nil {
		t.Fatal(err)
	}
}

// Uncompressed returns the body of an answer as it was before it was compressed.
func Uncompressed(header http.Header, body []byte) ([]byte, error) {
	if header.Get("Content-Encoding") != "gzip" || len(body) == 0 { // empty: the answer to HEAD
		return body, nil
	}
	reader, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}
