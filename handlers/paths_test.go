package handlers_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	. "example.com/petstore/handlers/internal/contracttest"
)

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

// TestEncodedPathIsToldAsItIsRouted checks that the journal and fault rules use the same segments
// as the router.
func TestEncodedPathIsToldAsItIsRouted(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.AddFault(t, `{"match": {"path": "/pets/*"}, "status": 418}`)
	for path, status := range map[string]int{"/pets%2F1": 404, "/pets/%2F1": 418, "/pets/a%20b%25": 418} {
		w.Loose().Get(t, path).Expect(t, status, "")
	}
	told := make(map[string]int)
	for _, entry := range JournalOf(t, w.Get(t, "/admin/requests")).Requests {
		told[entry.Path] = entry.Status
	}
	if diff := cmp.Diff(map[string]int{"/pets%2F1": 404, "/pets/%2F1": 418, "/pets/a b%25": 418}, told); diff != "" {
		t.Errorf("the journal's paths, -want +got:\n%s", diff)
	}
}
