package middleware

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/memory"
)

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
	text, long := `{"a": 1}`, strings.Repeat("é", journal.MaxBody) // two bytes a character, so that the cut lies inside a character
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
			for way, reader := range map[string]func(io.Reader) io.Reader{"whole": func(r io.Reader) io.Reader { return r }, "byte by byte": iotest.OneByteReader} {
				r := httptest.NewRequest(http.MethodPost, "/pets", reader(strings.NewReader(test.body)))
				r.ContentLength = length
				r.Header.Set("Content-Type", test.media)
				e := entryOf(t, r, test.handle)
				got := kept{e.Body, e.BodyTruncated, e.BodySize}
				if diff := cmp.Diff(kept{test.want, test.sizes[i] != int64(len(test.want)), test.sizes[i]}, got, cmp.AllowUnexported(kept{})); diff != "" {
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
		r := httptest.NewRequest(http.MethodPost, "/pets", body)
		r.ContentLength = 8
		r.Header.Set("Content-Type", "application/json")
		e := entryOf(t, r, handle)
		if e.Body != `{"a":` || !e.BodyTruncated || e.BodySize != 8 {
			t.Errorf("%s: %q, cut %t, of %d bytes; want the first 5 of 8 bytes", name, e.Body, e.BodyTruncated, e.BodySize)
		}
	}
}

// TestJournalNeedsMemoryForBodies checks that no body is read if the server has no memory left.
func TestJournalNeedsMemoryForBodies(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodPost, "/pets", reported{t})
	r.ContentLength = 8
	full := func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			x.Memory = memory.New(1, sandbox.Machine)
			return next(x)
		}
	}
	if e := entryOf(t, r, full(answer(503))); e.Status != 503 || e.Body != "" || !e.BodyTruncated || e.BodySize != 8 {
		t.Errorf("status %d, %q, cut %t, of %d bytes; want 503 and none of 8", e.Status, e.Body, e.BodyTruncated, e.BodySize)
	}
}

// TestJournalAsksForNoBody checks that a client that waits for 100 Continue gets its response
// without being asked for the body.
func TestJournalAsksForNoBody(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodPost, "/pets", reported{t})
	r.ContentLength = 8
	r.Header.Set("Expect", "100-continue")
	if e := entryOf(t, r, answer(503)); e.Body != "" || !e.BodyTruncated || e.BodySize != 8 {
		t.Errorf("%q, cut %t, of %d bytes; want none of 8", e.Body, e.BodyTruncated, e.BodySize)
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
	x.Sandbox, x.Operation = sb, &rest.Operation{ID: "createPet", Kind: rest.Service, Method: http.MethodPost}
	through(t, x, handle)
	return sb.Journal.Find(journal.Filter{}, 1).Entries[0]
}
