package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	"example.com/petstore/handlers/config"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/rest"
)

// knock is a request to a missing sandbox, and whether it creates the sandbox.
type knock struct {
	Request
	status int
	makes  bool
}

func knocks() []knock {
	preflight := http.Header{"Origin": {"http://localhost"}, "Access-Control-Request-Method": {"PUT"}}
	return []knock{
		{Get("/pets"), 200, true},
		{Request{Method: "HEAD", Path: "/pets"}, 200, true},
		{Get("/pets/99"), 404, true},
		{Get("/pets?limit=0"), 400, true},
		{Get("/pets").With("Prefer", "code=503"), 503, true},
		{Post("/pets", NewPet), 201, true},
		{Post("/pets", "{"), 400, true},
		{Get("/messages"), 401, false},
		{Get("/messages").WithKey("demo-key"), 200, true},
		{Post("/admin/reset", ""), 200, true},
		{Put("/admin/clock", `{"frozen": true}`), 200, true},
		{Put("/admin/clock", `{"frozen": 7}`), 400, true},
		{Delete("/admin/data/pets/1"), 204, true},
		{Get("/admin/data/nope"), 404, false},
		{Post("/admin/reset", "").With("Origin", "http://evil.example"), 403, false},
		{Get("/nope"), 404, false},
		{Get("/admin/nope"), 404, false},
		{Post("/pets/1", NewPet), 405, false},
		{Request{Method: "OPTIONS", Path: "/pets"}, 204, false},
		{Request{Method: "OPTIONS", Path: "/pets", Header: preflight}, 204, false},
		{Request{Method: "OPTIONS", Path: "/admin/reset", Header: preflight}, 204, false},
		{Get("/healthz"), 200, false},
		{Get("/"), 200, false},
		{Get("/docs/"), 200, false},
		{Get("/openapi.json"), 200, false},
		{Get("/admin/openapi.yaml"), 200, false},
		{Get("/admin/sandboxes"), 200, false},
		{Put("/admin/sandboxes/default", ""), 200, false},
		{Delete("/admin/sandboxes/none"), 404, false},
	}
}

// TestRequestsThatCreateSandbox checks that only operations of the service and admin writes create a
// sandbox.
func TestRequestsThatCreateSandbox(t *testing.T) {
	t.Parallel()
	for _, k := range knocks() {
		t.Run(k.Method+" "+k.Path, func(t *testing.T) {
			t.Parallel()
			w := NewWorld(t)
			w.Do(t, Behind("ada", k.Request)).Expect(t, k.status, "")
			want := []string{"default"}
			if k.makes {
				want = []string{"ada", "default"}
			}
			must.Equal(t, want, w.Names(), "sandboxes")
		})
	}
}

// TestInjectedErrorsCreateSandbox checks that an authorized request creates its sandbox even if a
// rate limit, a fault or a sunset refuses it.
func TestInjectedErrorsCreateSandbox(t *testing.T) {
	t.Parallel()
	for status, config := range map[int]func(*handlers.Config){
		503: func(c *handlers.Config) { c.ErrorRate = 1 },
		410: func(c *handlers.Config) { c.EnforceSunset = true; At(config.DefaultSunset())(c) },
	} {
		w := NewWorld(t, config)
		w.Do(t, Behind("ada", Get("/pets/1"))).Expect(t, status, "")
		w.ExpectNames(t, "ada", "default")
	}
}

// usesSandbox reports whether an operation concerns the sandbox of its request.
func usesSandbox(op *rest.Operation) bool {
	return op.ID != "" && op.Kind != rest.Health &&
		!slices.ContainsFunc([]string{"/admin/sandboxes", "/admin/template", "/admin/workshop", "/join", "/metrics",
			"/mcp"},
			func(wide string) bool { return strings.HasPrefix(op.Path, wide) })
}

// mounted is an operation of the service below /admin/data, which the table lacks.
var mounted = rest.Operation{ID: "getPet", Kind: rest.Admin, Method: http.MethodGet, Path: "/admin/data/pets/{petId}"}

// anyRequest returns a request to the operation.
func anyRequest(op *rest.Operation) Request {
	path := strings.NewReplacer("{petId}", "1", "{categoryId}", "1", "{orderId}", "1", "{messageId}", "1", "{faultId}",
		"1",
		"{snapshotName}", "one", "{operationId}", "getPet").Replace(op.Path)
	r := Request{Method: op.Method, Path: path}
	if op.Kind == rest.Private {
		r.Header = DemoKey
	}
	return r
}

// TestAdminReadsOfMissingSandbox checks that admin reads of a missing sandbox return 404.
func TestAdminReadsOfMissingSandbox(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, op := range append(w.Server.Table(), mounted) {
		if !usesSandbox(&op) || op.Kind != rest.Admin || op.Method != http.MethodGet {
			continue
		}
		a := w.Do(t, Behind("Ada%20L", anyRequest(&op)))
		a.Expect(t, 404, "unknown_sandbox")
		a.ExpectHeader(t, "X-Sandbox")
		if p := a.Problem(t); !strings.Contains(p.Message, "PUT /admin/sandboxes/Ada%20L") {
			t.Errorf("the message does not say how to make it: %s", p.Message)
		}
	}
	w.Get(t, "/admin").Expect(t, 200, "")
	w.ExpectNames(t, "default")
}

// TestRequestsThatUseSandbox checks that exactly the requests that can create a sandbox reset its idle
// time.
func TestRequestsThatUseSandbox(t *testing.T) {
	t.Parallel()
	config, pass := Movable()
	w := NewWorld(t, config)
	lastUsed := func() time.Time {
		var list []admin.Sandbox
		w.Get(t, "/admin/sandboxes").Decode(t, &list)
		return list[0].LastUsedAt
	}
	reads := []knock{{Get("/admin"), 200, false}, {Get("/admin/requests"), 200, false}}
	w.Must(t, Put("/admin/sandboxes/ada", ""))
	for _, k := range append(knocks(), reads...) {
		before := lastUsed()
		pass(time.Minute)
		w.Do(t, Behind("ada", k.Request)).Expect(t, k.status, "")
		if used := lastUsed().After(before); used != k.makes {
			t.Errorf("%s %s uses the sandbox: %t, want %t", k.Method, k.Path, used, k.makes)
		}
	}
}

// TestExplicitSandboxes checks that only explicit requests create a sandbox, and that all other
// requests to a missing one return an error.
func TestExplicitSandboxes(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.ExplicitSandboxes = true })
	for _, op := range append(w.Server.Table(), mounted) {
		if !usesSandbox(&op) || op.Makes { // a world creates its sandbox: see TestWorldMakesItsSandbox
			continue
		}
		a := w.Do(t, Behind("ada", anyRequest(&op)))
		a.Expect(t, 404, "unknown_sandbox")
		a.ExpectHeader(t, "X-Sandbox")
		if p := a.Problem(t); !strings.Contains(p.Message, "PUT /admin/sandboxes/ada") {
			t.Errorf("the message does not say how to make it: %s", p.Message)
		}
	}
	for _, k := range knocks() { // those that succeed for any name
		if !k.makes && k.status < 300 {
			w.Do(t, Behind("ada", k.Request)).Expect(t, k.status, "")
		}
	}
	w.ExpectNames(t, "default")
	w.Must(t, InSandbox("ada", Put("/admin/sandboxes/ada", ""))).Expect(t, 201, "")
	w.Must(t, Post("/sandboxes/ada/pets", NewPet))
	w.Must(t, Post("/sandboxes/eve/admin/sandboxes/ada/fork", `{"name": "eve"}`))
	w.Get(t, "/sandboxes/eve/pets/7").Expect(t, 200, "")
	w.Get(t, "/pets").Expect(t, 200, "")
	w.Must(t, Delete("/admin/sandboxes/ada"))
	w.Get(t, "/sandboxes/ada/pets").Expect(t, 404, "unknown_sandbox")
}
