package middleware_test

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/sandbox/journal"
)

// watched is the connection of one request. It looks before anything of an answer
// leaves, the end of a connection too.
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

// hijackable is a watched connection that can be taken over, as one of HTTP/1 can.
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

// TestJournalIsFirst wants the entry of a request to be there before its client can
// know of the answer, whatever that is and however it goes out.
func TestJournalIsFirst(t *testing.T) {
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
		{name: "a compressed answer", request: "GET /pets?limit=1000", header: http.Header{"Accept-Encoding": {"gzip"}}, status: 200},
		{name: "an error", request: "GET /pets/x", status: 400},
		{name: "an unknown path", request: "GET /nope", status: 404},
		{name: "a wrong method", request: "PUT /pets", status: 405},
		{name: "a body that is not taken", request: "POST /pets", status: 415},
		{name: "OPTIONS", request: "OPTIONS /pets", status: 204},
		{name: "a preflight", request: "OPTIONS /pets", status: 204,
			header: http.Header{"Origin": {"http://app.example"}, "Access-Control-Request-Method": {"PUT"}}},
		{name: "a stream", request: "GET /events", status: 200},
		{name: "a fault", rule: rule(`"status": 503`), request: "GET /pets", status: 503},
		{name: "a fault without a body", rule: rule(`"status": 304`), request: "GET /pets", status: 304},
		{name: "a fault afterwards", rule: rule(`"status": 503, "when": "after"`), request: "GET /pets", status: 503},
		{name: "an injected failure", request: "GET /pets", header: prefer("code=502"), status: 502},
		{name: "reset", rule: rule(`"abort": "reset"`), request: "GET /pets", status: 0},
		{name: "reset afterwards", rule: rule(`"abort": "reset", "when": "after"`), request: "GET /pets", status: 0},
		{name: "truncate", rule: rule(`"abort": "truncate"`), request: "GET /pets", status: 0},
		{name: "truncate HEAD", rule: rule(`"abort": "truncate"`), request: "HEAD /pets", status: 0},
	} {
		for _, protocol := range []string{"HTTP/1.1", "HTTP/2.0"} {
			t.Run(test.name+" over "+protocol, func(t *testing.T) {
				t.Parallel()
				server := newServer(t)
				entries := server.Sandboxes().Default().Journal
				if test.rule != "" {
					arrange(t, server, "default", test.rule)
				}
				ctx, leave := context.WithCancel(t.Context())
				statuses := func() (all []int) {
					for _, e := range entries.Find(journal.Filter{}, 10).Entries {
						all = append(all, e.Status)
					}
					return all
				}
				w := &watched{httptest.NewRecorder(), func() {
					if diff := cmp.Diff([]int{test.status}, statuses()); diff != "" {
						t.Errorf("before a part of the answer, statuses in the journal, -want +got:\n%s", diff)
					}
					leave() // a stream ends then
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
				serveTo(server, connection, r)
				if diff := cmp.Diff([]int{test.status}, statuses()); diff != "" {
					t.Errorf("at the end, statuses in the journal, -want +got:\n%s", diff)
				}
			})
		}
	}
}

// TestJournalHasWhatHangs wants the entry of a request that is never answered once
// it hangs: its client learns of that when it likes.
func TestJournalHasWhatHangs(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	arrange(t, server, "default", `{"abort": "hang"}`)
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		serveTo(server, httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/pets", nil))
	}()
	entries := server.Sandboxes().Default().Journal
	if came, err := entries.Wait(t.Context(), journal.Filter{Status: new(0)}, 1); !came || err != nil {
		t.Error("no entry came", err)
	}
	select {
	case <-ended:
		t.Error("it has ended, though its client is there")
	default:
	}
	leave()
	<-ended
	if n, _ := entries.Size(); n != 1 {
		t.Errorf("%d entries, want 1", n)
	}
}

// arrange gives a sandbox a fault rule.
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
