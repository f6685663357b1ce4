package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	"example.com/petstore/handlers/config"
	"example.com/petstore/handlers/rest"
)

// knock is a request to a missing sandbox, and whether it creates the sandbox.
type knock struct {
	request
	status int
	makes  bool
}

func knocks() []knock {
	preflight := http.Header{"Origin": {"http://localhost"}, "Access-Control-Request-Method": {"PUT"}}
	return []knock{
		{get("/pets"), 200, true},
		{request{Method: "HEAD", Path: "/pets"}, 200, true},
		{get("/pets/99"), 404, true},
		{get("/pets?limit=0"), 400, true},
		{request{Method: "GET", Path: "/pets", Header: prefer("code=503")}, 503, true},
		{post("/pets", newPet), 201, true},
		{post("/pets", "{"), 400, true},
		{get("/messages"), 401, false},
		{request{Method: "GET", Path: "/messages", Header: demoKey}, 200, true},
		{request{Method: "POST", Path: "/admin/reset"}, 200, true},
		{put("/admin/clock", `{"frozen": true}`), 200, true},
		{put("/admin/clock", `{"frozen": 7}`), 400, true},
		{request{Method: "POST", Path: "/admin/reset", Header: http.Header{"Origin": {"http://evil.example"}}}, 403, false},
		{get("/nope"), 404, false},
		{get("/admin/nope"), 404, false},
		{post("/pets/1", newPet), 405, false},
		{request{Method: "OPTIONS", Path: "/pets"}, 204, false},
		{request{Method: "OPTIONS", Path: "/pets", Header: preflight}, 204, false},
		{request{Method: "OPTIONS", Path: "/admin/reset", Header: preflight}, 204, false},
		{get("/healthz"), 200, false},
		{get("/"), 200, false},
		{get("/docs/"), 200, false},
		{get("/openapi.json"), 200, false},
		{get("/admin/openapi.yaml"), 200, false},
		{get("/admin/sandboxes"), 200, false},
		{put("/admin/sandboxes/default", ""), 200, false},
		{drop("/admin/sandboxes/none"), 404, false},
	}
}

// TestWhoMakesASandbox checks that only operations of the service and admin writes create a
// sandbox.
func TestWhoMakesASandbox(t *testing.T) {
	t.Parallel()
	for _, k := range knocks() {
		t.Run(k.Method+" "+k.Path, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Do(t, behind("ada", k.request)).Expect(t, k.status, "")
			want := []string{"default"}
			if k.makes {
				want = []string{"ada", "default"}
			}
			if diff := cmp.Diff(want, w.Names()); diff != "" {
				t.Errorf("sandboxes, -want +got:\n%s", diff)
			}
		})
	}
}

// TestInjectedAnswersMakeASandbox checks that an authorized request creates its sandbox even if a
// rate limit, a fault or a sunset refuses it.
func TestInjectedAnswersMakeASandbox(t *testing.T) {
	t.Parallel()
	for status, config := range map[int]func(*handlers.Config){
		503: func(c *handlers.Config) { c.ErrorRate = 1 },
		410: func(c *handlers.Config) { c.EnforceSunset = true; at(config.DefaultSunset())(c) },
	} {
		w := newWorld(t, config)
		w.Do(t, behind("ada", request{Method: "GET", Path: "/pets/1"})).Expect(t, status, "")
		if diff := cmp.Diff([]string{"ada", "default"}, w.Names()); diff != "" {
			t.Errorf("sandboxes after a %d, -want +got:\n%s", status, diff)
		}
	}
}

// TestRequestsWithoutOperationAreJournalled checks that such requests are recorded if their
// sandbox exists.
func TestRequestsWithoutOperationAreJournalled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Get(t, "/sandboxes/ada/nope")
	w.Get(t, "/sandboxes/ada/pets")
	w.Get(t, "/sandboxes/ada/nope")
	const want = "1 GET /pets = 200\n2 GET /nope = 404\nmatched 2, dropped 0, oldest 1\n"
	if got := journalOf(t, w.Get(t, "/sandboxes/ada/admin/requests")).String(); got != want {
		t.Errorf("requests are\n%swant\n%s", got, want)
	}
}

// speaksTo reports whether an operation concerns the sandbox of its request.
func speaksTo(op *rest.Operation) bool {
	return op.ID != "" && op.Kind != rest.Health && !slices.ContainsFunc([]string{"/admin/sandboxes", "/admin/template", "/admin/workshop", "/join", "/metrics", "/mcp"},
		func(wide string) bool { return strings.HasPrefix(op.Path, wide) })
}

// anyRequest returns a request to the operation.
func anyRequest(op *rest.Operation) request {
	path := strings.NewReplacer("{petId}", "1", "{categoryId}", "1", "{orderId}", "1", "{messageId}", "1", "{faultId}", "1",
		"{snapshotName}", "one", "{operationId}", "getPet").Replace(op.Path)
	r := request{Method: op.Method, Path: path}
	if op.Kind == rest.Private {
		r.Header = demoKey
	}
	return r
}

// TestAdminReadsOfNoSandbox checks that admin reads of a missing sandbox return 404.
func TestAdminReadsOfNoSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, op := range w.Server.Table() {
		if !speaksTo(&op) || op.Kind != rest.Admin || op.Method != http.MethodGet {
			continue
		}
		a := w.Do(t, behind("Ada%20L", anyRequest(&op)))
		a.Expect(t, 404, "unknown_sandbox")
		a.ExpectHeader(t, "X-Sandbox")
		if p := a.Problem(t); !strings.Contains(p.Message, "PUT /admin/sandboxes/Ada%20L") {
			t.Errorf("the message does not say how to make it: %s", p.Message)
		}
	}
	w.Get(t, "/admin").Expect(t, 200, "")
	if diff := cmp.Diff([]string{"default"}, w.Names()); diff != "" {
		t.Errorf("sandboxes, -want +got:\n%s", diff)
	}
}

// TestWhatUsesASandbox checks that exactly the requests that can create a sandbox reset its idle
// time.
func TestWhatUsesASandbox(t *testing.T) {
	t.Parallel()
	config, pass := movable()
	w := newWorld(t, config)
	lastUsed := func() time.Time {
		var list []admin.Sandbox
		w.Get(t, "/admin/sandboxes").Decode(t, &list)
		return list[0].LastUsedAt
	}
	reads := []knock{{request{Method: "GET", Path: "/admin"}, 200, false}, {request{Method: "GET", Path: "/admin/requests"}, 200, false}}
	w.Must(t, put("/admin/sandboxes/ada", ""))
	for _, k := range append(knocks(), reads...) {
		before := lastUsed()
		pass(time.Minute)
		w.Do(t, behind("ada", k.request)).Expect(t, k.status, "")
		if used := lastUsed().After(before); used != k.makes {
			t.Errorf("%s %s uses the sandbox: %t, want %t", k.Method, k.Path, used, k.makes)
		}
	}
}

// TestExplicitSandboxes checks that only explicit requests create a sandbox, and that all other
// requests to a missing one return an error.
func TestExplicitSandboxes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.ExplicitSandboxes = true })
	for _, op := range w.Server.Table() {
		if !speaksTo(&op) || op.Makes { // a world creates its sandbox: see TestWorldMakesItsSandbox
			continue
		}
		a := w.Do(t, behind("ada", anyRequest(&op)))
		a.Expect(t, 404, "unknown_sandbox")
		a.ExpectHeader(t, "X-Sandbox")
		if p := a.Problem(t); !strings.Contains(p.Message, "PUT /admin/sandboxes/ada") {
			t.Errorf("the message does not say how to make it: %s", p.Message)
		}
	}
	for _, k := range knocks() { // those that succeed for any name
		if !k.makes && k.status < 300 {
			w.Do(t, behind("ada", k.request)).Expect(t, k.status, "")
		}
	}
	if diff := cmp.Diff([]string{"default"}, w.Names()); diff != "" {
		t.Errorf("sandboxes, -want +got:\n%s", diff)
	}
	w.Must(t, inSandbox("ada", put("/admin/sandboxes/ada", ""))).Expect(t, 201, "")
	w.Must(t, post("/sandboxes/ada/pets", newPet))
	w.Must(t, post("/sandboxes/eve/admin/sandboxes/ada/fork", `{"name": "eve"}`))
	w.Get(t, "/sandboxes/eve/pets/7").Expect(t, 200, "")
	w.Get(t, "/pets").Expect(t, 200, "")
	w.Must(t, drop("/admin/sandboxes/ada"))
	w.Get(t, "/sandboxes/ada/pets").Expect(t, 404, "unknown_sandbox")
}
