package handlers_test

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tmaxmax/go-sse"

	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/sandbox/journal"
)

const theEnd = "the end"

func TestStreamsEnd(t *testing.T) {
	t.Parallel()
	const gone = "0 sandbox.dropped {}"
	for name, test := range map[string]struct {
		end  func(*World) error
		says []string
	}{
		"with the server":  {func(w *World) error { w.Server.Close(); return nil }, []string{theEnd}},
		"with the sandbox": {func(w *World) error { return w.Server.Sandboxes().Drop("ada") }, []string{gone, theEnd}},
		"with the workshop": {func(w *World) error {
			w.Server.Sandboxes().OpenDoor()
			w.Server.Sandboxes().EndWorkshop()
			return nil
		}, []string{gone, theEnd}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := NewWorld(t)
			ada := http.Header{"X-Sandbox": {"ada"}}
			service, control := w.Listen(t, "/events", ada), w.Listen(t, "/admin/events", ada)
			must.Succeed(t, test.end(w))
			service.Expect(t, test.says...)
			control.Expect(t, test.says...)
		})
	}
}

// TestSlowReaderGetsDroppedEvent has a client that reads nothing until the server drops it,
// when the buffers of the server and of the connection are full.
func TestSlowReaderGetsDroppedEvent(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	ctx, leave := context.WithTimeout(t.Context(), 2*time.Minute) // so that the test does not hang if it fails
	defer leave()
	r := must.Get(http.NewRequestWithContext(ctx, http.MethodGet, w.URL+"/events", nil))(t)
	response := must.Get(w.Client.Do(r))(t)
	defer response.Body.Close()
	sb := w.Server.Sandboxes().Default()
	data := []byte(`"` + strings.Repeat("x", 64<<10) + `"`)
	const published = 1000 // 64 MB, more than all buffers hold
	for range published {
		sb.Journal.Publish(journal.Event{Name: "big", Data: data})
	}
	events, last := 0, sse.Event{}
	for e, err := range sse.Read(response.Body, &sse.ReadConfig{MaxEventSize: 1 << 20}) {
		if err != nil {
			t.Fatal(err)
		}
		events++
		last = e
	}
	if last.Type != "dropped" || events >= published ||
		events > 1 && last.LastEventID != strconv.Itoa(events) { // event 1 is the request of the stream
		t.Errorf("%d events, the last one %s %s; want fewer than %d and dropped", events, last.LastEventID, last.Type,
			published)
	}
	if _, err := response.Body.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the stream ends with %v", err)
	}
}
