package middleware_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"example.com/petstore/handlers"
)

const preflightVary = varies + ", Access-Control-Request-Method, Access-Control-Request-Headers, Access-Control-Request-Private-Network"

// TestVary wants one line that names all that can change the answer, whether it was
// sent or not, from every layer.
func TestVary(t *testing.T) {
	t.Parallel()
	w := newWorld(t, limited(1000))
	tag := http.Header{"If-None-Match": w.Get(t, "/pets/1").Header["Etag"]}
	w.Must(t, put("/sandboxes/faulty/admin/faults", `[{"status": 503}]`))
	w.Must(t, put("/sandboxes/late/admin/faults", `[{"status": 503, "when": "after"}]`))
	all := http.Header{"Origin": {"https://app.example"}, "Accept-Encoding": {"gzip"}, "X-Sandbox": {"ada"}, "Prefer": {"delay=0"}}
	for _, test := range []struct {
		method, path string
		header       http.Header
		status       int
		want         string
	}{
		{"GET", "/pets", nil, 200, varies},
		{"GET", "/pets", all, 200, varies},
		{"HEAD", "/pets", all, 200, varies},
		{"GET", "/pets/1", tag, 304, varies},
		{"DELETE", "/pets/5", nil, 204, varies},
		{"GET", "/pets/99", all, 404, varies},
		{"GET", "/nowhere", all, 404, varies},
		{"PUT", "/pets", all, 405, varies},
		{"GET", "/pets?limit=0", nil, 400, varies},
		{"GET", "/messages", nil, 401, varies},
		{"GET", "/sandboxes/*/pets", nil, 400, varies},
		{"GET", "/sandboxes/faulty/pets", all, 400, varies},
		{"GET", "/sandboxes/faulty/pets", nil, 503, varies},
		{"GET", "/sandboxes/late/pets", nil, 503, varies},
		{"GET", "/pets", http.Header{"Prefer": {"code=503"}}, 503, varies},
		{"GET", "/events", all, 200, varies},
		{"GET", "/admin", nil, 200, varies},
		{"GET", "/admin", http.Header{"Origin": {"http://localhost:5173"}, "Accept-Encoding": {"gzip"}}, 200, varies},
		{"GET", "/admin/nowhere", nil, 404, varies},
		{"GET", "/healthz", all, 200, varies},
		{"GET", "/openapi.json", all, 200, varies},
		{"GET", "/docs/", all, 200, varies},
		{"GET", "/docs/swagger-ui.css", all, 200, varies},
		{"GET", "/docs/swagger-ui.css", nil, 200, varies},
		{"GET", "/docs/none.css", nil, 404, varies},
		{"GET", "/", nil, 200, varies + ", Accept"},
		{"GET", "/", all, 200, varies + ", Accept"},
		{"HEAD", "/sandboxes/ada/", nil, 200, varies + ", Accept"},
		{"OPTIONS", "/pets", nil, 204, preflightVary},
		{"OPTIONS", "/nowhere", all, 404, preflightVary},
		{"OPTIONS", "/pets", preflight("", "https://app.example", "PUT", "x-a").Header, 204, preflightVary},
		{"OPTIONS", "/pets", preflight("", "https://app.example", "BREW", "").Header, 204, preflightVary},
		{"OPTIONS", "/admin/reset", preflight("", "https://app.example", "POST", "").Header, 204, preflightVary},
		{"OPTIONS", "/admin/reset", preflight("", "http://localhost:5173", "POST", "").Header, 204, preflightVary},
	} {
		a := w.Do(t, request{Method: test.method, Path: test.path, Header: test.header})
		if a.Status != test.status {
			t.Errorf("%s %s = %d %s, want %d", test.method, test.path, a.Status, a.Body, test.status)
		}
		a.ExpectHeader(t, "Vary", test.want)
	}
}

// TestFaultsCanVary lets a rule say what it likes.
func TestFaultsCanVary(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.AddFault(t, `{"status": 503, "headers": {"Vary": "*", "Cache-Control": "max-age=60"}}`)
	a := w.Loose().Do(t, fetch("GET", "/pets", "https://app.example", http.Header{"Accept-Encoding": {"gzip"}}))
	a.ExpectHeader(t, "Vary", "*")
	a.ExpectHeader(t, "Cache-Control", "max-age=60")
}

// TestCacheControl wants no browser to show what was before a reset, and nobody to
// keep a stream.
func TestCacheControl(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.APIKeys, c.AdminKey = []string{"k1"}, "root" })
	service, control := authorization("Bearer k1"), authorization("Bearer root")
	known := service.Clone()
	known["If-None-Match"] = w.Do(t, request{Method: "GET", Path: "/pets/1", Header: service}).Header["Etag"]
	for _, test := range []struct {
		method, path string
		header       http.Header
		status       int
		want         string
	}{
		{"GET", "/pets", service, 200, "no-cache"},
		{"HEAD", "/pets/1", service, 200, "no-cache"},
		{"GET", "/pets/1", known, 304, "no-cache"},
		{"DELETE", "/pets/5", service, 204, "no-cache"},
		{"GET", "/pets/99", service, 404, "no-cache"},
		{"GET", "/pets", nil, 401, "no-cache"},
		{"GET", "/nowhere", nil, 404, "no-cache"},
		{"PUT", "/pets", nil, 405, "no-cache"},
		{"OPTIONS", "/pets", nil, 204, "no-cache"},
		{"GET", "/sandboxes/*/pets", service, 400, "no-cache"},
		{"GET", "/admin", control, 200, "no-cache"},
		{"GET", "/admin", nil, 401, "no-cache"},
		{"GET", "/healthz", nil, 200, "no-cache"},
		{"GET", "/", nil, 200, "no-cache"},
		{"GET", "/openapi.json", nil, 200, "no-cache"},
		{"GET", "/docs/", nil, 200, "no-cache"},
		{"GET", "/docs/swagger-ui.css", nil, 200, "no-cache"},
		{"GET", "/events", service, 200, "no-store"},
		{"HEAD", "/events", service, 200, "no-store"},
		{"GET", "/events?access_token=k1", nil, 200, "private, no-store"},
		{"GET", "/events?access_token=k2", nil, 401, "no-cache"},
		{"GET", "/admin/events", control, 200, "no-store"},
		{"GET", "/admin/events?access_token=root", nil, 200, "private, no-store"},
	} {
		a := w.Do(t, request{Method: test.method, Path: test.path, Header: test.header})
		if a.Status != test.status {
			t.Errorf("%s %s = %d %s, want %d", test.method, test.path, a.Status, a.Body, test.status)
		}
		a.ExpectHeader(t, "Cache-Control", test.want)
		var buffering []string
		if isStream(a.Header) {
			buffering = []string{"no"}
		}
		a.ExpectHeader(t, "X-Accel-Buffering", buffering...)
	}
}

// logbook collects a log that many goroutines write.
type logbook struct {
	mu    sync.Mutex
	lines bytes.Buffer // guarded by mu
}

func (b *logbook) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lines.Write(p)
}

func (b *logbook) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lines.String()
}

// log makes the server write everything into the book, as JSON.
func (b *logbook) log(level slog.Level) func(*handlers.Config) {
	return func(c *handlers.Config) {
		c.Log = slog.New(slog.NewJSONHandler(b, &slog.HandlerOptions{Level: level}))
	}
}

// entries returns the lines with the message.
func (b *logbook) entries(t *testing.T, message string) []map[string]any {
	t.Helper()
	var found []map[string]any
	for line := range strings.Lines(b.String()) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		if entry["msg"] == message {
			found = append(found, entry)
		}
	}
	return found
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, id := range []string{"a", "8e03978e-40d5-43dd-bc93-6894a57f9324", strings.Repeat("x", 128), `!"#$%&'()*+,-./:;<=>?@[\]^_{|}~`} {
		w.Do(t, request{Method: "GET", Path: "/pets/1", Header: http.Header{"X-Request-Id": {id}}}).ExpectHeader(t, "X-Request-Id", id)
	}
	made := make(map[string]bool)
	for _, values := range [][]string{nil, {""}, {"two words"}, {strings.Repeat("x", 129)}, {"caf\u00e9"}, {"a\tb"}, {"one", "two"}} {
		a := w.Do(t, request{Method: "GET", Path: "/nowhere", Header: http.Header{"X-Request-Id": values}})
		id := a.Header.Get("X-Request-Id")
		for _, value := range values {
			if value != "" && strings.Contains(id, value) {
				t.Errorf("%q was taken for an id: %q", values, id)
			}
		}
		if made[id] {
			t.Errorf("the id %q was made twice", id)
		}
		made[id] = true
	}
}

// TestRequestsAreLogged wants a line for each request under its id, whatever
// answered it.
func TestRequestsAreLogged(t *testing.T) {
	t.Parallel()
	var book logbook
	w := newWorld(t, book.log(slog.LevelDebug))
	id := http.Header{"X-Request-Id": {"mine"}}
	w.Do(t, request{Method: "GET", Path: "/pets/1?access_token=secret", Header: id})
	w.Do(t, request{Method: "BREW", Path: "/pets", Header: id})
	w.Do(t, request{Method: "GET", Path: "/nowhere", Header: id})
	w.Do(t, request{Method: "OPTIONS", Path: "/pets", Header: id})
	w.Do(t, preflight("/pets", "http://app.example", "POST", ""))
	entries := book.entries(t, "request")
	if len(entries) != 5 {
		t.Fatalf("%d lines for 5 requests:\n%s", len(entries), book.String())
	}
	for i, want := range []struct {
		method, path, operation string
		status                  float64
	}{
		{"GET", "/pets/1", "getPet", 200}, {"BREW", "/pets", "", 405}, {"GET", "/nowhere", "", 404}, {"OPTIONS", "/pets", "", 204},
		{"OPTIONS", "/pets", "", 204},
	} {
		e := entries[i]
		if e["method"] != want.method || e["path"] != want.path || e["operation"] != want.operation || e["status"] != want.status {
			t.Errorf("line %d = %v, want %v", i, e, want)
		}
		if i < 4 && e["id"] != "mine" {
			t.Errorf("line %d has the id %v", i, e["id"])
		}
	}
	if strings.Contains(book.String(), "secret") {
		t.Errorf("a key stands in the log:\n%s", book.String())
	}
}

// TestReplicaIsOnEveryAnswer takes answers of each layer, held to the documents like all.
func TestReplicaIsOnEveryAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.Replica, c.MaxSandboxes = "eu-2", 1 })
	for _, test := range []struct {
		request
		status int
	}{
		{request{Method: "GET", Path: "/pets/1"}, 200},
		{request{Method: "GET", Path: "/healthz"}, 200},
		{request{Method: "GET", Path: "/admin"}, 200},
		{request{Method: "GET", Path: "/openapi.json"}, 200},
		{request{Method: "GET", Path: "/docs/"}, 200},
		{request{Method: "GET", Path: "/admin/snapshots/none"}, 405},
		{request{Method: "GET", Path: "/messages"}, 401},
		{request{Method: "GET", Path: "/nowhere"}, 404},
		{request{Method: "GET", Path: "/sandboxes/ada/pets"}, 503},
		{request{Method: "GET", Path: "/sandboxes/*/pets"}, 400},
		{request{Method: "OPTIONS", Path: "/pets"}, 204},
		{preflight("/pets", "http://app.example", "POST", ""), 204},
	} {
		a := w.Do(t, test.request)
		a.Expect(t, test.status, "")
		a.ExpectHeader(t, "X-Petstore-Replica", "eu-2")
	}
	var summary struct{ Replica string }
	if w.Get(t, "/admin").Decode(t, &summary); summary.Replica != "eu-2" {
		t.Errorf("GET /admin names the replica %q", summary.Replica)
	}
}
