package handlers_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	"example.com/petstore/store"
)

func TestReset(t *testing.T) { runScenarios(t, resetScenarios()) }

func resetScenarios() []scenario {
	reset := func(query, body string) request { return post("/admin/reset"+query, body) }
	touched := []request{
		drop("/pets/1"), put("/admin/snapshots/one", ""), setClock(`{"now": "2030-01-01T00:00:00Z", "frozen": true}`), post("/admin/faults", `{"status": 418, "times": 1}`),
	}
	later := touched[2]
	bad := func(name string, r request, code string, fields ...string) scenario {
		return scenario{name: name, before: touched, request: r, status: 400, code: code, fields: fields}
	}
	seeded := func(s *admin.Summary) {
		s.Seed, s.Counts = new(uint64(7)), store.Counts{Pets: 3, Categories: 2, Inventory: 3}
	}
	other := `{"seed": 7, "pets": 3, "categories": 2, "orders": 0}`
	kept := func(s *admin.Summary) { s.Snapshots = 1 }
	return []scenario{
		{name: "reset", request: reset("", ""), before: touched, status: 200, check: sums(kept)},
		{name: "reset of all parts", request: reset("?only=data,faults,clock,lifecycle,journal,report,keys,limit,snapshots", ""), before: touched, status: 200, check: sums(nil)},
		{name: "reset of the data", request: reset("?only=data", ""), before: []request{drop("/pets/1"), put("/admin/snapshots/one", "")}, status: 200,
			check: sums(func(s *admin.Summary) { s.Snapshots, s.Journal.Entries = 1, 1 })},
		{name: "reset of the clock", request: reset("?only=clock", ""), before: []request{later}, status: 200, check: sums(nil)},
		{name: "reset of two parts", request: reset("?only=clock,%20snapshots", ""), before: []request{later, put("/admin/snapshots/one", "")}, status: 200, check: sums(nil)},
		{name: "reset to other data", request: reset("", other), before: touched, status: 200,
			check: sums(func(s *admin.Summary) { kept(s); seeded(s) })},
		{name: "reset of the data to other data", request: reset("?only=data", other), status: 200, check: sums(seeded)},
		{name: "reset of a seeded one", request: reset("", ""), config: func(c *handlers.Config) { c.Seed, c.Sizes = new(uint64(0)), new(fixtures.DefaultSizes()) },
			status: 200, check: sums(func(s *admin.Summary) { s.Seed = new(uint64(0)) })},
		{name: "reset without the key", request: reset("", ""), config: func(c *handlers.Config) { c.AdminKey = "secret" }, status: 401, code: "unauthorized"},

		bad("reset of a part that is none", reset("?only=data,dat", ""), "invalid_parameter", "only"),
		bad("reset of an empty part", reset("?only=data,", ""), "invalid_parameter", "only"),
		bad("reset of no part", reset("?only=", ""), "invalid_parameter", "only"),
		bad("reset of parts apart", reset("?only=data&only=clock", ""), "invalid_parameter", "only"),
		bad("reset to other data without data", reset("?only=clock", other), "invalid_parameter", "only"),
		bad("reset to negative seeds", reset("", `{"seed": -1}`), "validation_failed", "/seed"),
		bad("reset to wrong types", reset("", `{"pets": "many", "orders": 1e3, "dogs": 3}`), "validation_failed", "/pets", "/orders", "/dogs"),
		bad("reset to too much", reset("", `{"pets": 1000001}`), "validation_failed"),
		bad("reset to too much in all", reset("", `{"pets": 900000, "orders": 900000}`), "validation_failed"),
		bad("reset to fewer than none", reset("", `{"pets": -1, "orders": -1}`), "validation_failed", "/pets", "/orders"),
		bad("reset to pets without categories", reset("", `{"categories": 0}`), "validation_failed", "/categories"),
		bad("reset to orders without pets", reset("", `{"pets": 0}`), "validation_failed", "/pets"),
		bad("reset to a list", reset("", `[]`), "invalid_json"),
		bad("reset to half a body", reset("", `{"pets": 1`), "invalid_json"),
		{name: "reset to text", request: textual(reset("", `{}`)), before: touched, status: 415, code: "unsupported_media_type"},
	}
}

// TestResetRepeats makes the same calls before and after a reset: same ids, same answers.
func TestResetRepeats(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := w.state(t)
	calls := []request{
		{method: "POST", path: "/categories", body: `{"name": "Fish"}`},
		{method: "POST", path: "/pets", body: `{"name": "Nemo", "categoryId": 5}`},
		{method: "PUT", path: "/store/inventory/7", body: `{"quantity": 3}`},
		{method: "POST", path: "/store/orders", body: `{"petId": 7}`},
		{method: "POST", path: "/messages", header: demoKey, body: `{"message": "Hello"}`},
		{method: "DELETE", path: "/pets/1"},
		{method: "GET", path: "/pets"},
	}
	var first []string
	for _, call := range calls {
		first = append(first, string(w.must(t, call).body))
	}
	w.must(t, post("/admin/reset", ""))
	if diff := cmp.Diff(before, w.state(t)); diff != "" {
		t.Errorf("state after the reset, -before +after:\n%s", diff)
	}
	var second []string
	for _, call := range calls {
		second = append(second, string(w.must(t, call).body))
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("answers, -first +second:\n%s", diff)
	}
	w.server.Sandboxes().Default().Reset() // the same from Go
	if diff := cmp.Diff(before, w.state(t)); diff != "" {
		t.Errorf("state after Reset, -before +after:\n%s", diff)
	}
}

// TestResetToOtherFakes makes a new baseline first; what is left out stays.
func TestResetToOtherFakes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(t, post("/admin/reset", `{"seed": 7, "pets": 12, "orders": 3}`))
	s := w.summaryOf(t, "")
	if want := (store.Counts{Pets: 12, Categories: 8, Orders: 3, Inventory: 12}); s.Counts != want || s.Seed == nil || *s.Seed != 7 {
		t.Errorf("counts %+v, seed %v; want %+v and 7", s.Counts, s.Seed, want)
	}
	state, err := fixtures.Generate(7, fixtures.Sizes{Pets: 12, Categories: 8, Orders: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := fixtures.Encode(state)
	if err != nil {
		t.Fatal(err)
	}
	if got := w.state(t); got != string(want) {
		t.Errorf("the state is not that of Generate:\n%s", got)
	}
	w.must(t, drop("/pets/1"))
	w.must(t, post("/admin/reset", `{"pets": 13}`))
	if s := w.summaryOf(t, ""); s.Counts.Pets != 13 || s.Counts.Orders != 3 || *s.Seed != 7 {
		t.Errorf("with 13 pets, what was left out is %+v", s)
	}
}
