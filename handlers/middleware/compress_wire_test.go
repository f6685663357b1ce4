package middleware_test

import (
	"net/http"
	"strings"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

// TestGzip checks that long responses are compressed on request.
func TestGzip(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	long := `{"message": "` + strings.Repeat("Hello again. ", 100) + `"}`
	w.Must(t, Post("/messages", long).WithKey("demo-key"))
	for _, test := range []struct {
		path, accept string
		zipped       bool
	}{
		{"/messages/2", "gzip", true},
		{"/messages/2", "br, deflate, gzip;q=0.5", true},
		{"/messages/2", "identity", false},
		{"/messages/2", "gzip;q=0", false},
		{"/messages/2", "br", false},
		{"/messages/1", "gzip", false},                             // too small
		{"/pets?id=x" + strings.Repeat("&id=x", 40), "gzip", true}, // errors too
		{"/openapi.json", "gzip", true},
	} {
		header := DemoKey.Clone()
		header.Set("Accept-Encoding", test.accept)
		a := w.Do(t, Request{Method: "GET", Path: test.path, Header: header})
		if got := a.Header.Get("Content-Encoding") == "gzip"; got != test.zipped {
			t.Errorf("GET %.20s with Accept-Encoding: %s is gzip: %t, want %t", test.path, test.accept, got, test.zipped)
		}
	}
}

// TestGzipTag checks that the compressed body has another strong tag, and that a precondition
// accepts either tag for the record.
func TestGzipTag(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	long := `{"description": "` + strings.Repeat("Hello. ", 142) + `"}`
	w.Must(t, Patch("/categories/1", long))
	accept := http.Header{"Accept-Encoding": {"gzip"}}
	zipped := w.Do(t, Request{Method: "GET", Path: "/categories/1", Header: accept})
	plain := w.Get(t, "/categories/1")
	tag := zipped.Header.Get("ETag")
	if want := strings.TrimSuffix(plain.Header.Get("ETag"), `"`) + `-gzip"`; tag != want {
		t.Errorf("ETag = %s, want %s", tag, want)
	}
	if string(zipped.Body) != string(plain.Body) {
		t.Error("the compressed answer says something else")
	}
	again := w.Do(t, Get("/categories/1").With("Accept-Encoding", "gzip").With("If-None-Match", tag))
	again.Expect(t, 304, "")
	again.ExpectHeader(t, "ETag", tag)
	w.Must(t, Patch("/categories/1", `{"name": "Hounds"}`).With("If-Match", tag))
	w.Do(t, Patch("/categories/1", `{"name": "Curs"}`).With("If-Match", tag)).
		Expect(t, 412, "precondition_failed", "If-Match")
}
