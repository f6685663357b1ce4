package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
)

func TestSandboxes(t *testing.T) { runScenarios(t, sandboxScenarios()) }

func sandboxScenarios() []scenario {
	const path = "/admin/sandboxes/ada"
	list := request{method: "GET", path: "/admin/sandboxes"}
	ada := []request{{method: "DELETE", path: "/sandboxes/ada/pets/1"}}
	fork := func(name, body string) request { return post("/admin/sandboxes/"+name+"/fork", body) }
	tells := func(want ...string) func(*testing.T, *answer) {
		return func(t *testing.T, a *answer) {
			t.Helper()
			a.expectJSON(t, "["+strings.Join(want, ", ")+"]")
		}
	}
	is := func(name, seed string, pets, orders, journal int) string {
		return fmt.Sprintf(`{"name": %[1]q, "title": %[1]q, "createdAt": "2026-07-01T12:00:00Z", "lastUsedAt": "2026-07-01T12:00:00Z", "seed": %s,
			"counts": {"pets": %d, "categories": 3, "orders": %d, "inventory": %[3]d, "messages": 1},
			"clock": {"now": "2026-07-01T12:00:00Z", "frozen": false, "offsetSeconds": 0}, "faults": 0, "journal": {"entries": %[5]d, "dropped": 0}}`,
			name, seed, pets, orders, journal)
	}
	fakes := func(seed, pets, orders int) string {
		return strings.NewReplacer(`"categories": 3`, `"categories": 8`, `"messages": 1`, `"messages": 0`).Replace(is("ada", fmt.Sprint(seed), pets, orders, 0))
	}
	bad := func(name string, r request, status int, code string, fields ...string) scenario {
		return scenario{name: name, before: ada, request: r, status: status, code: code, fields: fields}
	}
	scenarios := []scenario{
		{name: "sandboxes", request: list, status: 200, check: tells(is("default", "null", 5, 4, 0))},
		{name: "sandboxes by name", request: list, before: append(ada, put("/admin/sandboxes/zoe", "")), status: 200,
			check: tells(is("ada", "null", 4, 4, 1), is("default", "null", 5, 4, 0), is("zoe", "null", 5, 4, 0))},
		{name: "make", request: put(path, ""), status: 201, want: is("ada", "null", 5, 4, 0)},
		{name: "make what there is", request: put(path, ""), before: ada, status: 200, want: is("ada", "null", 4, 4, 1)},
		{name: "make with other data", request: put(path, `{"seed": 3, "pets": 4, "orders": 2}`), status: 201, want: fakes(3, 4, 2)},
		{name: "make with default sizes", request: put(path, `{}`), status: 201, want: fakes(1, 100, 50)},
		{name: "make anew", request: put(path, `{"pets": 6}`), before: []request{put(path, `{"seed": 3, "pets": 4, "orders": 2}`), {method: "DELETE", path: "/sandboxes/ada/pets/1"}},
			status: 200, want: fakes(3, 6, 2)},
		bad("make with wrong types", put(path, `{"pets": "many", "dogs": 4}`), 400, "validation_failed", "/pets", "/dogs"),
		bad("make with fewer than none", put(path, `{"pets": -4}`), 400, "validation_failed", "/pets"),
		bad("make with too much", put(path, `{"pets": 2000000}`), 400, "validation_failed"),
		bad("make with a list", put(path, `[]`), 400, "invalid_json"),
		bad("make with text", textual(put(path, `{}`)), 415, "unsupported_media_type"),
		{name: "drop", request: drop(path), before: ada, status: 204},
		{name: "drop the one that is spoken to", before: ada, request: drop("/sandboxes/ada" + path), status: 204, headers: http.Header{"X-Sandbox": {"ada"}}},
		bad("drop what there is not", drop("/admin/sandboxes/bob"), 404, "not_found"),
		bad("drop the default one", drop("/admin/sandboxes/default"), 409, "conflict"),
		{name: "fork", request: fork("ada", `{"name": "eve"}`), before: ada, status: 201, want: is("eve", "null", 4, 4, 0), headers: http.Header{"Location": {"/admin/sandboxes/eve"}}},
		{name: "fork by a prefix", request: post("/sandboxes/ada/admin/sandboxes/default/fork", `{"name": "eve"}`), status: 201, want: is("eve", "null", 5, 4, 0),
			headers: http.Header{"Location": {"/sandboxes/ada/admin/sandboxes/eve"}}},
		bad("fork of what there is not", fork("bob", `{"name": "eve"}`), 404, "not_found"),
		bad("fork to what there is", fork("ada", `{"name": "default"}`), 409, "conflict"),
		bad("fork to itself", fork("ada", `{"name": "ada"}`), 409, "conflict"),
		bad("fork to a bad name", fork("ada", `{"name": "*"}`), 400, "validation_failed", "/name"),
		bad("fork to no name", fork("ada", `{}`), 400, "validation_failed", "/name"),
		bad("fork to wrong types", fork("ada", `{"name": 7, "nam": "eve"}`), 400, "validation_failed", "/name", "/nam"),
		bad("fork to a list", fork("ada", `["eve"]`), 400, "invalid_json"),
		bad("fork to nothing", fork("ada", " "), 400, "invalid_json"),
		bad("fork to text", textual(fork("ada", `{"name": "eve"}`)), 415, "unsupported_media_type"),
	}
	for _, wrong := range []string{"*", "%2A", "%00", "%FF", repeat("a", 201)} {
		for _, r := range []request{put("/admin/sandboxes/"+wrong, ""), drop("/admin/sandboxes/" + wrong), fork(wrong, `{"name": "eve"}`)} {
			scenarios = append(scenarios, bad(r.method+" "+wrong, r, 400, "invalid_parameter", "sandboxName"))
		}
	}
	return scenarios
}

// TestSandboxOfARequest finds it by path or header, and says which it was.
func TestSandboxOfARequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(t, inSandbox("ada", post("/pets", newPet))).expectHeader(t, "Location", "/pets/7")
	w.must(t, post("/sandboxes/bob/pets", newPet)).expectHeader(t, "Location", "/sandboxes/bob/pets/7")
	for _, r := range []request{
		{method: "GET", path: "/sandboxes/ada/pets/7"},
		inSandbox("ada", request{method: "GET", path: "/pets/7"}),
		inSandbox("ada", request{method: "GET", path: "/sandboxes/ada/pets/7"}), // both, and the same
	} {
		a := w.do(t, r)
		a.expect(t, 200, "")
		a.expectHeader(t, "X-Sandbox", "ada")
	}
	a := w.get(t, "/pets/7")
	a.expect(t, 404, "not_found")
	a.expectHeader(t, "X-Sandbox", "default")
	w.do(t, inSandbox("default", request{method: "GET", path: "/pets/1"})).expectHeader(t, "X-Sandbox", "default")
	w.get(t, "/sandboxes/default/nope").expectHeader(t, "X-Sandbox", "default") // an answer like any
}

// TestLinksKeepThePrefix follows what a list and a deprecated operation link to.
func TestLinksKeepThePrefix(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.get(t, "/sandboxes/ada/pets?limit=2&offset=2").expectHeader(t, "Link",
		`</sandboxes/ada/pets?limit=2&offset=0>; rel="first", </sandboxes/ada/pets?limit=2&offset=0>; rel="prev", `+
			`</sandboxes/ada/pets?limit=2&offset=4>; rel="next", </sandboxes/ada/pets?limit=2&offset=4>; rel="last"`)
	w.get(t, "/sandboxes/ada/pets/1").expectHeader(t, "Link",
		`</sandboxes/ada/docs/#/Pets/getPet>; rel="deprecation", </sandboxes/ada/pets?id=1>; rel="successor-version"`)
	w.get(t, "/sandboxes/ada/docs").expectHeader(t, "Location", "/sandboxes/ada/docs/")
	var document struct {
		Servers []struct{ URL string }
	}
	w.get(t, "/sandboxes/ada/openapi.json").decode(t, &document)
	if got := document.Servers[0].URL; got != w.url+"/sandboxes/ada" {
		t.Errorf("the server of ada's document is %s", got)
	}
	for _, path := range []string{"/sandboxes/ada/", "/sandboxes/ada"} {
		a := w.get(t, path)
		a.expect(t, 200, "")
		if !strings.Contains(string(a.body), `"/sandboxes/ada/pets"`) {
			t.Errorf("the index of %s links to %s", path, a.body)
		}
	}
}

// TestSandboxLimit refuses one too many and leaves the others alone.
func TestSandboxLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.MaxSandboxes = 2 })
	w.must(t, inSandbox("ada", post("/pets", newPet)))
	a := w.do(t, inSandbox("bob", post("/pets", newPet)))
	a.expect(t, 503, "sandbox_limit_reached")
	a.expectHeader(t, "X-Sandbox")
	w.do(t, put("/admin/sandboxes/bob", "")).expect(t, 503, "sandbox_limit_reached")
	w.do(t, post("/admin/sandboxes/ada/fork", `{"name": "bob"}`)).expect(t, 503, "sandbox_limit_reached")
	w.do(t, inSandbox("ada", request{method: "GET", path: "/pets/7"})).expect(t, 200, "")
	w.must(t, drop("/admin/sandboxes/ada"))
	w.do(t, inSandbox("bob", post("/pets", newPet))).expect(t, 201, "")
}

// TestSandboxesComeAndGo makes, forks and drops them; nothing that was refused left one.
func TestSandboxesComeAndGo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(t, put("/admin/sandboxes/ada", `{"seed": 3, "pets": 4, "orders": 2}`))
	w.must(t, drop("/sandboxes/ada/pets/1"))
	w.must(t, post("/admin/sandboxes/ada/fork", `{"name": "eve"}`))
	w.must(t, drop("/sandboxes/eve/pets/2"))
	for prefix, pets := range map[string]int{"/sandboxes/ada": 3, "/sandboxes/eve": 2, "": 5} {
		if got := w.summaryOf(t, prefix).Counts.Pets; got != pets {
			t.Errorf("%d pets in %s, want %d", got, prefix, pets)
		}
	}
	for _, r := range []request{
		put("/admin/sandboxes/bob", `{"pets": -4}`), put("/admin/sandboxes/*", ""), put("/admin/sandboxes/bob", `[]`),
		post("/admin/sandboxes/ada/fork", `{"nam": "bob"}`), post("/admin/sandboxes/bob/fork", `{"name": "zoe"}`), drop("/admin/sandboxes/bob"),
		{method: "GET", path: "/admin/sandboxes/bob/fork"}, {method: "GET", path: "/admin/sandboxes/bob"},
	} {
		if a := w.do(t, r); a.status < 400 {
			t.Errorf("%s %s = %d, want it refused", r.method, r.path, a.status)
		}
	}
	if diff := cmp.Diff([]string{"ada", "default", "eve"}, w.sandboxes(t)); diff != "" {
		t.Errorf("sandboxes, -want +got:\n%s", diff)
	}
	w.must(t, drop("/admin/sandboxes/ada"))
	if diff := cmp.Diff([]string{"default", "eve"}, w.sandboxes(t)); diff != "" {
		t.Errorf("sandboxes in the end, -want +got:\n%s", diff)
	}
}

func (w *world) sandboxes(t *testing.T) []string {
	t.Helper()
	var list []admin.Sandbox
	w.get(t, "/admin/sandboxes").decode(t, &list)
	var names []string
	for _, sb := range list {
		names = append(names, sb.Name)
	}
	return names
}
