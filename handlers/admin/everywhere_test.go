package admin_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
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
		must.Equal(t, Outcome{Done: 3, Failed: []Failure{}}, outcomeOf(t, all, step), "%s %s", step.Method, step.Path)
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

// TestEverywhereReportsFailures checks that the outcome lists at most 32 failures.
func TestEverywhereReportsFailures(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for i := range 40 {
		w.Must(t, Put(fmt.Sprintf("/admin/sandboxes/s%02d", i), ""))
	}
	o := outcomeOf(t, w, Post("/admin/snapshots/none/restore", ""))
	if o.Done != 0 || o.Failures != 42 || len(o.Failed) != 32 {
		t.Errorf("%d done, %d of %d failures listed", o.Done, len(o.Failed), o.Failures)
	}
}
