package middleware_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
)

// full returns a server that has room for two sandboxes besides the default one, with both taken.
func full(t *testing.T, take ...Request) (w *World, pass func(time.Duration)) {
	t.Helper()
	config, pass := Movable(func(c *handlers.Config) { c.MaxSandboxes = 3 })
	w = NewWorld(t, config)
	for i, r := range take {
		w.Must(t, Behind(fmt.Sprint("s", i), r))
		pass(time.Second)
	}
	return w, pass
}

// TestFullServerMakesRoom checks that the least recently used sandbox is evicted, of those that
// requests have created and that have not changed.
func TestFullServerMakesRoom(t *testing.T) {
	t.Parallel()
	read := Get("/pets")
	w, pass := full(t, read, read) // at 0 s and at 1 s
	w.Get(t, "/sandboxes/s0/pets") // so s1 is the least recently used one
	pass(9*time.Second - 1)
	w.Get(t, "/sandboxes/s2/pets").Expect(t, 503, "sandbox_limit_reached")
	pass(1)
	w.Get(t, "/sandboxes/s2/pets").Expect(t, 200, "")
	if diff := cmp.Diff([]string{"default", "s0", "s2"}, w.Names()); diff != "" {
		t.Errorf("sandboxes, -want +got:\n%s", diff)
	}
}

// TestWhatMakesNoRoom lists the reasons that keep a sandbox on a full server.
func TestWhatMakesNoRoom(t *testing.T) {
	t.Parallel()
	read := Get("/pets")
	for name, use := range map[string]func(t *testing.T, w *World, name string){
		"a write of admin": func(t *testing.T, w *World, name string) {
			w.Must(t, Put("/sandboxes/"+name+"/admin/clock", `{"frozen": true}`))
		},
		"a snapshot": func(t *testing.T, w *World, name string) {
			w.Must(t, Put("/sandboxes/"+name+"/admin/snapshots/first", ""))
		},
		"a key":               func(t *testing.T, w *World, name string) { w.Must(t, Put("/admin/sandboxes/"+name, `{"key": "k"}`)) },
		"being made by admin": func(t *testing.T, w *World, name string) { w.Must(t, Put("/admin/sandboxes/"+name, "")) },
		"a stream":            func(t *testing.T, w *World, name string) { w.Listen(t, "/sandboxes/"+name+"/events", nil) },
		"a stream of admin":   func(t *testing.T, w *World, name string) { w.Listen(t, "/sandboxes/"+name+"/admin/events", nil) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, pass := full(t, read, Post("/pets", NewPet))
			for _, name := range []string{"s0", "s1"} {
				use(t, w, name)
			}
			pass(10 * time.Minute)
			a := w.Get(t, "/sandboxes/s2/pets")
			if a.Expect(t, 503, "sandbox_limit_reached"); a.Header.Get("Retry-After") != "10" {
				t.Errorf("headers %v", a.Header)
			}
			w.Do(t, Put("/admin/sandboxes/s2", "")).Expect(t, 503, "sandbox_limit_reached")
			w.Get(t, "/sandboxes/s2/healthz").Expect(t, 200, "") // needs no room
			w.Get(t, "/sandboxes/s2/admin").Expect(t, 404, "unknown_sandbox")
		})
	}
}

// TestOneClientLocksNobodyOut checks that a client which writes to every possible sandbox keeps
// new clients out for a minute only. Then each new client evicts one sandbox.
func TestOneClientLocksNobodyOut(t *testing.T) {
	t.Parallel()
	const most = 50
	config, pass := Movable(func(c *handlers.Config) { c.MaxSandboxes = most })
	w := NewWorld(t, config)
	for i := range most - 1 {
		w.Must(t, Behind(fmt.Sprint("flood", i), Post("/pets", NewPet)))
	}
	w.Get(t, "/sandboxes/late/pets").Expect(t, 503, "sandbox_limit_reached")
	pass(time.Minute)
	for i := range most - 1 {
		w.Must(t, Behind(fmt.Sprint("guest", i), Post("/pets", NewPet)))
		if names := w.Names(); len(names) != most {
			t.Fatalf("there are %d sandboxes", len(names))
		}
	}
	w.Get(t, "/sandboxes/late/pets").Expect(t, 503, "sandbox_limit_reached")
}

// TestForkMakesRoom checks that a fork on a full server does not evict its source.
func TestForkMakesRoom(t *testing.T) {
	t.Parallel()
	read := Get("/pets")
	w, pass := full(t, read, read)
	pass(10 * time.Second)
	w.Must(t, Post("/admin/sandboxes/s0/fork", `{"name": "eve"}`))
	if diff := cmp.Diff([]string{"default", "eve", "s0"}, w.Names()); diff != "" {
		t.Errorf("sandboxes, -want +got:\n%s", diff)
	}
}

// TestStrangersTakeNobodysRoom checks that a full server makes room only for authorized requests.
func TestStrangersTakeNobodysRoom(t *testing.T) {
	t.Parallel()
	config, pass := Movable(func(c *handlers.Config) { c.MaxSandboxes, c.APIKeys = 2, []string{"k1"} })
	w := NewWorld(t, config)
	key := Authorization("Bearer k1")
	w.Must(t, Request{Method: "GET", Path: "/sandboxes/ada/pets", Header: key})
	pass(time.Hour - 1)
	for _, path := range []string{"/sandboxes/bob/pets", "/sandboxes/bob/nope", "/sandboxes/bob/healthz"} {
		w.Get(t, path)
	}
	w.Get(t, "/sandboxes/bob/pets").Expect(t, 401, "unauthorized")
	if diff := cmp.Diff([]string{"ada", "default"}, w.Names()); diff != "" {
		t.Errorf("sandboxes, -want +got:\n%s", diff)
	}
	w.Must(t, Request{Method: "GET", Path: "/sandboxes/bob/pets", Header: key})
	if diff := cmp.Diff([]string{"bob", "default"}, w.Names()); diff != "" {
		t.Errorf("sandboxes, -want +got:\n%s", diff)
	}
}

// TestChangesAreNoted checks that exactly the requests that may have changed a sandbox mark it as
// changed.
func TestChangesAreNoted(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	noted := func(r Request, want bool) {
		t.Helper()
		before := w.Server.Sandboxes().Changed()
		w.Do(t, r)
		if got := w.Server.Sandboxes().Changed() != before; got != want {
			t.Errorf("%s %s: noted %t, want %t", r.Method, r.Path, got, want)
		}
	}
	noted(Get("/pets/1"), false)
	noted(Request{Method: "HEAD", Path: "/pets"}, false)
	noted(Get("/admin/state"), false)
	noted(Get("/sandboxes/ada/pets"), true) // creates the sandbox
	noted(Get("/sandboxes/ada/pets"), false)
	noted(Delete("/pets/2"), true)
	noted(Post("/pets", `{"name": "Rex", "categoryId": 1}`), true)
	noted(Put("/admin/clock", `{"frozen": true}`), true)
	noted(Post("/sandboxes/*/admin/reset", ""), true)
	noted(Post("/admin/faults", `{"times": 1, "status": 503}`), true)
	noted(Get("/pets/1"), true) // uses up the rule
	noted(Get("/pets/1"), false)
	noted(Delete("/admin/sandboxes/ada"), true)
}
