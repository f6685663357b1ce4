package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// paths returns an address of every path in the route table, with its methods.
func paths(w *World) map[string][]string {
	methods := make(map[string][]string)
	for _, op := range w.Server.Table() {
		path := Address(op.Path)
		methods[path] = append(methods[path], op.Method)
		if op.Method == http.MethodGet {
			methods[path] = append(methods[path], http.MethodHead)
		}
	}
	return methods
}

func allow(methods []string) string {
	all := append([]string{http.MethodOptions}, methods...)
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// TestOptions sends OPTIONS to every path.
func TestOptions(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for path, methods := range paths(w) {
		// A path has the same methods under every prefix.
		for _, prefix := range []string{"", "/sandboxes/ada", "/sandboxes/*"} {
			a := w.Do(t, Request{Method: "OPTIONS", Path: prefix + path})
			a.Expect(t, 204, "")
			a.ExpectHeader(t, "Allow", allow(methods))
		}
	}
}

// TestWrongMethods sends every path the methods that it does not support.
func TestWrongMethods(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for path, methods := range paths(w) {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "get",
			"X"} {
			if slices.Contains(methods, method) {
				continue
			}
			for _, prefix := range []string{"", "/sandboxes/ada"} {
				a := w.Do(t, Request{Method: method, Path: prefix + path})
				if method == "HEAD" {
					a.Expect(t, 405, "") // HEAD has no body, and so no code
				} else {
					a.Expect(t, 405, "method_not_allowed")
				}
				a.ExpectHeader(t, "Allow", allow(methods))
			}
		}
	}
}

// TestHeadMatchesGet compares HEAD with GET on every path and on errors, including
// Content-Length.
func TestHeadMatchesGet(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	addresses := []string{
		"/nowhere", "/pets/99", "/pets/x", "/pets?limit=0", "/messages/9", "/docs/none.js", "/admin/nowhere",
		"/admin/state/diff?from=nope", "/admin/requests?limit=0", "/admin/report?format=junit", "/sandboxes/*/pets",
		"/sandboxes/*/admin", "/sandboxes/ada/pets/1",
	}
	for path, methods := range paths(w) {
		if slices.Contains(methods, http.MethodGet) {
			addresses = append(addresses, path)
		}
	}
	for _, path := range addresses {
		header := DemoKey.Clone()
		header["X-Request-Id"] = []string{"one"} // a generated id would differ
		get := w.Do(t, Request{Method: "GET", Path: path, Header: header})
		head := w.Do(t, Request{Method: "HEAD", Path: path, Header: header})
		for _, a := range []*Answer{get, head} {
			a.Header.Del("Date")
			if path == "/admin" || path == "/metrics" || strings.HasPrefix(path, "/docs") {
				a.Header.Del("Content-Length") // the uptime and the measurements change; Swagger UI omits the length
			}
		}
		if diff := cmp.Diff(get.Header, head.Header); diff != "" || head.Status != get.Status {
			t.Errorf("HEAD %s = %d, GET %d; headers, -GET +HEAD:\n%s", path, head.Status, get.Status, diff)
		}
		if len(head.Body) > 0 {
			t.Errorf("HEAD %s has the body %q", path, head.Body)
		}
	}
}

// TestUnknownPaths requests unknown paths, including odd ones. No response is a redirect, which
// clients would repeat as GET.
func TestUnknownPaths(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, path := range []string{
		"/nowhere", "/pets/", "//pets", "/pets//1", "/pets/1/", "/./pets", "/pets/../pets", "/pets/%2e%2e/pets",
		"/pets%2F1", "/pets/1/2", "/Pets", "/pets.json", "/store", "/store/", "/store/orders/", "/api/pets", "/docs2",
		"/openapi.jsonx", "/healthz/", "/admin/", "/admin/nowhere", "/admin//reset", "/admin/sandboxes/ada/",
		"/admin/snapshots/one/", "/admin/faults/1/2", "/events/", "/sandboxes", "/sandboxes/ada/nowhere",
		"/sandboxes/ada/sandboxes/bob/pets", "/sandboxes/ada/pets/", "/sandboxes/ada//pets", "/sandboxes/*/nowhere",
		"/sandboxes%2Fada/pets", "/Sandboxes/ada/pets", "/%00", "/%F0%9F%90%95", "/pets;a=b", "/pets%3Flimit=1", "/*",
	} {
		for _, method := range []string{"GET", "POST", "OPTIONS", "DELETE", "BREW"} {
			a := w.Do(t, Request{Method: method, Path: path})
			a.Expect(t, 404, "not_found")
			a.ExpectHeader(t, "Location")
		}
	}
}

// TestEncodedSlashIsNoSeparator requests paths with percent-encoded segments. An encoded slash
// belongs to its segment (RFC 3986, section 2.2). All other characters mean the same plain or
// encoded.
func TestEncodedSlashIsNoSeparator(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Put("/admin/snapshots/a", ""))
	w.Must(t, Put("/admin/sandboxes/ada", ""))
	before := w.State(t)
	for _, test := range []struct {
		method, path string
		status       int
		code, field  string
	}{
		{"GET", "/pets%2F1", 404, "not_found", ""},
		{"GET", "/pets%2f1", 404, "not_found", ""},
		{"DELETE", "/pets%2F1", 404, "not_found", ""},
		{"GET", "/%2Fpets/1", 404, "not_found", ""},
		{"GET", "/store%2Forders", 404, "not_found", ""},
		{"GET", "/admin%2Fstate", 404, "not_found", ""},
		{"GET", "/docs%2F", 404, "not_found", ""},
		{"GET", "/sandboxes%2Fada/pets", 404, "not_found", ""},
		{"GET", "/sandboxes/ada/pets%2F1", 404, "not_found", ""},
		{"GET", "/sandboxes/ada%2Fpets", 200, "", ""},
		{"GET", "/sandboxes/a%2Fb/pets", 200, "", ""},
		{"GET", "/pets/%2F1", 400, "invalid_parameter", "petId"},
		{"GET", "/pets/1%2F2", 400, "invalid_parameter", "petId"},
		{"GET", "/pets/1%252F2", 400, "invalid_parameter", "petId"},
		{"POST", "/pets/1%2F2", 405, "method_not_allowed", ""},
		{"PUT", "/admin/snapshots/a%2Fb", 400, "invalid_parameter", "snapshotName"},
		{"POST", "/admin/snapshots/a%2Frestore", 405, "method_not_allowed", ""},
		{"POST", "/admin/sandboxes/ada%2Ffork", 405, "method_not_allowed", ""},
		{"GET", "/pets/%31", 200, "", ""},
		{"GET", "/%70ets/1", 200, "", ""},
		{"GET", "/sandboxes/%61da/pets/%31", 200, "", ""},
		{"PUT", "/admin/snapshots/%61", 200, "", ""},
	} {
		a := w.Do(t, Request{Method: test.method, Path: test.path})
		t.Log(test.method, test.path)
		if test.field == "" {
			a.Expect(t, test.status, test.code)
		} else {
			a.Expect(t, test.status, test.code, test.field)
		}
	}
	// A byte of a path does not change how the others are decoded. A client would encode this one.
	w.Raw(t, "DELETE /pets/1%2F\" HTTP/1.1\r\nHost: localhost\r\n\r\n").Expect(t, 400, "invalid_parameter", "petId")
	if w.State(t) != before {
		t.Error("a path that is none changed the data")
	}
}

// TestEncodedPathInJournalAndFaults checks that the journal and fault rules use the same segments
// as the router.
func TestEncodedPathInJournalAndFaults(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.AddFault(t, `{"match": {"path": "/pets/*"}, "status": 418}`)
	for path, status := range map[string]int{"/pets%2F1": 404, "/pets/%2F1": 418, "/pets/a%20b%25": 418} {
		w.Loose().Get(t, path).Expect(t, status, "")
	}
	got := make(map[string]int)
	for _, entry := range JournalOf(t, w.Get(t, "/admin/requests")).Requests {
		got[entry.Path] = entry.Status
	}
	must.Equal(t, map[string]int{"/pets%2F1": 404, "/pets/%2F1": 418, "/pets/a b%25": 418}, got, "the journal's paths")
}
