package handlers_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

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
		must.Succeed(t, json.Unmarshal([]byte(line), &entry))
		if entry["msg"] == message {
			found = append(found, entry)
		}
	}
	return found
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, id := range []string{"a", "8e03978e-40d5-43dd-bc93-6894a57f9324", strings.Repeat("x", 128),
		`!"#$%&'()*+,-./:;<=>?@[\]^_{|}~`} {
		w.Do(t, Get("/pets/1").With("X-Request-Id", id)).ExpectHeader(t, "X-Request-Id", id)
	}
	made := make(map[string]bool)
	for _, values := range [][]string{nil, {""}, {"two words"}, {strings.Repeat("x", 129)}, {"caf\u00e9"}, {"a\tb"},
		{"one", "two"}} {
		a := w.Do(t, Request{Method: "GET", Path: "/nowhere", Header: http.Header{"X-Request-Id": values}})
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

// TestRequestsAreLogged checks that each request is logged on one line with its id, whichever
// handler responds.
func TestRequestsAreLogged(t *testing.T) {
	t.Parallel()
	var book logbook
	w := NewWorld(t, book.log(slog.LevelDebug))
	id := http.Header{"X-Request-Id": {"mine"}, "X-Client": {"web"}}
	began := time.Now()
	w.Do(t, Request{Method: "GET", Path: "/pets/1?access_token=secret", Header: id})
	w.Do(t, Request{Method: "BREW", Path: "/pets", Header: id})
	w.Do(t, Request{Method: "GET", Path: "/nowhere", Header: id})
	w.Do(t, Request{Method: "OPTIONS", Path: "/pets", Header: id})
	w.Do(t, Preflight("/pets", "http://app.example", "POST", ""))
	entries := book.entries(t, "request")
	if len(entries) != 5 {
		t.Fatalf("%d lines for 5 requests:\n%s", len(entries), book.String())
	}
	for i, want := range []struct {
		method, path, operation string
		status                  float64
	}{
		{"GET", "/pets/1", "getPet", 200}, {"BREW", "/pets", "", 405}, {"GET", "/nowhere", "", 404},
		{"OPTIONS", "/pets", "", 204},
		{"OPTIONS", "/pets", "", 204},
	} {
		e := entries[i]
		if e["method"] != want.method || e["path"] != want.path || e["operation"] != want.operation ||
			e["status"] != want.status {
			t.Errorf("line %d = %v, want %v", i, e, want)
		}
		if i < 4 && (e["id"] != "mine" || e["clientName"] != "web") {
			t.Errorf("line %d has the id %v and the client %v", i, e["id"], e["clientName"])
		}
		if took, ok := e["durationMs"].(float64); e["sandbox"] != "default" || e["client"] != "127.0.0.1" || !ok ||
			took <= 0 || took > time.Since(began).Seconds()*1000 {
			t.Errorf("line %d is %v", i, e)
		}
		if size := e["bytes"].(float64); (size > 0) != (want.status != 204) {
			t.Errorf("line %d has %v bytes", i, size)
		}
	}
	if strings.Contains(book.String(), "secret") {
		t.Errorf("a key stands in the log:\n%s", book.String())
	}
}

// TestReplicaHeaderOfEveryResponse checks responses of each layer. Like all responses, they are compared
// with the documents.
func TestReplicaHeaderOfEveryResponse(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.Replica, c.MaxSandboxes = "eu-2", 1 })
	for _, test := range []struct {
		Request
		status int
	}{
		{Get("/pets/1"), 200},
		{Get("/healthz"), 200},
		{Get("/admin"), 200},
		{Get("/openapi.json"), 200},
		{Get("/docs/"), 200},
		{Get("/admin/snapshots/none"), 405},
		{Get("/messages"), 401},
		{Get("/nowhere"), 404},
		{Get("/sandboxes/ada/pets"), 503},
		{Get("/sandboxes/*/pets"), 400},
		{Request{Method: "OPTIONS", Path: "/pets"}, 204},
		{Preflight("/pets", "http://app.example", "POST", ""), 204},
	} {
		a := w.Do(t, test.Request)
		a.Expect(t, test.status, "")
		a.ExpectHeader(t, "X-Petstore-Replica", "eu-2")
	}
	var summary struct{ Replica string }
	if w.Get(t, "/admin").Decode(t, &summary); summary.Replica != "eu-2" {
		t.Errorf("GET /admin names the replica %q", summary.Replica)
	}
}

// TestHeaderLineLimit sends the maximum number of lines of one header, and one more.
func TestHeaderLineLimit(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for lines, code := range map[int]string{100: "", 101: "too_many_header_lines"} {
		connection := w.Dial(t)
		Send(t, connection, "GET /pets/1 HTTP/1.1\r\nHost: localhost\r\n"+strings.Repeat("X-Line: 1\r\n", lines)+"\r\n")
		ReadAnswer(t, connection).Expect(t, map[int]int{100: 200, 101: 431}[lines], code)
	}
}
