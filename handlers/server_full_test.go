package handlers_test

import (
	"runtime"
	"testing"

	"example.com/petstore/handlers"
)

// TestServerFull holds more memory than the server may use: what would leave something
// behind is refused and changes nothing; what reads or frees goes on.
func TestServerFull(t *testing.T) {
	t.Parallel()
	ballast := make([]byte, 2*handlers.MinMemory)
	w := newWorld(t, func(c *handlers.Config) { c.MaxMemory = 2 * handlers.MinMemory })
	defer runtime.KeepAlive(ballast)
	state := w.State(t)
	for _, r := range []request{
		{Method: "POST", Path: "/pets", Body: `{"name": "Bello", "categoryId": 1}`},
		{Method: "PUT", Path: "/pets/1", Body: `{"name": "Bello", "categoryId": 1}`},
		{Method: "PATCH", Path: "/pets/1", Body: `{"name": "Bello"}`},
		{Method: "POST", Path: "/messages", Header: demoKey, Body: `{"message": "Hello"}`},
		{Method: "PUT", Path: "/admin/state", Body: `{}`},
		{Method: "PUT", Path: "/admin/snapshots/now"},
		{Method: "POST", Path: "/admin/faults", Body: `{"status": 503}`},
		{Method: "PUT", Path: "/admin/sandboxes/ada"},
		{Method: "POST", Path: "/admin/sandboxes/default/fork", Body: `{"name": "ada"}`},
		{Method: "GET", Path: "/sandboxes/ada/pets"},
	} {
		answer := w.Do(t, r)
		answer.Expect(t, 503, "server_full")
		answer.ExpectHeader(t, "Retry-After", "1")
	}
	if w.State(t) != state {
		t.Errorf("what was refused changed the state to\n%s", w.State(t))
	}
	for _, r := range []request{
		{Method: "GET", Path: "/pets"},
		{Method: "DELETE", Path: "/pets/1"},
		{Method: "GET", Path: "/admin"},
		{Method: "GET", Path: "/admin/state"},
		{Method: "POST", Path: "/admin/undo", Body: `{"steps": 1}`},
		{Method: "POST", Path: "/admin/reset"},
		{Method: "POST", Path: "/admin/reset", Body: `{}`},
		{Method: "DELETE", Path: "/admin/requests"},
		{Method: "DELETE", Path: "/admin/faults"},
		{Method: "DELETE", Path: "/admin/clock"},
	} {
		w.Must(t, r)
	}
}
