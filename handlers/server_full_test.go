package handlers_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
)

// TestServerFull makes more memory than the server may use: what would leave something
// behind is refused and changes nothing; what reads or frees goes on.
func TestServerFull(t *testing.T) {
	t.Parallel()
	const most = 1 << 30
	w := newWorld(t, func(c *handlers.Config) { c.MaxMemory = most })
	ballast := make([]byte, most) // of which not a page is touched
	defer runtime.KeepAlive(ballast)
	runtime.GC() // which finds it
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
		{Method: "POST", Path: "/admin/reset", Body: `{"seed": 7}`},
		{Method: "PUT", Path: "/admin/sandboxes/default", Body: `{"seed": 7}`},
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
		{Method: "DELETE", Path: "/admin/requests"},
		{Method: "DELETE", Path: "/admin/faults"},
		{Method: "DELETE", Path: "/admin/clock"},
	} {
		w.Must(t, r)
	}
}

// TestServerWithTooMuchData wants a server that its initial data fills to say so, and how
// much it needs.
func TestServerWithTooMuchData(t *testing.T) {
	t.Parallel()
	state, err := fixtures.Generate(1, fixtures.Sizes{Pets: 200_000, Categories: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	_, err = handlers.New(handlers.Config{Baseline: state, MaxMemory: handlers.MinMemory})
	var problems handlers.ConfigProblems
	if !errors.As(err, &problems) || len(problems) != 1 || problems[0].Flag != "max-memory" {
		t.Fatalf("New returns %v, want what is wrong with MaxMemory", err)
	}
	if !strings.HasPrefix(problems.ByFlag(), "--max-memory of 32MiB is too little: ") {
		t.Errorf("it says %s", problems.ByFlag())
	}
}
