package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/store"
)

// partWriter records the length of the longest part in which a response was written.
type partWriter struct {
	*httptest.ResponseRecorder
	longest int
	fail    bool // from the second part on
	parts   int
}

func (w *partWriter) Write(p []byte) (int, error) {
	w.longest = max(w.longest, len(p))
	w.parts++
	if w.fail && w.parts > 1 {
		return 0, errors.New("the client has gone")
	}
	return w.ResponseRecorder.Write(p)
}

func answerOf(t *testing.T, fail bool, answer func(x *Exchange) error) *partWriter {
	t.Helper()
	w := &partWriter{ResponseRecorder: httptest.NewRecorder(), fail: fail}
	x := NewExchange(new(Server), w, httptest.NewRequest(http.MethodGet, "/messages", nil))
	must.Succeed(t, answer(x))
	return w
}

// TestLongLists checks that a list of any length is the same JSON as in one piece, with its length
// and tag, and that only one part at a time is in memory.
func TestLongLists(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("🐈", 1000)
	for _, n := range []int{0, 1, 15, 16, 17, 100, 1000} {
		messages := make([]store.Message, n)
		for i := range messages {
			messages[i] = store.Message{ID: int64(i + 1), Message: text}
		}
		page := store.Page[store.Message]{Items: messages, Total: n}
		list := func(x *Exchange) error { return List(x, page, store.Paging{Limit: 1000}) }
		w := answerOf(t, false, list)
		want := must.Get(Encode(messages))(t)
		if got := w.Body.Bytes(); !bytes.Equal(got, append(want, '\n')) {
			t.Errorf("%d messages: %d bytes, which are not the %d of one piece", n, len(got), len(want)+1)
		}
		if got := w.Header().Get("Content-Length"); got != strconv.Itoa(len(want)+1) {
			t.Errorf("%d messages: Content-Length %s, want %d", n, got, len(want)+1)
		}
		if most := PieceBytes + 2*len(text); w.longest > most && len(want) > maxBuffer+2*len(text) {
			t.Errorf("%d messages: a part has %d bytes, more than %d", n, w.longest, most)
		}
		if again := answerOf(t, false, list); again.Header().Get("Etag") != w.Header().Get("Etag") ||
			w.Header().Get("Etag") == "" {
			t.Errorf("%d messages: the tags %q and %q", n, w.Header().Get("Etag"), again.Header().Get("Etag"))
		}
	}
}

// TestLongListsEndWithTheClient checks that no part of a list is encoded after the client has
// disconnected.
func TestLongListsEndWithTheClient(t *testing.T) {
	t.Parallel()
	page := store.Page[store.Message]{Items: make([]store.Message, 100_000), Total: 100_000}
	w := answerOf(t, true, func(x *Exchange) error { return List(x, page, store.Paging{Limit: 100_000}) })
	if w.parts > 3 { // the last one ends the list
		t.Errorf("%d parts were written to a client that had gone with the first", w.parts)
	}
}

func TestWritten(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, PieceBytes, PieceBytes + 1, 10 * PieceBytes} {
		w := answerOf(t, false, func(x *Exchange) error {
			return x.Written("text/plain", func(to io.Writer) error {
				for left := n; left > 0; left -= 1000 {
					if _, err := io.WriteString(to, strings.Repeat("x", min(left, 1000))); err != nil {
						return err
					}
				}
				return nil
			})
		})
		if w.Body.Len() != n || w.Header().Get("Content-Type") != "text/plain" || w.Code != http.StatusOK {
			t.Errorf("%d bytes: %d, as %s, status %d", n, w.Body.Len(), w.Header().Get("Content-Type"), w.Code)
		}
		length, wanted := w.Header().Get("Content-Length"), strconv.Itoa(n)
		if n > PieceBytes {
			wanted = "" // unknown until it is written
		}
		if length != wanted || w.longest > PieceBytes {
			t.Errorf("%d bytes: Content-Length %q, want %q; the longest part has %d", n, length, wanted, w.longest)
		}
	}
}

// TestWrittenErrors checks that an error before the first byte is the response, and that a
// disconnected client gets none.
func TestWrittenErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	x := NewExchange(new(Server), httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	if err := x.Written(typeJSON, func(io.Writer) error { return broken }); !errors.Is(err, broken) || x.Sent.Status != 0 {
		t.Errorf("Written returns %v, want the error of write, and nothing sent", err)
	}
	answerOf(t, true, func(x *Exchange) error {
		return x.Written(typeJSON, func(to io.Writer) error {
			return json.NewEncoder(writes{to}).Encode(strings.Repeat("x", 10*maxBuffer))
		})
	})
}

// writes is a writer that passes data on in parts of 1,000 bytes.
type writes struct{ to io.Writer }

func (w writes) Write(p []byte) (int, error) {
	for n := 0; n < len(p); n += 1000 {
		if _, err := w.to.Write(p[n:min(len(p), n+1000)]); err != nil {
			return n, err
		}
	}
	return len(p), nil
}
