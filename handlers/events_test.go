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
	"example.com/petstore/handlers/sandbox/journal"
)

func TestEvents(t *testing.T) { RunScenarios(t, eventScenarios()) }

func eventScenarios() []Scenario { return StreamScenarios("/events", "k1") }

const theEnd = "the end"

func last(id string) http.Header { return http.Header{"Last-Event-Id": {id}} }

func TestReadsAndFailuresHaveNoEvents(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	f := w.Listen(t, "/events", nil)
	keyed := http.Header{"Idempotency-Key": {"k"}}
	for _, r := range []Request{
		Get("/pets"), Delete("/pets/99"), Delete("/categories/1"),
		Post("/pets", `{"name": "Nemo", "categoryId": 99}`),
		{Method: "POST", Path: "/pets", Body: `{"name": "Nemo", "categoryId": 3}`, Header: keyed},
		{Method: "POST", Path: "/pets", Body: `{"name": "Nemo", "categoryId": 3}`, Header: keyed},
		Delete("/pets/1").With("X-Sandbox", "ada"),
		Patch("/pets/7", `{}`),
		Put("/pets/7", `{"name": "Nemo", "categoryId": 3}`),
		Put("/store/inventory/7", `{"quantity": 0}`),
		Patch("/store/orders/1", `{}`),
		Patch("/categories/1", `{}`),
		Put("/categories/1", `{"name": "Dogs", "description": "Loyal and loud"}`),
		Delete("/pets/7"),
	} {
		w.Do(t, r)
	}
	f.Expect(t, `6 pet.created {"id":7,"name":"Nemo","categoryId":3,"status":"available"}`, `15 pet.deleted {"id":7}`)
	w.Must(t, Post("/admin/undo", `{"steps": 2}`))
	w.Do(t, Post("/admin/undo", "")).Expect(t, 409, "conflict")
}

func TestAdminEventsOfRequests(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	f := w.Listen(t, "/admin/events", http.Header{"Accept-Encoding": {"gzip"}})
	w.Must(t, Delete("/pets/5").With("X-Request-Id", "abc"))
	f.Expect(t, `1 pet.deleted {"id":5}`)
	e := <-f.Events
	want := JournalOf(t, w.Get(t, "/admin/requests")).Requests[0]
	var got journal.Entry
	(&Answer{Body: []byte(e.Data)}).Decode(t, &got)
	if e.Type != "request" || e.LastEventID != "2" || got.RequestID != "abc" || got.ID != want.ID ||
		got.Path != "/pets/5" || got.Status != 204 {
		t.Errorf("%s %s %s, want the entry %+v", e.LastEventID, e.Type, e.Data, want)
	}
}

func TestEventsResume(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, id := range []string{"1", "2", "3"} { // two events each: the change and the request
		w.Must(t, Delete("/pets/"+id))
	}
	w.Listen(t, "/events", last("1")).Expect(t, `3 pet.deleted {"id":2}`, `5 pet.deleted {"id":3}`)
	w.Listen(t, "/events", last("0")).Expect(t, `1 pet.deleted {"id":1}`)
	w.Listen(t, "/events", last("99")).Expect(t, `0 gap {"from":100}`, `1 pet.deleted {"id":1}`)
	w.Listen(t, "/events", last("9223372036854775807")).
		Expect(t, `0 gap {"from":9223372036854775807}`, `1 pet.deleted {"id":1}`)
	f := w.Listen(t, "/admin/events", last("2"))
	f.Expect(t, `3 pet.deleted {"id":2}`)
	if e := <-f.Events; e.Type != "request" || e.LastEventID != "4" || !strings.Contains(e.Data, `"path":"/pets/2"`) {
		t.Errorf("%+v, want the request with the id 4", e)
	}
	f.Expect(t, `5 pet.deleted {"id":3}`)
	w.Must(t, Delete("/admin/requests"))
	// The last three dropped events are the streams of the service.
	w.Listen(t, "/admin/events", last("3")).Expect(t, `3 gap {"from":4,"to":10}`, `5 pet.deleted {"id":3}`)
}

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
			if err := test.end(w); err != nil {
				t.Fatal(err)
			}
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
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.URL+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := w.Client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
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
