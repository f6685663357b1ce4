package contracttest

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/tmaxmax/go-sse"

	"example.com/petstore/handlers/internal/must"
)

// IsStream reports whether an answer with the given header is an event stream.
func IsStream(header http.Header) bool { return header.Get("Content-Type") == "text/event-stream" }

// Feed is a client of an event stream.
type Feed struct {
	Events chan sse.Event // closed when the stream ends
	Err    error          // valid once Events is closed; nil if the server ended the stream
	Leave  context.CancelFunc
}

// Listen opens an event stream. The stream is closed at the end of the test, or after two minutes.
func (w *World) Listen(t *testing.T, path string, header http.Header) *Feed {
	t.Helper()
	ctx, leave := context.WithTimeout(t.Context(), 2*time.Minute)
	r := must.Get(http.NewRequestWithContext(ctx, http.MethodGet, w.URL+path, nil))(t)
	r.Header = header.Clone()
	response, err := w.Client.Do(r)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v, %v", path, response, err)
	}
	f := &Feed{Events: make(chan sse.Event, 1000), Leave: leave}
	go func() {
		defer close(f.Events)
		for e, err := range sse.Read(response.Body, nil) {
			if f.Err = err; err != nil {
				return
			}
			f.Events <- e
		}
	}()
	t.Cleanup(func() {
		leave()
		for range f.Events {
		}
		response.Body.Close()
	})
	return f
}

// Expect fails the test unless the next events are those in want, each formatted as "id name data".
func (f *Feed) Expect(t *testing.T, want ...string) {
	t.Helper()
	for _, w := range want {
		e, ok := <-f.Events
		got := "the end"
		if ok {
			got = fmt.Sprintf("%s %s %s", e.LastEventID, e.Type, e.Data)
		}
		if got != w {
			t.Errorf("event %s\nwant  %s", got, w)
		}
	}
}
