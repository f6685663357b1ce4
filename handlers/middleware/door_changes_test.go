package middleware_test

import (
	"testing"
)

// TestChangesAreNoted wants each request that may have changed a sandbox to be noted, and no other.
func TestChangesAreNoted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	noted := func(r request, want bool) {
		t.Helper()
		before := w.Server.Sandboxes().Changed()
		w.Do(t, r)
		if got := w.Server.Sandboxes().Changed() != before; got != want {
			t.Errorf("%s %s: noted %t, want %t", r.Method, r.Path, got, want)
		}
	}
	noted(request{Method: "GET", Path: "/pets/1"}, false)
	noted(request{Method: "HEAD", Path: "/pets"}, false)
	noted(request{Method: "GET", Path: "/admin/state"}, false)
	noted(request{Method: "GET", Path: "/sandboxes/ada/pets"}, true) // which makes it
	noted(request{Method: "GET", Path: "/sandboxes/ada/pets"}, false)
	noted(request{Method: "DELETE", Path: "/pets/2"}, true)
	noted(request{Method: "POST", Path: "/pets", Body: `{"name": "Rex", "categoryId": 1}`}, true)
	noted(request{Method: "PUT", Path: "/admin/clock", Body: `{"frozen": true}`}, true)
	noted(request{Method: "POST", Path: "/sandboxes/*/admin/reset"}, true)
	noted(request{Method: "POST", Path: "/admin/faults", Body: `{"times": 1, "status": 503}`}, true)
	noted(request{Method: "GET", Path: "/pets/1"}, true) // which spends the rule
	noted(request{Method: "GET", Path: "/pets/1"}, false)
	noted(request{Method: "DELETE", Path: "/admin/sandboxes/ada"}, true)
}
