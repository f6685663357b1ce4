package admin_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/store"
)

func sharded(c *handlers.Config) { c.Replica, c.Sharded = "two", true }

func TestSandboxes(t *testing.T) { RunScenarios(t, sandboxScenarios()) }

func sandboxScenarios() []Scenario {
	const path = "/admin/sandboxes/ada"
	ada := []Request{Delete("/sandboxes/ada/pets/1")}
	fork := func(name, body string) Request { return Post("/admin/sandboxes/"+name+"/fork", body) }
	create := func(body string) Request { return Post("/admin/sandboxes", body) }
	lists := func(want ...string) func(*testing.T, *Answer) {
		return func(t *testing.T, a *Answer) {
			t.Helper()
			a.ExpectJSON(t, "["+strings.Join(want, ", ")+"]")
		}
	}
	with := func(name, seed string, c store.Counts, journal int) string {
		return fmt.Sprintf(`{"name": %[1]q, "title": %[1]q, "createdAt": "2026-07-01T12:00:00Z", "lastUsedAt": "2026-07-01T12:00:00Z", "seed": %s, %s,
			"clock": {"now": "2026-07-01T12:00:00Z", "frozen": false, "offsetSeconds": 0}, "faults": 0, "operations": 0, "journal": {"entries": %[4]d, "dropped": 0},
			"writes": %[4]d, "requests": %[4]d, "errors": 0, "keyed": false, "private": false%[5]s}`, name, seed, counts(c), journal,
			strings.Repeat(`, "lastRequest": {"method": "DELETE", "path": "/pets/1", "status": 204}`, journal))
	}
	is := func(name, seed string, pets, orders, journal int) string {
		c := countsWith(pets)
		c.Orders = orders
		return with(name, seed, c, journal)
	}
	fakes := func(seed, pets, orders int) string {
		return with("ada", fmt.Sprint(seed), store.Counts{Pets: pets, Categories: 8, Orders: orders, Inventory: pets},
			0)
	}
	owned := func(sandbox, fields string) string {
		return strings.Replace(sandbox, `"keyed": false, "private": false`, fields, 1)
	}
	bad := func(name string, r Request, status int, code string, fields ...string) Scenario {
		return Refused(name, r, status, code, fields...).After(ada...)
	}
	scenarios := []Scenario{
		{Name: "a page of sandboxes", Request: Get("/admin/sandboxes?limit=1&offset=1&sort=-requests"),
			Before: append(ada, Put("/admin/sandboxes/zoe", "")), Status: 200,
			Check: lists(is("default", "null", 5, 4, 0)), Headers: http.Header{"X-Total-Count": {"3"}, "Link": {
				`</admin/sandboxes?sort=-requests&limit=1&offset=0>; rel="first", ` +
					`</admin/sandboxes?sort=-requests&limit=1&offset=0>; rel="prev", ` +
					`</admin/sandboxes?sort=-requests&limit=1&offset=2>; rel="next", ` +
					`</admin/sandboxes?sort=-requests&limit=1&offset=2>; rel="last"`}}},
		{Name: "sandboxes of an unknown name", Request: Get("/admin/sandboxes?name=unknown"), Before: ada, Status: 200,
			Check: lists()},
		bad("sandboxes of an empty name", Get("/admin/sandboxes?name="), 400, "invalid_parameter", "name"),
		bad("sandboxes of two names", Get("/admin/sandboxes?name=a&name=b"), 400, "invalid_parameter", "name"),
		bad("sandboxes by what they have not", Get("/admin/sandboxes?sort=seed"), 400, "invalid_parameter", "sort"),
		bad("too many sandboxes", Get("/admin/sandboxes?limit=1001&offset=-1"), 400, "invalid_parameter", "limit",
			"offset"),
		{Name: "a page with the same tag", Request: Get("/admin/sandboxes").With("If-None-Match", "*"), Status: 304},
		Answered("one sandbox", Get(path), 200, is("ada", "null", 4, 4, 1)).After(ada...),
		Answered("one sandbox whose lifecycle is its own", Get("/admin/sandboxes/default"), 200,
			strings.Replace(is("default", "null", 5, 4, 0), `"operations": 0`, `"operations": 1`, 1)).
			After(SetLifecycle("listPets", `{"stability": "beta"}`)),
		bad("one missing sandbox", Get("/admin/sandboxes/bob"), 404, "not_found"),
		bad("one sandbox of an invalid name", Get("/admin/sandboxes/*"), 400, "invalid_parameter", "sandboxName"),
		Answered("make what is there", Put(path, `{"key": null}`), 200, is("ada", "null", 4, 4, 1)).After(ada...),
		Answered("make anew", Put(path, `{"pets": 6}`),
			200, fakes(3, 6, 2)).After(Put(path, `{"seed": 3, "pets": 4, "orders": 2}`),
			Delete("/sandboxes/ada/pets/1")),
		Answered("make fresh", Put(path, `{"fresh": true}`), 201, is("ada", "null", 5, 4, 0)),
		Answered("make fresh what has other data", Put(path, `{"fresh": true}`),
			200, is("ada", "null", 5, 4, 0)).After(append(ada, Put(path, `{"seed": 3, "pets": 4}`))...),
		Answered("make fresh with a size", Put(path, `{"fresh": true, "pets": 6}`),
			200, fakes(1, 6, 50)).After(Put(path, `{"seed": 3, "orders": 2}`)),
		Answered("make not fresh", Put(path, `{"fresh": false, "pets": 6}`),
			200, fakes(3, 6, 2)).After(Put(path, `{"seed": 3, "orders": 2}`)),
		Answered("make with a key", Put(path, `{"key": "sesame"}`),
			201, owned(is("ada", "null", 5, 4, 0), `"keyed": true, "key": "sesame", "private": false`)),
		Answered("give a key to what there is", Put(path, `{"key": "sesame"}`),
			200, owned(is("ada", "null", 4, 4, 1), `"keyed": true, "key": "sesame", "private": false`)).After(ada...),
		Answered("make private what has a key", Put(path, `{"private": true}`),
			200, owned(is("ada", "null", 4, 4, 1), `"keyed": true, "private": true`)).
			After(append(ada, Put(path, `{"key": "sesame"}`))...),
		Answered("take a key away", Put(path, `{"key": ""}`),
			200, is("ada", "null", 4, 4, 1)).After(append(ada, Put(path, `{"key": "sesame", "private": true}`))...),
		Answered("make what has a key", Put(path, ""),
			200, owned(is("ada", "null", 4, 4, 1), `"keyed": true, "private": false`)).
			After(append(ada, Put(path, `{"key": "sesame"}`))...),
		Answered("make fresh what has a key", Put(path, `{"fresh": true}`),
			200, owned(is("ada", "null", 5, 4, 0), `"keyed": true, "private": true`)).
			After(append(ada, Put(path, `{"key": "sesame", "private": true}`))...),
		{Name: "make private", Request: Put(path, `{"private": true}`), Status: 201,
			Check: func(t *testing.T, a *Answer) {
				var created struct{ Key string }
				a.Decode(t, &created)
				a.ExpectJSON(t,
					owned(is("ada", "null", 5, 4, 0), `"keyed": true, "private": true, "key": "`+created.Key+`"`))
				if len(created.Key) < 20 {
					t.Errorf("the key can be guessed: %q", created.Key)
				}
			}},
		bad("make private without a key", Put(path, `{"private": true, "key": ""}`), 400, "validation_failed", "/key"),
		bad("create with a key that is no header value", Put(path, `{"key": "two words"}`), 400, "validation_failed",
			"/key"),
		bad("make with a long key", Put(path, `{"key": "`+strings.Repeat("k", 201)+`"}`), 400, "validation_failed",
			"/key"),
		bad("make with a key of a wrong type", Put(path, `{"key": 7, "private": "yes"}`), 400, "validation_failed",
			"/key", "/private"),
		bad("reset does not take fresh", Post("/admin/reset", `{"fresh": true}`), 400, "validation_failed", "/fresh"),
		bad("make with wrong types", Put(path, `{"pets": "many", "dogs": 4}`), 400, "validation_failed", "/pets",
			"/dogs"),
		bad("create with a negative size", Put(path, `{"pets": -4}`), 400, "validation_failed", "/pets"),
		bad("make with too much", Put(path, `{"pets": 2000000}`), 507, "sandbox_full"),
		{Name: "create", Request: create(`{"key": "sesame"}`), Status: 201, Check: func(t *testing.T, a *Answer) {
			var made struct{ Name string }
			a.Decode(t, &made)
			a.ExpectJSON(t, owned(is(made.Name, "null", 5, 4, 0), `"keyed": true, "key": "sesame", "private": false`))
			a.ExpectHeader(t, "Location", "/admin/sandboxes/"+made.Name)
		}},
		{Name: "create with other data", Request: create(`{"seed": 3, "pets": 4, "orders": 2}`), Status: 201,
			Check: func(t *testing.T, a *Answer) {
				var made struct{ Name string }
				a.Decode(t, &made)
				a.ExpectJSON(t, strings.ReplaceAll(fakes(3, 4, 2), `"ada"`, `"`+made.Name+`"`))
			}},
		bad("create with wrong types", create(`{"pets": "many", "dogs": 4}`), 400, "validation_failed", "/pets",
			"/dogs"),
		bad("create with too much", create(`{"pets": 2000000}`), 507, "sandbox_full"),
		Refused("create after the day", create(""), 409, "conflict").On(workshop).
			After(Post("/admin/workshop/end", "")),
		Refused("make on another replica", Put("/admin/sandboxes/ada.one", ""), 404, "unknown_sandbox").On(sharded),
		Refused("fork to another replica", fork("ada.two", `{"name": "ada.one"}`),
			404, "unknown_sandbox").On(sharded).After(Put("/admin/sandboxes/ada.two", "")),
		{Name: "drop the sandbox of the request", Before: ada, Request: Delete("/sandboxes/ada" + path), Status: 204,
			Headers: http.Header{"X-Sandbox": {"ada"}}},
		{Name: "fork by a prefix", Request: Post("/sandboxes/ada/admin/sandboxes/default/fork", `{"name": "eve"}`),
			Status: 201, Want: is("eve", "null", 5, 4, 0),
			Headers: http.Header{"Location": {"/sandboxes/ada/admin/sandboxes/eve"}}},
		{Name: "fork as of a request", Before: []Request{Delete("/pets/1"), Delete("/pets/2")},
			Request: fork("default", `{"name": "eve", "at": 1}`), Status: 201,
			Check: func(t *testing.T, a *Answer) {
				var made admin.Sandbox
				a.Decode(t, &made)
				if made.Name != "eve" || made.Counts.Pets != 4 {
					t.Errorf("the copy as of the first of two deletions is %s with %d pets, want eve with 4", made.Name,
						made.Counts.Pets)
				}
			}},
		bad("fork as of no request", fork("default", `{"name": "eve", "at": 1}`), 404, "not_found"),
		bad("fork as of request 0", fork("default", `{"name": "eve", "at": 0}`), 400, "validation_failed", "/at"),
		Refused("fork as of a request that undo took back", fork("default", `{"name": "eve", "at": 1}`),
			410, "history_gone").After(Delete("/pets/1"), Post("/admin/undo", "")),
		bad("fork to itself", fork("ada", `{"name": "ada"}`), 409, "conflict"),
		bad("fork to a bad name", fork("ada", `{"name": "*"}`), 400, "validation_failed", "/name"),
		bad("fork to wrong types", fork("ada", `{"name": 7, "nam": "eve"}`), 400, "validation_failed", "/name", "/nam"),
		bad("fork to nothing", fork("ada", " "), 400, "invalid_json"),
	}
	for _, wrong := range []string{"*", "%2A", "%00", "%FF", strings.Repeat("a", 201)} {
		for _, r := range []Request{Put("/admin/sandboxes/"+wrong, ""), Delete("/admin/sandboxes/" + wrong),
			fork(wrong, `{"name": "eve"}`)} {
			scenarios = append(scenarios, bad(r.Method+" "+wrong, r, 400, "invalid_parameter", "sandboxName"))
		}
	}
	return scenarios
}

// TestSandboxActivity checks that the list shows the activity and the errors of each
// sandbox, until the journal is cleared.
func TestSandboxActivity(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Post("/sandboxes/ada/pets", NewPet))
	w.Do(t, Post("/sandboxes/ada/pets", `{}`)).Expect(t, 400, "validation_failed", "/name", "/categoryId")
	w.Do(t, Get("/sandboxes/ada/nope")).Expect(t, 404, "not_found")
	w.Get(t, "/sandboxes/ada/admin")
	w.Must(t, Post("/sandboxes/ada/admin/data/pets", NewPet))
	type doing struct {
		Name                     string
		Writes, Requests, Errors int
		LastRequest              map[string]any
	}
	list := func() (list []doing) {
		w.Get(t, "/admin/sandboxes?sort=-errors").Decode(t, &list)
		return list
	}
	want := []doing{{"ada", 2, 3, 2, map[string]any{"method": "GET", "path": "/nope", "status": 404.0}},
		{Name: "default"}}
	if diff := cmp.Diff(want, list()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	w.Must(t, Delete("/sandboxes/ada/admin/requests"))
	want[0] = doing{Name: "ada", Writes: 2}
	if diff := cmp.Diff(want, list()); diff != "" {
		t.Errorf("after the journal was cleared, -want +got:\n%s", diff)
	}
}

// TestFreshSandboxOfFixtures replaces the data of a file in a sandbox, also in the default one, and
// checks that a fresh sandbox has the data of the file and keeps it after a reset.
func TestFreshSandboxOfFixtures(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, name := range []string{"default", "ada"} {
		prefix := "/sandboxes/" + name
		w.Must(t, Put("/admin/sandboxes/"+name, `{}`))
		w.Must(t, Put(prefix+"/admin/snapshots/mine", ""))
		w.Must(t, Post(prefix+"/admin/reset", `{"pets": 2}`))
		w.Must(t, Put("/admin/sandboxes/"+name, `{"fresh": true}`))
		w.Must(t, Post(prefix+"/admin/reset", ""))
		a := w.Get(t, prefix+"/admin")
		var summary struct {
			Counts    struct{ Pets int }
			Snapshots int
		}
		a.Decode(t, &summary)
		if summary.Counts.Pets != 5 || summary.Snapshots != 0 {
			t.Errorf("%s: %+v, want the 5 pets of the file and no snapshot", name, summary)
		}
	}
}
