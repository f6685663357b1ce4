package handlers_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestGzip wants compression where it was asked for and is worth it.
func TestGzip(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := `{"message": "` + repeat("Hello again. ", 100) + `"}`
	w.must(t, request{method: "POST", path: "/messages", header: demoKey, body: long})
	for _, test := range []struct {
		path, accept string
		zipped       bool
	}{
		{"/messages/2", "gzip", true},
		{"/messages/2", "br, deflate, gzip;q=0.5", true},
		{"/messages/2", "identity", false},
		{"/messages/2", "gzip;q=0", false},
		{"/messages/2", "br", false},
		{"/messages/1", "gzip", false},                     // too small
		{"/pets?id=x" + repeat("&id=x", 40), "gzip", true}, // errors too
		{"/openapi.json", "gzip", true},
	} {
		header := demoKey.Clone()
		header.Set("Accept-Encoding", test.accept)
		a := w.do(t, request{method: "GET", path: test.path, header: header})
		if got := a.header.Get("Content-Encoding") == "gzip"; got != test.zipped {
			t.Errorf("GET %.20s with Accept-Encoding: %s is gzip: %t, want %t", test.path, test.accept, got, test.zipped)
		}
	}
}

// TestGzipTag wants another strong tag for the compressed bytes, which names the
// same record in a precondition.
func TestGzipTag(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := `{"description": "` + repeat("Hello. ", 142) + `"}`
	w.must(t, request{method: "PATCH", path: "/categories/1", body: long})
	accept := http.Header{"Accept-Encoding": {"gzip"}}
	zipped := w.do(t, request{method: "GET", path: "/categories/1", header: accept})
	plain := w.get(t, "/categories/1")
	tag := zipped.header.Get("ETag")
	if want := strings.TrimSuffix(plain.header.Get("ETag"), `"`) + `-gzip"`; tag != want {
		t.Errorf("ETag = %s, want %s", tag, want)
	}
	if string(zipped.body) != string(plain.body) {
		t.Error("the compressed answer says something else")
	}
	again := w.do(t, request{method: "GET", path: "/categories/1", header: http.Header{"Accept-Encoding": {"gzip"}, "If-None-Match": {tag}}})
	again.expect(t, 304, "")
	again.expectHeader(t, "ETag", tag)
	w.must(t, request{method: "PATCH", path: "/categories/1", header: http.Header{"If-Match": {tag}}, body: `{"name": "Hounds"}`})
	w.do(t, request{method: "PATCH", path: "/categories/1", header: http.Header{"If-Match": {tag}}, body: `{"name": "Curs"}`}).
		expect(t, 412, "precondition_failed", "If-Match")
}
