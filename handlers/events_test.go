package handlers_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tmaxmax/go-sse"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/sandbox"
)

func TestEvents(t *testing.T) { runScenarios(t, eventScenarios()) }

func eventScenarios() []scenario {
	stream := func(t *testing.T, a *answer) {
		t.Helper()
		a.expectHeader(t, "Content-Type", "text/event-stream")
		a.expectHeader(t, "Content-Encoding")
	}
	locked := func(c *handlers.Config) { c.APIKeys, c.AdminKey = []string{"k1"}, "root" }
	var all []scenario
	for path, key := range map[string]string{"/events": "k1", "/admin/events": "root"} {
		at := func(method, query string, header http.Header) request {
			return request{method: method, path: path + query, header: header}
		}
		twice := []string{"access_token"}
		all = append(all, []scenario{
			{name: path, request: at("GET", "", nil), status: 200, check: stream, headers: http.Header{"Cache-Control": {"no-store"}}},
			{name: path + " compressed", request: at("GET", "", http.Header{"Accept-Encoding": {"gzip"}}), status: 200, check: stream},
			{name: path + " HEAD", request: at("HEAD", "", nil), status: 200, check: stream},
			{name: path + " after no id", request: at("GET", "", http.Header{"Last-Event-Id": {"x"}}), status: 400, code: "invalid_parameter", fields: []string{"Last-Event-ID"}},
			{name: path + " after a negative id", request: at("GET", "", http.Header{"Last-Event-Id": {"-1"}}), status: 400, code: "invalid_parameter", fields: []string{"Last-Event-ID"}},
			{name: path + " without a key", config: locked, request: at("GET", "", nil), status: 401, code: "unauthorized"},
			{name: path + " with a key", config: locked, request: at("GET", "", authorization("Bearer "+key)), status: 200, check: stream},
			{name: path + " with a key in the query", config: locked, request: at("GET", "?access_token="+key, nil), status: 200, check: stream,
				headers: http.Header{"Cache-Control": {"private, no-store"}}},
			{name: path + " with a wrong key in the query", config: locked, request: at("GET", "?access_token=k2", nil), status: 401, code: "unauthorized"},
			{name: path + " with an empty key in the query", config: locked, request: at("GET", "?access_token=", nil), status: 401, code: "unauthorized",
				headers: http.Header{"WWW-Authenticate": {`Bearer realm="petstore"`}}},
			{name: path + " with a key in both", config: locked, request: at("GET", "?access_token="+key, authorization("Bearer "+key)), status: 400, code: "invalid_parameter", fields: twice,
				headers: http.Header{"WWW-Authenticate": {`Bearer realm="petstore", error="invalid_request"`}}},
			{name: path + " with two keys in the query", config: locked, request: at("GET", "?access_token="+key+"&access_token="+key, nil), status: 400, code: "invalid_parameter", fields: twice},
			{name: path + " strictly", config: func(c *handlers.Config) { c.Strict = true }, request: at("GET", "?access_token=x", nil), status: 200, check: stream},
		}...)
	}
	return append(all, scenario{name: "a key in the query of another operation", config: locked,
		request: request{method: "GET", path: "/pets?access_token=k1"}, status: 401, code: "unauthorized"})
}

func isStream(header http.Header) bool { return header.Get("Content-Type") == "text/event-stream" }

// feed is a stream as a client reads it.
type feed struct {
	events chan sse.Event // closed when the stream ends
	leave  context.CancelFunc
}

// listen opens a stream, which ends with the test at the latest; before, should what
// the test waits for not come.
func (w *world) listen(t *testing.T, path string, header http.Header) *feed {
	t.Helper()
	ctx, leave := context.WithTimeout(t.Context(), 20*time.Second)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header.Clone()
	response, err := w.client.Do(r)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v, %v", path, response, err)
	}
	f := &feed{events: make(chan sse.Event, 1000), leave: leave}
	go func() {
		defer close(f.events)
		for e, err := range sse.Read(response.Body, nil) {
			if err != nil {
				return
			}
			f.events <- e
		}
	}()
	t.Cleanup(func() {
		leave()
		for range f.events {
		}
		response.Body.Close()
	})
	return f
}

// expect fails the test unless the next events are these, as "id name data".
func (f *feed) expect(t *testing.T, want ...string) {
	t.Helper()
	for _, w := range want {
		e, ok := <-f.events
		got := "the end"
		if ok {
			got = fmt.Sprintf("%s %s %s", e.LastEventID, e.Type, e.Data)
		}
		if got != w {
			t.Errorf("event %s\nwant  %s", got, w)
		}
	}
}

const theEnd = "the end"

func last(id string) http.Header { return http.Header{"Last-Event-Id": {id}} }

func TestEventsTellWhatChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := w.listen(t, "/events", nil)
	for _, r := range []request{
		{method: "POST", path: "/categories", body: `{"name": "Fish"}`},
		{method: "PATCH", path: "/categories/5", body: `{"name": "Fishes"}`},
		{method: "DELETE", path: "/categories/5"},
		{method: "POST", path: "/pets", body: `{"name": "Nemo", "categoryId": 3}`},
		{method: "PUT", path: "/pets/7", body: `{"name": "Dory", "categoryId": 3}`},
		{method: "PUT", path: "/store/inventory/7", body: `{"quantity": 2}`},
		{method: "POST", path: "/store/orders", body: `{"petId": 7}`},
		{method: "PATCH", path: "/store/orders/6", body: `{"complete": true}`},
		{method: "DELETE", path: "/store/orders/6"},
		{method: "DELETE", path: "/pets/7"},
		{method: "POST", path: "/messages", body: `{"message": "Gone"}`, header: authorization("Bearer demo-key")},
		{method: "POST", path: "/admin/undo"},
		{method: "POST", path: "/admin/reset"},
	} {
		w.must(t, r)
	}
	f.expect(t, // ids have holes where the requests are, the stream's own too
		`2 category.created {"id":5,"name":"Fish"}`,
		`4 category.updated {"id":5,"name":"Fishes"}`,
		`6 category.deleted {"id":5}`,
		`8 pet.created {"id":7,"name":"Nemo","categoryId":3,"status":"available"}`,
		`10 pet.updated {"id":7,"name":"Dory","categoryId":3,"status":"available"}`,
		`12 inventory.updated {"petId":7,"quantity":2,"status":"available"}`,
		`14 order.created {"id":6,"petId":7,"quantity":1,"complete":false}`,
		`16 order.updated {"id":6,"petId":7,"quantity":1,"complete":true}`,
		`18 order.deleted {"id":6}`,
		`20 pet.deleted {"id":7}`,
		`22 message.created {"id":2,"message":"Gone","createdAt":"2026-07-01T12:00:00Z"}`,
		`24 sandbox.reset {}`,
		`25 sandbox.reset {}`,
	)
}

func TestWhatChangesNothingIsNoEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := w.listen(t, "/events", nil)
	keyed := http.Header{"Idempotency-Key": {"k"}}
	for _, r := range []request{
		{method: "GET", path: "/pets"}, {method: "DELETE", path: "/pets/99"}, {method: "DELETE", path: "/categories/1"},
		{method: "POST", path: "/pets", body: `{"name": "Nemo", "categoryId": 99}`},
		{method: "POST", path: "/pets", body: `{"name": "Nemo", "categoryId": 3}`, header: keyed},
		{method: "POST", path: "/pets", body: `{"name": "Nemo", "categoryId": 3}`, header: keyed},
		{method: "DELETE", path: "/pets/1", header: http.Header{"X-Sandbox": {"ada"}}},
		{method: "DELETE", path: "/pets/7"},
	} {
		w.do(t, r)
	}
	f.expect(t, `6 pet.created {"id":7,"name":"Nemo","categoryId":3,"status":"available"}`, `9 pet.deleted {"id":7}`)
}

func TestAdminEventsTellRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := w.listen(t, "/admin/events", http.Header{"Accept-Encoding": {"gzip"}})
	w.must(t, request{method: "DELETE", path: "/pets/5", header: http.Header{"X-Request-Id": {"abc"}}})
	f.expect(t, `1 pet.deleted {"id":5}`)
	e := <-f.events
	want := w.get(t, "/admin/requests").journal(t).Requests.Requests[0]
	var got sandbox.Entry
	(&answer{body: []byte(e.Data)}).decode(t, &got)
	if e.Type != "request" || e.LastEventID != "2" || got.RequestID != "abc" || got.ID != want.ID || got.Path != "/pets/5" || got.Status != 204 {
		t.Errorf("%s %s %s, want the entry %+v", e.LastEventID, e.Type, e.Data, want)
	}
}

func TestEventsResume(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, id := range []string{"1", "2", "3"} { // two events each, the change and the request
		w.must(t, request{method: "DELETE", path: "/pets/" + id})
	}
	w.listen(t, "/events", last("1")).expect(t, `3 pet.deleted {"id":2}`, `5 pet.deleted {"id":3}`)
	w.listen(t, "/events", last("0")).expect(t, `1 pet.deleted {"id":1}`)
	w.listen(t, "/events", last("99")).expect(t, `0 gap {"from":100}`, `1 pet.deleted {"id":1}`)
	f := w.listen(t, "/admin/events", last("2"))
	f.expect(t, `3 pet.deleted {"id":2}`)
	if e := <-f.events; e.Type != "request" || e.LastEventID != "4" || !strings.Contains(e.Data, `"path":"/pets/2"`) {
		t.Errorf("%+v, want the request with the id 4", e)
	}
	f.expect(t, `5 pet.deleted {"id":3}`)
	w.must(t, request{method: "DELETE", path: "/admin/requests"})
	// The last three of those that are gone are the streams of the service.
	w.listen(t, "/admin/events", last("3")).expect(t, `3 gap {"from":4,"to":9}`, `5 pet.deleted {"id":3}`)
}

func TestStreamsEnd(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*world) error{
		"with the server":  func(w *world) error { w.server.Close(); return nil },
		"with the sandbox": func(w *world) error { return w.server.Sandboxes().Drop("ada") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			ada := http.Header{"X-Sandbox": {"ada"}}
			service, control := w.listen(t, "/events", ada), w.listen(t, "/admin/events", ada)
			if err := end(w); err != nil {
				t.Fatal(err)
			}
			service.expect(t, theEnd)
			control.expect(t, theEnd)
		})
	}
}

// TestSlowReaderIsToldThatItIsDropped has a client that reads nothing until it is
// dropped: the server's buffers and the connection's are full by then.
func TestSlowReaderIsToldThatItIsDropped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, leave := context.WithTimeout(t.Context(), 20*time.Second) // so that a defect is no hanging test
	defer leave()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := w.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	sb := w.server.Sandboxes().Default()
	data := []byte(`"` + strings.Repeat("x", 64<<10) + `"`)
	const published = 1000 // 64 MB, more than all buffers hold
	for range published {
		sb.Events.Publish(sandbox.Event{Name: "big", Data: data})
	}
	events, last := 0, sse.Event{}
	for e, err := range sse.Read(response.Body, &sse.ReadConfig{MaxEventSize: 1 << 20}) {
		if err != nil {
			t.Fatal(err)
		}
		events++
		last = e
	}
	if last.Type != "dropped" || last.LastEventID != strconv.Itoa(events) || // the request of the stream is event 1
		events >= published {
		t.Errorf("%d events, the last one %s %s; want fewer than %d and dropped", events, last.LastEventID, last.Type, published)
	}
	if _, err := response.Body.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the stream ends with %v", err)
	}
}
