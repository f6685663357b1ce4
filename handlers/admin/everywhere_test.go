package admin_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/store"
)

// everywhere returns the request for all sandboxes.
func everywhere(r Request) Request { return Behind("*", r) }

// outcomeOf makes the request in all sandboxes and returns the outcome.
func outcomeOf(t *testing.T, w *World, r Request) Outcome {
	t.Helper()
	a := w.Do(t, everywhere(r))
	a.Expect(t, 200, "")
	a.ExpectHeader(t, "X-Sandbox")
	if location := a.Header.Get("Location"); r.Method+r.Path != "POST/admin/faults" && location != "" {
		t.Errorf("%s %s has made %s", r.Method, r.Path, location)
	}
	var o Outcome
	a.Decode(t, &o)
	return o
}

// TestEverywhere makes each request to all sandboxes of one server at once, and to each sandbox of
// another server separately. The sandboxes of both servers must stay the same.
func TestEverywhere(t *testing.T) {
	t.Parallel()
	fault := `{"match": {"operationId": "createOrder"}, "status": 503}`
	steps := []Request{
		Put("/admin/snapshots/one", ""),
		Delete("/admin/requests"),
		Post("/admin/undo", ""),
		Post("/admin/snapshots/one/restore", ""),
		SetClock(`{"now": "2031-01-01T00:00:00Z", "frozen": true}`),
		SetLifecycle("listOrders", `{"deprecated": true}`),
		PatchLifecycle("listOrders", `{"sunset": "2032-01-01"}`),
		Post("/admin/faults", fault),
		Put("/admin/faults", "["+fault+","+fault+"]"),
		Delete("/admin/faults/2"),
		Put("/admin/state?baseline=true", `{"categories": [{"id": 1, "name": "Dogs"}]}`),
		Delete("/admin/snapshots/one"),
		Post("/admin/reset", `{"seed": 3, "pets": 4, "categories": 1, "orders": 0}`),
		Post("/admin/reset?only=data", ""),
		Delete("/admin/operations/listOrders"),
		Delete("/admin/clock"),
		Delete("/admin/faults"),
		Post("/admin/reset", ""),
	}
	all, one := NewWorld(t), NewWorld(t)
	for _, w := range []*World{all, one} {
		for _, name := range []string{"default", "ada", "bob"} {
			w.Must(t, InSandbox(name, Delete("/pets/1")))
		}
	}
	for _, step := range steps {
		if diff := cmp.Diff(Outcome{Done: 3, Failed: []Failure{}}, outcomeOf(t, all, step)); diff != "" {
			t.Errorf("%s %s, -want +got:\n%s", step.Method, step.Path, diff)
		}
		for _, name := range []string{"default", "ada", "bob"} {
			one.Must(t, InSandbox(name, step))
			for _, path := range []string{"/admin/state", "/admin/snapshots", "/admin/clock", "/admin/operations",
				"/admin/faults"} {
				got, want := all.Get(t, "/sandboxes/"+name+path), one.Get(t, "/sandboxes/"+name+path)
				if diff := cmp.Diff(string(want.Body), string(got.Body)); diff != "" {
					t.Errorf("%s after %s %s: %s, -one +all:\n%s", name, step.Method, step.Path, path, diff)
				}
			}
			requests := func(w *World) string {
				return JournalOf(t, w.Get(t, "/sandboxes/"+name+"/admin/requests")).String()
			}
			if got, want := requests(all), requests(one); got != want {
				t.Errorf("%s after %s %s: the journal is\n%swant\n%s", name, step.Method, step.Path, got, want)
			}
		}
	}
	states := map[any]bool{}
	all.Must(t, everywhere(Put("/admin/state", `{"categories": [{"id": 1, "name": "Dogs"}]}`)))
	for _, sb := range all.Server.Sandboxes().List() {
		states[sb.Store.View()] = true
	}
	if len(states) != 1 {
		t.Errorf("an import made %d states of one file", len(states))
	}
}

// TestEverywhereIncludesLaterSandboxes checks that sandboxes created after a request to all
// sandboxes start with its changes, and are reset as the others are.
func TestEverywhereIncludesLaterSandboxes(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, r := range []Request{
		SetClock(`{"now": "2031-01-01T00:00:00Z", "frozen": true}`),
		SetLifecycle("listOrders", `{"stability": "beta"}`),
		Post("/admin/faults", `{"match": {"operationId": "createOrder"}, "status": 503}`),
		Put("/admin/snapshots/one", ""), Put("/admin/state", `{"categories": [{"id": 1, "name": "Dogs"}]}`),
	} {
		outcomeOf(t, w, r)
	}
	pets := func(want int, when string) {
		t.Helper()
		if got := summaryOf(t, w, "/sandboxes/late").Counts.Pets; got != want {
			t.Errorf("%s the later sandbox has %d pets, want %d", when, got, want)
		}
	}
	late := func(path string) *Answer { return w.Get(t, "/sandboxes/late/admin"+path) }
	w.Must(t, Put("/admin/sandboxes/late", ""))
	pets(0, "with the data that all got")
	w.Must(t, Post("/sandboxes/late/admin/snapshots/one/restore", ""))
	pets(5, "with the snapshot that all have")
	w.Must(t, Put("/sandboxes/late/store/inventory/1", `{"quantity": 77}`))
	w.Must(t, Post("/sandboxes/late/admin/reset", ""))
	pets(5, "after a reset")
	late("/clock").ExpectJSON(t, `{"now": "2031-01-01T00:00:00Z", "frozen": true, "offsetSeconds": 142084800}`)
	w.Get(t, "/sandboxes/late/store/inventory/1").ExpectJSON(t, `{"petId": 1, "quantity": 3, "status": "available"}`)
	var operations []admin.OperationStatus
	late("/operations").Decode(t, &operations)
	changed := slices.DeleteFunc(operations, func(op admin.OperationStatus) bool { return !op.Changed })
	var faults []any
	late("/faults").Decode(t, &faults)
	if len(changed) != 1 || len(faults) != 1 {
		t.Errorf("the later sandbox has %v, %v", changed, faults)
	}
	template := func(rest string) {
		t.Helper()
		w.Get(t, "/admin/template").ExpectJSON(t,
			`{"from": null, "takenAt": "2026-07-01T12:00:00Z", "seed": null, `+rest+`}`)
	}
	template(`"faults": 1, "rules": [{"id": 1, "applied": 0, "match": {"operationId": "createOrder"}, ` +
		`"status": 503}], "operations": 1, ` + counts(store.Counts{Categories: 1}) + `,
		"clock": {"now": "2031-01-01T00:00:00Z", "frozen": true, "offsetSeconds": 142084800}, "lifecycles": [{"operationId": "listOrders", "method": "GET",
		"path": "/store/orders", "tag": "Store", "calls": 0, "changed": true, "deprecated": false, "stability": "beta", "enforceSunset": false, "brownout": 0}]`)

	outcomeOf(t, w, Post("/admin/reset?only=data", ""))
	template(`"faults": 1, "rules": [{"id": 1, "applied": 0, "match": {"operationId": "createOrder"}, ` +
		`"status": 503}], "operations": 1, ` + withPets(5) +
		`, "clock": {"now": "2031-01-01T00:00:00Z", "frozen": true, "offsetSeconds": 142084800}, "lifecycles": [{"operationId": "listOrders", "method": "GET",
		"path": "/store/orders", "tag": "Store", "calls": 0, "changed": true, "deprecated": false, "stability": "beta", "enforceSunset": false, "brownout": 0}]`)
	outcomeOf(t, w, Post("/admin/reset", ""))
	template(`"faults": 0, "rules": [], "operations": 0, ` + withPets(5) +
		`, "clock": {"now": "2026-07-01T12:00:00Z", "frozen": false, "offsetSeconds": 0}, "lifecycles": []`)
	outcomeOf(t, w, Delete("/admin/snapshots/one"))
	w.Must(t, Put("/admin/sandboxes/later", ""))
	w.Get(t, "/sandboxes/later/admin/snapshots").ExpectJSON(t, `[]`)
}

// TestEverywhereGivesRulesOneID checks that a new rule has the same id in every sandbox, including
// sandboxes with other rules and later ones, so that one request deletes it.
func TestEverywhereGivesRulesOneID(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	rule := func(status string) Request { return Post("/admin/faults", `{"status": `+status+`}`) }
	for range 3 {
		w.Must(t, InSandbox("ada", rule("500")))
	}
	w.Must(t, InSandbox("ada", Delete("/admin/faults/3")))
	w.Must(t, InSandbox("bob", rule("501")))
	made := w.Do(t, everywhere(rule("503")))
	made.Expect(t, 200, "")
	made.ExpectHeader(t, "Location", "/sandboxes/%2A/admin/faults/4")
	w.Must(t, Put("/admin/sandboxes/late", ""))
	w.Must(t, InSandbox("bob", rule("502")))
	rules := func(want string) {
		t.Helper()
		got := ""
		for _, name := range []string{"default", "ada", "bob", "late"} {
			var list []struct{ ID, Status int }
			w.Get(t, "/sandboxes/"+name+"/admin/faults").Decode(t, &list)
			got += fmt.Sprint(name, list, " ")
		}
		if got != want {
			t.Errorf("the rules are %s, want %s", got, want)
		}
	}
	rules("default[{4 503}] ada[{1 500} {2 500} {4 503}] bob[{1 501} {4 503} {5 502}] late[{4 503}] ")
	if o := outcomeOf(t, w, Delete("/admin/faults/4")); o.Done != 4 || o.Failures != 0 {
		t.Errorf("the rule was deleted in %+v", o)
	}
	rules("default[] ada[{1 500} {2 500}] bob[{1 501} {5 502}] late[] ")
	w.Must(t, InSandbox("bob", rule("506")))
	outcomeOf(t, w, Put("/admin/faults", `[{"id": 5, "status": 503}, {"status": 504}, {"id": 5, "status": 505}]`))
	rules(strings.ReplaceAll("default* ada* bob* late* ", "*", "[{5 503} {7 504} {8 505}]"))
	outcomeOf(t, w, Delete("/admin/faults/7"))
	w.Must(t, Delete("/admin/sandboxes/late"))
	w.Must(t, Put("/admin/sandboxes/late", "")) // begins with the rules of the template
	rules(strings.ReplaceAll("default* ada* bob* late* ", "*", "[{5 503} {8 505}]"))
}

// TestEverywhereAddsRuleConcurrently adds rules to all sandboxes while their owners add rules of
// their own.
func TestEverywhereAddsRuleConcurrently(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	names := []string{"default", "ada", "bob"}
	for _, name := range names[1:] {
		w.Must(t, Put("/admin/sandboxes/"+name, ""))
	}
	answers := w.InParallel(t, 60, func(i int) Request {
		if i%6 == 0 {
			return everywhere(Post("/admin/faults", `{"status": 503}`))
		}
		return InSandbox(names[i%3], Post("/admin/faults", `{"status": 500}`))
	})
	for i, a := range answers {
		if i%6 != 0 {
			a.Expect(t, 201, "")
			continue
		}
		var o Outcome
		a.Decode(t, &o)
		if o.Done != 3 {
			t.Errorf("a rule was made in %+v", o)
		}
		id := strings.TrimPrefix(a.Header.Get("Location"), "/sandboxes/%2A")
		if o := outcomeOf(t, w, Delete(id)); o.Done != 3 || o.Failures != 0 {
			t.Errorf("%s was deleted in %+v", id, o)
		}
	}
	for _, name := range names {
		var list []struct{ Status int }
		w.Get(t, "/sandboxes/"+name+"/admin/faults").Decode(t, &list)
		if slices.ContainsFunc(list, func(r struct{ Status int }) bool { return r.Status != 500 }) {
			t.Errorf("%s has %v", name, list)
		}
	}
}

// TestEverywhereReportsFailures checks that the request succeeds or fails in each sandbox separately,
// and that the outcome lists at most 32 failures.
func TestEverywhereReportsFailures(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Delete("/sandboxes/ada/pets/1"))
	o := outcomeOf(t, w, Post("/admin/undo", ""))
	if o.Done != 1 || o.Failures != 1 || o.Failed[0].Sandbox != "default" || o.Failed[0].Error.Code != "conflict" {
		t.Errorf("undo = %+v", o)
	}
	o = outcomeOf(t, w, Delete("/admin/faults/7"))
	if o.Done != 0 || o.Failures != 3 || o.Failed[0].Sandbox != "*" || o.Failed[0].Error.Code != "not_found" {
		t.Errorf("of a fault that is not there = %+v", o)
	}
	for i := range 40 {
		w.Must(t, Put(fmt.Sprintf("/admin/sandboxes/s%02d", i), ""))
	}
	o = outcomeOf(t, w, Post("/admin/snapshots/none/restore", ""))
	if o.Done != 0 || o.Failures != 43 || len(o.Failed) != 32 {
		t.Errorf("%d done, %d of %d failures listed", o.Done, len(o.Failed), o.Failures)
	}
	before := w.Everything(t)
	o = outcomeOf(t, w, Post("/admin/reset", `{"pets": -1}`))
	if o.Failures != 43 || cmp.Diff(before, w.Everything(t)) != "" {
		t.Errorf("a bad body = %d failures, or has changed something", o.Failures)
	}
}

// TestEverywhereNeedsAdminKey checks that the key of a sandbox is refused, and so are requests
// that do not support all sandboxes.
func TestEverywhereNeedsAdminKey(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.AdminKey = "root" })
	root := func(r Request) Request { return r.WithKey("root") }
	w.Must(t, root(Put("/admin/sandboxes/default", `{"key": "own"}`)))
	before := w.Everything(t)
	reset := everywhere(Post("/admin/reset?only=clock", ""))
	w.Do(t, reset).Expect(t, 401, "unauthorized")
	w.Do(t, reset.WithKey("own")).Expect(t, 403, "forbidden")
	for _, r := range []Request{
		Get("/admin"), Get("/admin/faults"), Get("/admin/state"), Get("/pets"),
		Put("/admin/sandboxes/ada", ""), Put("/admin/template", `{"from": "default"}`), Delete("/pets/1"),
		Get("/admin/requests"),
	} {
		w.Do(t, root(everywhere(r))).Expect(t, 400, "invalid_parameter", "sandbox")
	}
	w.Do(t, root(InSandbox("ada", everywhere(Post("/admin/reset", ""))))).Expect(t, 400, "invalid_parameter", "sandbox")
	w.Do(t, root(everywhere(Post("/admin/reset?onyl=data", "")))).Expect(t, 400, "invalid_parameter", "onyl")
	w.Do(t, root(everywhere(Patch("/admin/reset", "")))).Expect(t, 405, "method_not_allowed")
	w.Do(t, root(everywhere(Get("/admin/nope")))).Expect(t, 404, "not_found")
	w.Do(t, root(everywhere(Textual(Post("/admin/undo", `{}`))))).Expect(t, 415, "unsupported_media_type")
	if diff := cmp.Diff(before, w.Everything(t)); diff != "" {
		t.Errorf("something has changed: %s", diff)
	}
}

// TestEverywhereResetsLaterSandboxes checks that a reset of all sandboxes includes those created
// since a change of all, and changes the state to which they reset from then on.
func TestEverywhereResetsLaterSandboxes(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	outcomeOf(t, w, Post("/admin/faults", `{"match": {"operationId": "createOrder"}, "status": 503}`))
	outcomeOf(t, w, SetClock(`{"now": "2031-01-01T00:00:00Z", "frozen": true}`))
	w.Must(t, Put("/admin/sandboxes/late", ""))
	usual := func(when string) {
		t.Helper()
		if s := summaryOf(t, w, "/sandboxes/late"); s.Faults != 0 || s.Clock.Frozen {
			t.Errorf("%s the later sandbox has %d faults and the clock %+v", when, s.Faults, s.Clock)
		}
	}
	outcomeOf(t, w, Post("/admin/reset?only=clock,faults", ""))
	usual("after a reset of all")
	w.Must(t, Post("/sandboxes/late/admin/reset", ""))
	usual("after its own reset")

	outcomeOf(t, w, Post("/admin/faults", `{"match": {"operationId": "createOrder"}, "status": 503}`))
	w.Must(t, Put("/admin/sandboxes/late", `{"fresh": true}`))
	outcomeOf(t, w, Delete("/admin/faults"))
	w.Must(t, Post("/sandboxes/late/admin/reset", ""))
	usual("after all faults are cleared")
}
