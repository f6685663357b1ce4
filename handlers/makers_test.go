package handlers_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	"example.com/petstore/handlers/rest"
)

// knock is a request to a sandbox, and whether it makes one that is not there.
type knock struct {
	request
	status int
	makes  bool
}

func knocks() []knock {
	preflight := http.Header{"Origin": {"http://localhost"}, "Access-Control-Request-Method": {"PUT"}}
	return []knock{
		{get("/pets"), 200, true},
		{request{method: "HEAD", path: "/pets"}, 200, true},
		{get("/pets/99"), 404, true},
		{get("/pets?limit=0"), 400, true},
		{request{method: "GET", path: "/pets", header: prefer("code=503")}, 503, true},
		{post("/pets", newPet), 201, true},
		{post("/pets", "{"), 400, true},
		{get("/messages"), 401, false},
		{request{method: "GET", path: "/messages", header: demoKey}, 200, true},
		{request{method: "POST", path: "/admin/reset"}, 200, true},
		{put("/admin/clock", `{"frozen": true}`), 200, true},
		{put("/admin/clock", `{"frozen": 7}`), 400, true},
		{request{method: "POST", path: "/admin/reset", header: http.Header{"Origin": {"http://evil.example"}}}, 403, false},
		{get("/nope"), 404, false},
		{get("/admin/nope"), 404, false},
		{post("/pets/1", newPet), 405, false},
		{request{method: "OPTIONS", path: "/pets"}, 204, false},
		{request{method: "OPTIONS", path: "/pets", header: preflight}, 204, false},
		{request{method: "OPTIONS", path: "/admin/reset", header: preflight}, 204, false},
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

// behind is the request to the sandbox of the name, by path.
func behind(name string, r request) request {
	r.path = "/sandboxes/" + name + r.path
	return r
}

// TestWhoMakesASandbox wants it to be who an operation of the service answers, and
// who writes by admin.
func TestWhoMakesASandbox(t *testing.T) {
	t.Parallel()
	for _, k := range knocks() {
		t.Run(k.method+" "+k.path, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.do(t, behind("ada", k.request)).expect(t, k.status, "")
			want := []string{"default"}
			if k.makes {
				want = []string{"ada", "default"}
			}
			if diff := cmp.Diff(want, w.sandboxes(t)); diff != "" {
				t.Errorf("sandboxes, -want +got:\n%s", diff)
			}
		})
	}
}

// TestInjectedAnswersMakeASandbox: who is let in and then refused by a rate limit, a
// fault or a sunset has been answered by the operation.
func TestInjectedAnswersMakeASandbox(t *testing.T) {
	t.Parallel()
	for status, config := range map[int]func(*handlers.Config){
		503: func(c *handlers.Config) { c.ErrorRate = 1 },
		410: func(c *handlers.Config) { c.EnforceSunset = true; at(handlers.DefaultSunset())(c) },
	} {
		w := newWorld(t, config)
		w.do(t, behind("ada", request{method: "GET", path: "/pets/1"})).expect(t, status, "")
		if diff := cmp.Diff([]string{"ada", "default"}, w.sandboxes(t)); diff != "" {
			t.Errorf("sandboxes after a %d, -want +got:\n%s", status, diff)
		}
	}
}

// TestUnroutedRequestsAreJournalled where their sandbox is there.
func TestUnroutedRequestsAreJournalled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.get(t, "/sandboxes/ada/nope")
	w.get(t, "/sandboxes/ada/pets")
	w.get(t, "/sandboxes/ada/nope")
	const want = "1 GET /pets = 200\n2 GET /nope = 404\nmatched 2, dropped 0, oldest 1\n"
	if got := w.get(t, "/sandboxes/ada/admin/requests").journal(t).String(); got != want {
		t.Errorf("requests are\n%swant\n%s", got, want)
	}
}

// speaksTo reports whether an operation is about the sandbox of its request.
func speaksTo(op *rest.Operation) bool {
	return op.ID != "" && op.Kind != rest.Health && !strings.HasPrefix(op.Path, "/admin/sandboxes")
}

// anyRequest is a request to the operation.
func anyRequest(op *rest.Operation) request {
	path := strings.NewReplacer("{petId}", "1", "{categoryId}", "1", "{orderId}", "1", "{messageId}", "1", "{faultId}", "1",
		"{snapshotName}", "one", "{operationId}", "getPet").Replace(op.Path)
	r := request{method: op.Method, path: path}
	if op.Kind == rest.Private {
		r.header = demoKey
	}
	return r
}

// TestAdminReadsOfNoSandbox wants them to be told that it is not there.
func TestAdminReadsOfNoSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, op := range w.server.Table() {
		if !speaksTo(&op) || op.Kind != rest.Admin || op.Method != http.MethodGet {
			continue
		}
		a := w.do(t, behind("Ada%20L", anyRequest(&op)))
		a.expect(t, 404, "unknown_sandbox")
		a.expectHeader(t, "X-Sandbox")
		if p := a.problem(t); !strings.Contains(p.Message, "PUT /admin/sandboxes/Ada%20L") {
			t.Errorf("the message does not say how to make it: %s", p.Message)
		}
	}
	w.get(t, "/admin").expect(t, 200, "")
	if diff := cmp.Diff([]string{"default"}, w.sandboxes(t)); diff != "" {
		t.Errorf("sandboxes, -want +got:\n%s", diff)
	}
}

// movable is a configuration whose time a test moves on.
func movable(change ...func(*handlers.Config)) (config func(*handlers.Config), pass func(time.Duration)) {
	var passed atomic.Int64
	config = func(c *handlers.Config) {
		c.Now = func() time.Time { return now.Add(time.Duration(passed.Load())) }
		for _, f := range change {
			f(c)
		}
	}
	return config, func(d time.Duration) { passed.Add(int64(d)) }
}

// TestWhatUsesASandbox wants just what could make a sandbox to keep it from being
// idle.
func TestWhatUsesASandbox(t *testing.T) {
	t.Parallel()
	config, pass := movable()
	w := newWorld(t, config)
	lastUsed := func() time.Time {
		var list []admin.Sandbox
		w.get(t, "/admin/sandboxes").decode(t, &list)
		return list[0].LastUsedAt
	}
	reads := []knock{{request{method: "GET", path: "/admin"}, 200, false}, {request{method: "GET", path: "/admin/requests"}, 200, false}}
	w.must(t, put("/admin/sandboxes/ada", ""))
	for _, k := range append(knocks(), reads...) {
		before := lastUsed()
		pass(time.Minute)
		w.do(t, behind("ada", k.request)).expect(t, k.status, "")
		if used := lastUsed().After(before); used != k.makes {
			t.Errorf("%s %s uses the sandbox: %t, want %t", k.method, k.path, used, k.makes)
		}
	}
}

// TestExplicitSandboxes wants a sandbox to be made by who asks for one alone, and all
// else to be told that it is not there.
func TestExplicitSandboxes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.ExplicitSandboxes = true })
	for _, op := range w.server.Table() {
		if !speaksTo(&op) {
			continue
		}
		a := w.do(t, behind("ada", anyRequest(&op)))
		a.expect(t, 404, "unknown_sandbox")
		a.expectHeader(t, "X-Sandbox")
		if p := a.problem(t); !strings.Contains(p.Message, "PUT /admin/sandboxes/ada") {
			t.Errorf("the message does not say how to make it: %s", p.Message)
		}
	}
	for _, k := range knocks() { // what is answered for any name
		if !k.makes && k.status < 300 {
			w.do(t, behind("ada", k.request)).expect(t, k.status, "")
		}
	}
	if diff := cmp.Diff([]string{"default"}, w.sandboxes(t)); diff != "" {
		t.Errorf("sandboxes, -want +got:\n%s", diff)
	}
	w.must(t, inSandbox("ada", put("/admin/sandboxes/ada", ""))).expect(t, 201, "")
	w.must(t, post("/sandboxes/ada/pets", newPet))
	w.must(t, post("/sandboxes/eve/admin/sandboxes/ada/fork", `{"name": "eve"}`))
	w.get(t, "/sandboxes/eve/pets/7").expect(t, 200, "")
	w.get(t, "/pets").expect(t, 200, "")
	w.must(t, drop("/admin/sandboxes/ada"))
	w.get(t, "/sandboxes/ada/pets").expect(t, 404, "unknown_sandbox")
}
