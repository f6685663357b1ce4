package handlers_test

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox/journal"
)

// watched is the connection of one request. It calls a check before any part of a response leaves,
// and before the connection closes.
type watched struct {
	*httptest.ResponseRecorder
	look func()
}

func (w *watched) WriteHeader(status int) {
	w.look()
	w.ResponseRecorder.WriteHeader(status)
}

func (w *watched) Write(p []byte) (int, error) {
	w.look()
	return w.ResponseRecorder.Write(p)
}

func (w *watched) Flush() {
	w.look()
	w.ResponseRecorder.Flush()
}

// hijackable is a watched connection that can be hijacked, like one of HTTP/1.
type hijackable struct{ *watched }

func (w hijackable) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	server, client := net.Pipe()
	client.Close()
	return watchedConn{server, w.look}, nil, nil
}

type watchedConn struct {
	net.Conn
	look func()
}

func (c watchedConn) Close() error {
	c.look()
	return c.Conn.Close()
}

// TestJournalPrecedesResponse checks that a request is recorded before its client can see the response,
// whatever the response is.
func TestJournalPrecedesResponse(t *testing.T) {
	t.Parallel()
	rule := func(text string) string { return `{"match": {"operationId": "listPets"}, ` + text + `}` }
	for _, test := range []struct {
		name, rule, request string
		header              http.Header
		status              int // of the entry
	}{
		{name: "an answer", request: "GET /pets/1", status: 200},
		{name: "HEAD", request: "HEAD /pets/1", status: 200},
		{name: "an answer without a body", request: "DELETE /pets/2", status: 204},
		{name: "a compressed answer", request: "GET /pets?limit=1000", header: http.Header{"Accept-Encoding": {"gzip"}},
			status: 200},
		{name: "an error", request: "GET /pets/x", status: 400},
		{name: "an unknown path", request: "GET /nope", status: 404},
		{name: "a wrong method", request: "PUT /pets", status: 405},
		{name: "an unread body", request: "POST /pets", status: 415},
		{name: "OPTIONS", request: "OPTIONS /pets", status: 204},
		{name: "a preflight", request: "OPTIONS /pets", status: 204,
			header: http.Header{"Origin": {"http://app.example"}, "Access-Control-Request-Method": {"PUT"}}},
		{name: "a stream", request: "GET /events", status: 200},
		{name: "a fault", rule: rule(`"status": 503`), request: "GET /pets", status: 503},
		{name: "a fault without a body", rule: rule(`"status": 304`), request: "GET /pets", status: 304},
		{name: "a fault afterwards", rule: rule(`"status": 503, "when": "after"`), request: "GET /pets", status: 503},
		{name: "an injected failure", request: "GET /pets", header: Prefer("code=502"), status: 502},
		{name: "reset", rule: rule(`"abort": "reset"`), request: "GET /pets", status: 0},
		{name: "reset afterwards", rule: rule(`"abort": "reset", "when": "after"`), request: "GET /pets", status: 0},
		{name: "truncate", rule: rule(`"abort": "truncate"`), request: "GET /pets", status: 0},
		{name: "truncate HEAD", rule: rule(`"abort": "truncate"`), request: "HEAD /pets", status: 0},
	} {
		for _, protocol := range []string{"HTTP/1.1", "HTTP/2.0"} {
			t.Run(test.name+" over "+protocol, func(t *testing.T) {
				t.Parallel()
				server := NewServer(t)
				entries := server.Sandboxes().Default().Journal
				if test.rule != "" {
					arrange(t, server, "default", test.rule)
				}
				ctx, leave := context.WithCancel(t.Context())
				statuses := func() (all []int) {
					for _, e := range entries.Find(journal.Filter{}) {
						all = append(all, e.Status)
					}
					return all
				}
				w := &watched{httptest.NewRecorder(), func() {
					must.Equal(t, []int{test.status},
						statuses(), "before a part of the answer, statuses in the journal")
					leave() // which ends a stream
				}}
				method, path, _ := strings.Cut(test.request, " ")
				r := httptest.NewRequestWithContext(ctx, method, path, nil)
				r.Header = test.header.Clone()
				if r.Header == nil {
					r.Header = make(http.Header)
				}
				var connection http.ResponseWriter = w
				if protocol == "HTTP/1.1" {
					connection = hijackable{w}
				}
				Serve(server, connection, r)
				must.Equal(t, []int{test.status}, statuses(), "at the end, statuses in the journal")
			})
		}
	}
}

// TestJournalOfHangingRequests checks that a request that gets no response is recorded as soon as it
// hangs.
func TestJournalOfHangingRequests(t *testing.T) {
	t.Parallel()
	server := NewServer(t)
	arrange(t, server, "default", `{"abort": "hang"}`)
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Serve(server, httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/pets", nil))
	}()
	entries := server.Sandboxes().Default().Journal
	if came, err := entries.Wait(t.Context(), journal.Filter{Status: new(0)}, 1); !came || err != nil {
		t.Error("no entry came", err)
	}
	select {
	case <-ended:
		t.Error("the request has ended, though its client is connected")
	default:
	}
	leave()
	<-ended
	if n, _ := entries.Size(); n != 1 {
		t.Errorf("%d entries, want 1", n)
	}
}

// arrange adds a fault rule to a sandbox.
func arrange(t *testing.T, server *handlers.Server, name, rule string) {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "http://localhost/sandboxes/"+name+"/admin/faults", strings.NewReader(rule))
	r.Header.Set("Content-Type", "application/json")
	server.ServeHTTP(w, r)
	if w.Code != http.StatusCreated {
		t.Fatal(w.Code, w.Body)
	}
}

// TestJournalKeepsRefusedBodies sends a body, over HTTP/1.1, with requests that are refused before
// the operation. The entry has the body.
func TestJournalKeepsRefusedBodies(t *testing.T) {
	t.Parallel()
	keyed := func(c *handlers.Config) { c.APIKeys = []string{"k1"} }
	create := Post("/pets", Rex)
	for name, test := range map[string]struct {
		rule    string
		change  []func(*handlers.Config)
		request Request
		status  int // of the entry
	}{
		"a fault":                {rule: `{"status": 503}`, request: create, status: 503},
		"a fault without a body": {rule: `{"status": 304}`, request: create, status: 304},
		"a fault after a delay":  {rule: `{"status": 500, "delay": {"fixedMs": 1}}`, request: create, status: 500},
		"a fault afterwards":     {rule: `{"status": 500, "when": "after"}`, request: create, status: 500},
		"reset":                  {rule: `{"abort": "reset"}`, request: create},
		"truncate":               {rule: `{"abort": "truncate"}`, request: create},
		"Prefer":                 {request: create.With("Prefer", "code=502"), status: 502},
		"Prefer after a delay":   {request: create.With("Prefer", "code=502, delay=1"), status: 502},
		"no key":                 {change: []func(*handlers.Config){keyed}, request: create, status: 401},
		"a wrong key": {change: []func(*handlers.Config){keyed},
			request: create.WithKey("k2"), status: 401},
		"the key of another": {change: []func(*handlers.Config){keyed},
			request: create.WithKey("bobs"), status: 403},
		"the rate limit": {change: []func(*handlers.Config){Limited(0.001)}, request: create, status: 429},
		"a sunset": {change: []func(*handlers.Config){At(config.DefaultSunset())},
			request: Request{Method: "GET", Path: "/pets/1", Body: Rex}, status: 410},
		"no route":                  {request: Post("/nope", Rex), status: 404},
		"no method":                 {request: Put("/pets", Rex), status: 405},
		"another type":              {request: Textual(create), status: 415},
		"a bad parameter":           {request: Put("/pets/x", Rex), status: 400},
		"a method that reads none":  {request: Request{Method: "DELETE", Path: "/pets/1", Body: Rex}, status: 204},
		"OPTIONS, which reads none": {request: Request{Method: "OPTIONS", Path: "/pets", Body: Rex}, status: 204},
	} {
		for _, chunked := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := NewWorld(t, test.change...)
				w.Make(t, "bob", registry.CreateOptions{Key: new("bobs")})
				if test.rule != "" {
					w.AddFault(t, test.rule)
				}
				if test.status == 429 {
					w.Get(t, "/pets") // uses up the rate limit
				}
				entries := w.Server.Sandboxes().Default().Journal
				entries.Reset()
				r := test.request
				r.Chunked = chunked
				_, _ = w.Loose().Try(t.Context(), r) // the connection may be aborted
				found := entries.Find(journal.Filter{})
				if len(found) != 1 {
					t.Fatalf("%d entries, want 1", len(found))
				}
				if e := found[0]; e.Status != test.status || e.Body != Rex || e.BodyTruncated ||
					e.BodySize != int64(len(Rex)) {
					t.Errorf("status %d, body %q, cut %t, of %d bytes; want %d and %q", e.Status, e.Body,
						e.BodyTruncated, e.BodySize, test.status, Rex)
				}
			})
		}
	}
}
