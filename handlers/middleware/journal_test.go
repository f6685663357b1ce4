package middleware

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
)

// TestJournalRecords checks the entry of a request through the link. Time in the test's bubble
// passes only when a handler sleeps.
func TestJournalRecords(t *testing.T) {
	t.Parallel()
	list := &rest.Operation{ID: "listPets", Kind: rest.Service}
	for _, test := range []struct {
		name      string
		path      string
		operation *rest.Operation
		handle    rest.Handler
		status    int // of the entry
		fault     int64
	}{
		{"an answer", "/pets", list, answer(201), 201, 0},
		{"an unknown path", "/nope", nil, answer(404), 404, 0},
		{"a fault", "/pets", list, func(x *rest.Exchange) error { x.Fault = 3; return answer(503)(x) }, 503, 3},
		{"a connection that is broken off", "/pets", list, func(*rest.Exchange) error { panic(http.ErrAbortHandler) }, 0, 0},
		{"an answer that is broken off", "/pets", list, func(x *rest.Exchange) error {
			x.Sent.BreakOff(rest.Beginning{})
			_ = answer(200)(x)
			panic(http.ErrAbortHandler)
		}, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				sb := newSandbox(10)
				x := rest.NewExchange(new(rest.Server), httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/sandboxes/ada"+test.path+"?x=1", nil))
				x.Client = "2001:db8::7"
				x.R.Header.Set("X-Client", "web")
				x.ID, x.Sandbox, x.Operation = "req-9", sb, test.operation
				came := sb.Clock.Now()
				through(t, x, func(x *rest.Exchange) error {
					time.Sleep(3 * time.Millisecond)
					return test.handle(x)
				})
				want := journal.Entry{
					ID: 1, Time: came, Came: came, RequestID: "req-9", Method: "GET", Path: test.path, Query: "x=1",
					Scheme: "http", Host: "example.com", Protocol: "HTTP/1.1",
					Headers: map[string]string{"X-Client": "web"}, Client: "2001:db8::7", ClientName: "web",
					Status: test.status, Fault: test.fault, DurationMS: 3, OperationID: operationID(x),
				}
				if want.Status != 0 {
					want.Response = &journal.Response{Status: want.Status, Headers: map[string]string{}}
				}
				if diff := cmp.Diff([]journal.Entry{want}, sb.Journal.Find(journal.Filter{}, 10).Entries); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		})
	}
}

// TestJournalKeepsAnswers checks the response in an entry.
func TestJournalKeepsAnswers(t *testing.T) {
	t.Parallel()
	const text = "Hello, hello!\n"
	sends := func(status int, header map[string]string, parts ...string) rest.Handler {
		return func(x *rest.Exchange) error {
			for name, value := range header {
				x.W.Header().Set(name, value)
			}
			x.W.WriteHeader(status)
			for _, part := range parts {
				_, _ = x.W.Write([]byte(part))
			}
			return nil
		}
	}
	flushes := func(x *rest.Exchange) error {
		_ = sends(200, map[string]string{"Content-Type": "text/event-stream"})(x)
		_ = http.NewResponseController(x.W).Flush()
		_, _ = x.W.Write([]byte(text))
		return nil
	}
	many := strings.Repeat("{}\n", 2000)
	asJSON, asImage := map[string]string{"Content-Type": "application/json", "Content-Length": "14"}, map[string]string{"Content-Type": "image/png", "Content-Length": "14"}
	for _, test := range []struct {
		name           string
		method, accept string
		handle         rest.Handler
		want           journal.Response
	}{
		{"text", "GET", "", sends(201, asJSON, text), journal.Response{Status: 201, Headers: asJSON, Body: text, BodySize: 14}},
		{"the first part of it", "GET", "", sends(200, asJSON, text[:7], text[7:]),
			journal.Response{Status: 200, Headers: asJSON, Body: text[:7], BodyTruncated: true, BodySize: 14}},
		{"text of unknown length", "GET", "", sends(200, map[string]string{"Content-Type": "text/plain"}, text),
			journal.Response{Status: 200, Headers: map[string]string{"Content-Type": "text/plain"}, Body: text, BodyTruncated: true, BodySize: -1}},
		{"a stream", "GET", "", flushes, journal.Response{Status: 200, Headers: map[string]string{"Content-Type": "text/event-stream"}, BodySize: -1}},
		{"an image", "GET", "", sends(200, asImage, text), journal.Response{Status: 200, Headers: asImage, BodySize: 14}},
		{"HEAD", "HEAD", "", sends(200, asJSON, text), journal.Response{Status: 200, Headers: asJSON}},
		{"nothing", "DELETE", "", sends(204, nil), journal.Response{Status: 204, Headers: map[string]string{}}},
		{"not modified", "GET", "", sends(304, map[string]string{"Etag": `"a"`}), journal.Response{Status: 304, Headers: map[string]string{"Etag": `"a"`}}},
		{"a status alone", "GET", "", sends(200, nil), journal.Response{Status: 200, Headers: map[string]string{}}},
		{"a cookie", "GET", "", sends(200, map[string]string{"Set-Cookie": "key=s3cr3t"}),
			journal.Response{Status: 200, Headers: map[string]string{"Set-Cookie": "[redacted]"}}},
		{"what is compressed", "GET", "gzip", sends(200, map[string]string{"Content-Type": "application/json", "Content-Length": "6000"}, many),
			journal.Response{Status: 200, Headers: map[string]string{"Content-Type": "application/json", "Content-Encoding": "gzip"},
				Body: many[:journal.MaxBody], BodyTruncated: true, BodySize: 6000}},
		{"what is too small to compress", "GET", "gzip", sends(200, asJSON, text), journal.Response{Status: 200, Headers: asJSON, Body: text, BodySize: 14}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			sb := newSandbox(10)
			x := rest.NewExchange(new(rest.Server), httptest.NewRecorder(), httptest.NewRequest(test.method, "/pets", nil))
			x.Sandbox, x.Operation = sb, &rest.Operation{ID: "listPets", Kind: rest.Service}
			if test.accept != "" {
				x.R.Header.Set("Accept-Encoding", test.accept)
			}
			through(t, x, Compress()(x.Operation, test.handle))
			e := sb.Journal.Find(journal.Filter{}, 1).Entries[0]
			delete(e.Response.Headers, "Vary")
			if diff := cmp.Diff(&test.want, e.Response); diff != "" || e.Status != test.want.Status {
				t.Errorf("status %d, -want +got:\n%s", e.Status, diff)
			}
		})
	}
}

// through sends the exchange through the link. If a handler aborts the connection, the link must
// do so too.
func through(t *testing.T, x *rest.Exchange, handle rest.Handler) {
	t.Helper()
	broken := false
	passed := func() (p any) {
		defer func() { p = recover() }()
		return Journal(x.Operation, func(x *rest.Exchange) error {
			broken = true
			err := handle(x)
			broken = false
			return err
		})(x)
	}()
	if want := any(nil); passed != want && (!broken || passed != any(http.ErrAbortHandler)) || broken && passed == nil {
		t.Errorf("behind the link: %v", passed)
	}
}

func answer(status int) rest.Handler {
	return func(x *rest.Exchange) error {
		x.W.WriteHeader(status)
		return nil
	}
}

func newSandbox(journal int) *registry.Entry {
	return registry.New(registry.Options{Options: sandbox.Options{
		Baseline: sandbox.Baseline{State: new(store.State)}, Machine: sandbox.Machine, Journal: journal,
	}}, 1, 0).Default()
}
