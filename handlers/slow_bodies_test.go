package handlers_test

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/petstoretest"
	"example.com/petstore/handlers/sandbox/journal"
)

// TestRefusalOfSlowBody refuses a client that stalls before the last byte of its body. The
// response waits half a second for that byte, and the entry has the received bytes. A fault that
// delays the response waits for the whole body, and ends with the time for reading it.
func TestRefusalOfSlowBody(t *testing.T) {
	t.Parallel()
	const wait, whole = 500 * time.Millisecond, 30 * time.Second
	for name, test := range map[string]struct {
		rule   string
		path   string
		status int // of the entry
		most   time.Duration
	}{
		"no route":     {path: "/nope", status: 404, most: wait},
		"a fault":      {rule: `{"status": 503}`, path: "/pets", status: 503, most: wait},
		"reset":        {rule: `{"abort": "reset"}`, path: "/pets", most: wait},
		"a late fault": {rule: `{"status": 503, "delay": {"fixedMs": 2000}}`, path: "/pets", status: 503, most: whole},
		"a hang":       {rule: `{"abort": "hang"}`, path: "/pets", most: whole},
	} {
		t.Run(name, func(t *testing.T) {
			testmain.Bubble(t, func(t *testing.T) {
				w := petstoretest.Run(t, petstoretest.WithoutNetwork())
				if test.rule != "" {
					(&World{URL: w.URL, Client: w.Client}).Must(t, Post("/admin/faults", test.rule))
				}
				began := time.Now()
				status := halfSent(t, w, test.path)
				if took := time.Since(began); took != test.most || status != test.status {
					t.Errorf("status %d after %v, want %d after %v", status, took, test.status, test.most)
				}
				expectStart(t, w, test.status)
			})
		})
	}
}

// halfSent sends all but the last of the 100 bytes of a body, and returns the status as soon as
// the response headers arrive. It returns 0 if the connection was aborted.
func halfSent(t *testing.T, w *petstoretest.Server, path string) int {
	t.Helper()
	connection := must.Get(w.Client.Transport.(*http.Transport).
		DialContext(t.Context(), "tcp", strings.TrimPrefix(w.URL, "http://")+":80"))(t)
	defer connection.Close()
	Send(t, connection,
		"POST "+path+" HTTP/1.1\r\nHost: petstore.test\r\nContent-Type: application/json\r\nContent-Length: "+
			"100\r\n\r\n{"+strings.Repeat(" ", 98))
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		return 0
	}
	return response.StatusCode
}

// expectStart checks that the journal has one entry, whose body of 100 bytes lacks the last one.
func expectStart(t *testing.T, w *petstoretest.Server, status int) {
	t.Helper()
	entries := w.Requests(petstoretest.Filter{})
	if len(entries) != 1 {
		t.Errorf("%d entries, want 1", len(entries))
		return
	}
	want := "{" + strings.Repeat(" ", 98)
	if e := entries[0]; e.Status != status || e.Body != want || !e.BodyTruncated || e.BodySize != 100 {
		t.Errorf("status %d, body %q, cut %t, of %d bytes; want %d and the first 99 of 100 bytes", e.Status, e.Body,
			e.BodyTruncated, e.BodySize, status)
	}
}

// TestSlowBodiesOfStreams refuses an HTTP/2 client that has sent the start of its body. The
// connection stays open for the requests of its other streams.
func TestSlowBodiesOfStreams(t *testing.T) {
	t.Parallel()
	service := NewServer(t)
	server := httptest.NewUnstartedServer(service)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	stalled, body := io.Pipe()
	defer body.Close()
	request := must.Get(http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/nope",
		io.MultiReader(strings.NewReader("{"), stalled)))(t)
	response := must.Get(server.Client().Do(request))(t)
	body.Close() // the client waits for it before it releases the response
	response.Body.Close()
	entries := service.Sandboxes().Default().Journal.Find(journal.Filter{})
	if len(entries) != 1 {
		t.Fatalf("%d entries, want 1", len(entries))
	}
	if e := entries[0]; response.ProtoMajor != 2 || response.StatusCode != 404 || e.Body != "{" || !e.BodyTruncated ||
		e.BodySize != -1 {
		t.Errorf("%s: %s, body %q, cut %t, of %d bytes; want 404 and the received bytes", response.Proto,
			response.Status, e.Body, e.BodyTruncated, e.BodySize)
	}
	if response, err := server.Client().Get(server.URL + "/pets"); err != nil || response.StatusCode != 200 {
		t.Errorf("another request of the connection: %v %v", response, err)
	} else {
		response.Body.Close()
	}
}

// TestStalledImportsDelayNoOthers sends imports whose bodies stall to one sandbox, and complete
// imports to it and to others.
func TestStalledImportsDelayNoOthers(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		server := petstoretest.Run(t, petstoretest.WithoutNetwork())
		for range 12 {
			body, stalled := io.Pipe()
			t.Cleanup(func() { stalled.Close() })
			r, err := http.NewRequestWithContext(t.Context(), "PUT", server.URL+"/sandboxes/ada/admin/state", body)
			if err != nil {
				t.Fatal(err)
			}
			r.ContentLength = 1 << 20
			r.Header.Set("Content-Type", "application/json")
			go func() {
				if response, err := server.Client.Do(r); err == nil { // an error means that the test has ended
					response.Body.Close()
				}
			}()
			go io.WriteString(stalled, "{"+strings.Repeat(" ", 1<<16))
		}
		synctest.Wait()
		began, c := time.Now(), &World{URL: server.URL, Client: server.Client}
		for _, path := range []string{"/sandboxes/bob/admin/state", "/admin/state", "/sandboxes/ada/admin/state"} {
			c.Must(t, Put(path, `{}`))
		}
		c.Must(t, Post("/sandboxes/bob/admin/reset", `{"pets": 3}`))
		if took := time.Since(began); took != 0 {
			t.Errorf("whole imports took %v beside stalled ones", took)
		}
	})
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// TestDelayOfEndlessBody checks that a delayed response does not wait for the end of a body that the
// operation does not read.
func TestDelayOfEndlessBody(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	r := must.Get(http.NewRequestWithContext(t.Context(), http.MethodGet, w.URL+"/pets", endless{}))(t)
	r.Header.Set("Prefer", "delay=1")
	response := must.Get(w.Client.Do(r))(t)
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("status %s", response.Status)
	}
}
