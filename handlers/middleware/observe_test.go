package middleware

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store"
)

// TestJournalKeepsResponses checks the response in an entry.
func TestJournalKeepsResponses(t *testing.T) {
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
	asJSON, asImage := map[string]string{"Content-Type": "application/json", "Content-Length": "14"},
		map[string]string{"Content-Type": "image/png", "Content-Length": "14"}
	for _, test := range []struct {
		name           string
		method, accept string
		handle         rest.Handler
		want           journal.Response
	}{
		{"text", "GET", "", sends(201, asJSON, text),
			journal.Response{Status: 201, Headers: asJSON, Body: text, BodySize: 14}},
		{"the first part of it", "GET", "", sends(200, asJSON, text[:7], text[7:]),
			journal.Response{Status: 200, Headers: asJSON, Body: text[:7], BodyTruncated: true, BodySize: 14}},
		{"text of unknown length", "GET", "", sends(200, map[string]string{"Content-Type": "text/plain"}, text),
			journal.Response{Status: 200, Headers: map[string]string{"Content-Type": "text/plain"}, Body: text,
				BodyTruncated: true, BodySize: -1}},
		{"a stream", "GET", "", flushes,
			journal.Response{Status: 200, Headers: map[string]string{"Content-Type": "text/event-stream"},
				BodySize: -1}},
		{"an image", "GET", "", sends(200, asImage, text),
			journal.Response{Status: 200, Headers: asImage, BodySize: 14}},
		{"HEAD", "HEAD", "", sends(200, asJSON, text), journal.Response{Status: 200, Headers: asJSON}},
		{"nothing", "DELETE", "", sends(204, nil), journal.Response{Status: 204, Headers: map[string]string{}}},
		{"not modified", "GET", "", sends(304, map[string]string{"Etag": `"a"`}),
			journal.Response{Status: 304, Headers: map[string]string{"Etag": `"a"`}}},
		{"a status alone", "GET", "", sends(200, nil), journal.Response{Status: 200, Headers: map[string]string{}}},
		{"a cookie", "GET", "", sends(200, map[string]string{"Set-Cookie": "key=s3cr3t"}),
			journal.Response{Status: 200, Headers: map[string]string{"Set-Cookie": "[redacted]"}}},
		{"what is compressed", "GET", "gzip",
			sends(200, map[string]string{"Content-Type": "application/json", "Content-Length": "6000"}, many),
			journal.Response{Status: 200,
				Headers: map[string]string{"Content-Type": "application/json", "Content-Encoding": "gzip"},
				Body:    many[:journal.MaxBody], BodyTruncated: true, BodySize: 6000}},
		{"what is too small to compress", "GET", "gzip", sends(200, asJSON, text),
			journal.Response{Status: 200, Headers: asJSON, Body: text, BodySize: 14}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			sb := newSandbox(10)
			x := rest.NewExchange(new(rest.Server), httptest.NewRecorder(),
				httptest.NewRequest(test.method, "/pets", nil))
			x.Sandbox, x.Operation = sb, &rest.Operation{ID: "listPets", Kind: rest.Service}
			if test.accept != "" {
				x.R.Header.Set("Accept-Encoding", test.accept)
			}
			through(t, x, Compress()(x.Operation, test.handle))
			e := sb.Journal.Find(journal.Filter{})[0]
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
		observe := Observe(slog.New(slog.DiscardHandler), metrics.NewRequests())
		return observe(x.Operation, func(x *rest.Exchange) error {
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
		Origin: sandbox.Baseline{State: new(store.State)}, Machine: sandbox.Machine, Journal: journal,
	}}, 1, 0).Default()
}

// TestJournalKeepsBodies checks the request body in the entry, whether the operation read the
// body, failed to, or never ran, with and without a Content-Length.
func TestJournalKeepsBodies(t *testing.T) {
	t.Parallel()
	reads := func(x *rest.Exchange) error {
		if _, err := x.Body(); err != nil {
			return answer(400)(x)
		}
		return answer(201)(x)
	}
	const asJSON, asText = "application/json", "text/plain"
	// Two bytes a character, so that the cut lies inside a character.
	text, long := `{"a": 1}`, strings.Repeat("é", journal.MaxBody)
	large := strings.Repeat("a", rest.MaxBody+1)
	start := func(body string) string { return body[:journal.MaxBody] }
	for name, test := range map[string]struct {
		body, media string
		handle      rest.Handler
		want        string // the recorded body
		sizes       [2]int64
	}{
		"read":               {text, asJSON, reads, text, [2]int64{8, 8}},
		"read, long":         {long, asJSON, reads, start(long), [2]int64{8192, 8192}},
		"not read":           {text, asJSON, answer(503), text, [2]int64{8, 8}},
		"not read, long":     {long, asJSON, answer(503), start(long), [2]int64{8192, -1}},
		"not read, all kept": {start(long), asJSON, answer(503), start(long), [2]int64{4096, 4096}},
		"of another type":    {text, asText, reads, text, [2]int64{8, 8}},
		"too large":          {large, asJSON, reads, start(large), [2]int64{rest.MaxBody + 1, -1}},
		"none":               {"", asJSON, answer(503), "", [2]int64{0, 0}},
	} {
		for i, length := range []int64{int64(len(test.body)), -1} {
			for way, reader := range map[string]func(io.Reader) io.Reader{"whole": func(r io.Reader) io.Reader {
				return r
			}, "byte by byte": iotest.OneByteReader} {
				r := httptest.NewRequest(http.MethodPost, "/pets", reader(strings.NewReader(test.body)))
				r.ContentLength = length
				r.Header.Set("Content-Type", test.media)
				e := entryOf(t, r, test.handle)
				got := kept{e.Body, e.BodyTruncated, e.BodySize}
				if diff := cmp.Diff(kept{test.want, test.sizes[i] != int64(len(test.want)), test.sizes[i]}, got,
					cmp.AllowUnexported(kept{})); diff != "" {
					t.Errorf("%s, length %d, %s, -want +got:\n%s", name, length, way, diff)
				}
			}
		}
	}
}

type kept struct {
	body string
	cut  bool
	size int64
}

// TestJournalKeepsBrokenBodies checks that the entry has the received part of an incomplete body,
// whichever handler read it.
func TestJournalKeepsBrokenBodies(t *testing.T) {
	t.Parallel()
	reads := func(x *rest.Exchange) error { _, _ = x.Body(); return answer(400)(x) }
	for name, handle := range map[string]rest.Handler{"read": reads, "not read": answer(503)} {
		body := io.MultiReader(strings.NewReader(`{"a":`), iotest.ErrReader(errors.New("broken")))
		expectPart(t, name, httptest.NewRequest(http.MethodPost, "/pets", body), handle, `{"a":`)
	}
}

// TestJournalReadsNoBody checks that no body is read if the server has no memory left, or if the
// client waits for 100 Continue.
func TestJournalReadsNoBody(t *testing.T) {
	t.Parallel()
	expectPart(t, "without memory", httptest.NewRequest(http.MethodPost, "/pets", reported{t}),
		func(x *rest.Exchange) error {
			x.Memory = memory.New(1, sandbox.Machine)
			return answer(503)(x)
		}, "")
	r := httptest.NewRequest(http.MethodPost, "/pets", reported{t})
	r.Header.Set("Expect", "100-continue")
	expectPart(t, "100 Continue", r, answer(503), "")
}

// expectPart checks that the entry of a request of 8 bytes has a truncated body: want, the bytes that
// arrived.
func expectPart(t *testing.T, name string, r *http.Request, handle rest.Handler, want string) {
	t.Helper()
	r.ContentLength = 8
	r.Header.Set("Content-Type", "application/json")
	if e := entryOf(t, r, handle); e.Body != want || !e.BodyTruncated || e.BodySize != 8 {
		t.Errorf("%s: %q, cut %t, of %d bytes; want %q of 8 bytes", name, e.Body, e.BodyTruncated, e.BodySize, want)
	}
}

// reported is a body that must not be read.
type reported struct{ t *testing.T }

func (r reported) Read([]byte) (int, error) {
	r.t.Error("the body was asked for")
	return 0, io.EOF
}

func (r reported) Close() error { return nil }

// entryOf sends a request through the link, and returns its entry.
func entryOf(t *testing.T, r *http.Request, handle rest.Handler) journal.Entry {
	t.Helper()
	sb := newSandbox(10)
	x := rest.NewExchange(new(rest.Server), httptest.NewRecorder(), r)
	x.Sandbox, x.Operation = sb, &rest.Operation{ID: "createPet", Kind: rest.Service, Method: http.MethodPost,
		Body: rest.Body{Max: rest.MaxBody}}
	through(t, x, handle)
	return sb.Journal.Find(journal.Filter{})[0]
}
