package handlers_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	"example.com/petstore/store"
)

func TestState(t *testing.T) { runScenarios(t, stateScenarios()) }

func stateScenarios() []scenario {
	get := func(path string) request { return request{method: "GET", path: path} }
	const path, undoPath = "/admin/state", "/admin/undo"
	const fish = `{"categories": [{"id": 9, "name": "Fish"}]}`
	crowded := `{"categories": [{"id": 1, "name": "Fish"}`
	for id := 2; id <= 15; id++ {
		crowded += fmt.Sprintf(`, {"id": %d, "name": "Fish"}`, id)
	}
	crowded += "]}"
	full := func(c *handlers.Config) { c.MaxRecords = 1 } // over the baseline's 13
	oneCategory := func(s *admin.Summary) { s.Counts, s.Undoable = store.Counts{Categories: 1}, 1 }
	one := func(s *admin.Summary) { s.Journal.Entries = 1 }
	bad := func(name string, r request, status int, code string, fields ...string) scenario {
		return scenario{name: name, request: r, status: status, code: code, fields: fields}
	}
	nothing := `{"added": [], "changed": [], "removed": []}`
	noMessage := `{"added": [], "changed": [], "removed": [{"id": 1, "message": "Is Rex still there?", "createdAt": "2025-03-14T09:30:00Z"}]}`
	return []scenario{
		{name: "export", request: get(path), status: 200, check: func(t *testing.T, a *answer) {
			want, err := fixtures.Encode(baseline())
			if err != nil || string(a.body) != string(want) {
				t.Errorf("%v, export is\n%swant\n%s", err, a.body, want)
			}
		}},
		{name: "import", request: put(path, fish), status: 200, check: sums(oneCategory)},
		{name: "import as a baseline", request: put(path+"?baseline=true", fish), status: 200, check: sums(oneCategory)},
		{name: "import of a baseline larger than all", request: put(path+"?baseline=true", crowded), config: full, status: 200,
			check: sums(func(s *admin.Summary) { s.Counts, s.Undoable = store.Counts{Categories: 15}, 1 })},
		bad("import as something", put(path+"?baseline=yes", fish), 400, "invalid_parameter", "baseline"),
		bad("import as nothing", put(path+"?baseline=", fish), 400, "invalid_parameter", "baseline"),
		bad("import of dogs", put(path, `{"dogs": []}`), 400, "validation_failed", "/dogs"),
		bad("import of no JSON", put(path, `{"pets": [`), 400, "invalid_json"),
		bad("import of text", textual(put(path, `{}`)), 415, "unsupported_media_type"),
		{name: "import of too much", request: put(path, crowded), config: full, status: 507, code: "sandbox_full"},

		{name: "diff", request: get(path + "/diff"), status: 200,
			want: fmt.Sprintf(`{"categories": %[1]s, "pets": %[1]s, "inventory": %[1]s, "orders": %[1]s, "messages": %[1]s}`, nothing)},
		{name: "diff from a snapshot", request: get(path + "/diff?from=one"), status: 200,
			before: []request{put(path, `{"messages": [{"id": 1, "message": "Is Rex still there?", "createdAt": "2025-03-14T09:30:00Z"}]}`), put("/admin/snapshots/one", ""), put(path, `{}`)},
			want:   fmt.Sprintf(`{"categories": %[1]s, "pets": %[1]s, "inventory": %[1]s, "orders": %[1]s, "messages": %[2]s}`, nothing, noMessage)},
		bad("diff from no snapshot", get(path+"/diff?from=nope"), 404, "not_found"),
		bad("diff from no name", get(path+"/diff?from=Not%20one"), 400, "invalid_parameter", "from"),
		bad("diff from nothing", get(path+"/diff?from="), 400, "invalid_parameter", "from"),

		{name: "undo", request: post(undoPath, ""), before: []request{drop("/pets/1"), drop("/pets/2")}, status: 200,
			check: sums(func(s *admin.Summary) { s.Counts.Pets, s.Counts.Inventory, s.Undoable, s.Journal.Entries = 4, 4, 1, 2 })},
		{name: "undo of two", request: post(undoPath, `{"steps": 2}`), before: []request{drop("/pets/1"), drop("/pets/2")}, status: 200,
			check: sums(func(s *admin.Summary) { s.Journal.Entries = 2 })},
		{name: "undo of null", request: post(undoPath, `{"steps": null}`), before: []request{drop("/pets/1")}, status: 200, check: sums(one)},
		{name: "undo, chunked and empty", request: request{method: "POST", path: undoPath, chunked: true}, before: []request{drop("/pets/1")}, status: 200, check: sums(one)},
		bad("undo of nothing", post(undoPath, ""), 409, "conflict"),
		{name: "undo of too much", request: post(undoPath, `{"steps": 2}`), before: []request{drop("/pets/1")}, status: 409, code: "conflict"},
		bad("undo of no step", post(undoPath, `{"steps": 0}`), 400, "validation_failed", "/steps"),
		bad("undo of half a step", post(undoPath, `{"steps": 0.5, "step": 1}`), 400, "validation_failed", "/steps", "/step"),
		bad("undo of a list", post(undoPath, `[]`), 400, "invalid_json"),
		{name: "undo, chunked, of text", request: request{method: "POST", path: undoPath, chunked: true, body: "x", header: http.Header{"Content-Type": {"text/plain"}}},
			status: 415, code: "unsupported_media_type"},
		bad("undo of text", textual(post(undoPath, `{}`)), 415, "unsupported_media_type"),
	}
}

// TestExportAndImport takes one sandbox's state into another, where it is the same
// byte for byte.
func TestExportAndImport(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(t, post("/sandboxes/ada/pets", newPet))
	w.must(t, drop("/sandboxes/ada/pets/2"))
	exported := w.get(t, "/sandboxes/ada/admin/state")
	exported.expectHeader(t, "Content-Type", "application/json")

	w.do(t, put("/sandboxes/bob/admin/state", string(exported.body))).expect(t, 200, "")
	if diff := cmp.Diff(string(exported.body), string(w.get(t, "/sandboxes/bob/admin/state").body)); diff != "" {
		t.Errorf("exported from bob, -ada +bob:\n%s", diff)
	}
	created := w.must(t, post("/sandboxes/bob/pets", newPet))
	created.expectHeader(t, "Location", "/sandboxes/bob/pets/8") // the counters came along
	w.must(t, post("/sandboxes/bob/admin/reset", ""))
	if got := w.summaryOf(t, "/sandboxes/bob").Counts.Pets; got != 5 {
		t.Errorf("after the reset there are %d pets, want the baseline's 5", got)
	}
}

// TestImportAsBaseline wants a reset to return to what was imported as baseline.
func TestImportAsBaseline(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do(t, put("/admin/state?baseline=true", `{"categories": [{"id": 9, "name": "Fish"}]}`)).expect(t, 200, "")
	w.must(t, post("/categories", `{"name": "Crabs"}`))
	w.must(t, post("/admin/reset", ""))
	w.get(t, "/categories").expectJSON(t, `[{"id": 9, "name": "Fish"}]`)
	if seed := w.summaryOf(t, "").Seed; seed != nil {
		t.Errorf("the seed of imported data is %d, want null", *seed)
	}
}

// badImports are bodies that cannot be imported, each with the fields at fault.
var badImports = []struct {
	name, body, code string
	fields           []string
}{
	{"empty", ``, "unsupported_media_type", nil}, // no body, no Content-Type
	{"blank", ` `, "invalid_json", nil},
	{"broken", `{"pets": [`, "invalid_json", nil},
	{"not JSON", `pets: []`, "invalid_json", nil},
	{"more behind", `{} {}`, "invalid_json", nil},
	{"an array", `[]`, "invalid_json", nil},
	{"null", `null`, "invalid_json", nil},
	{"an unknown part", `{"dogs": []}`, "validation_failed", []string{"/dogs"}},
	{"a part that is no array", `{"pets": {}}`, "validation_failed", []string{"/pets"}},
	{"a record that is no object", `{"pets": [7]}`, "validation_failed", []string{"/pets/0"}},
	{"an unknown field", `{"categories": [{"id": 1, "name": "Dogs", "Name": "Cats"}]}`, "validation_failed", []string{"/categories/0/Name"}},
	{"no id", `{"categories": [{"name": "Dogs"}]}`, "validation_failed", []string{"/categories/0/id"}},
	{"an id of 0", `{"categories": [{"id": 0, "name": "Dogs"}]}`, "validation_failed", []string{"/categories/0/id"}},
	{"an id twice", `{"categories": [{"id": 1, "name": "Dogs"}, {"id": 1, "name": "Cats"}]}`, "validation_failed", []string{"/categories/1/id"}},
	{"an empty name", `{"categories": [{"id": 1, "name": ""}]}`, "validation_failed", []string{"/categories/0/name"}},
	{"a wrong type", `{"categories": [{"id": 1, "name": 7}]}`, "validation_failed", []string{"/categories/0/name"}},
	{"no such category", `{"pets": [{"id": 1, "name": "Rex", "categoryId": 9}]}`, "validation_failed", []string{"/pets/0/categoryId"}},
	{"a bad status", `{"categories": [{"id": 1, "name": "Dogs"}], "pets": [{"id": 1, "name": "Rex", "categoryId": 1, "status": "gone"}]}`, "validation_failed", []string{"/pets/0/status"}},
	{"stock of no pet", `{"inventory": [{"petId": 1, "quantity": 1}]}`, "validation_failed", []string{"/inventory/0/petId"}},
	{"negative stock", `{"categories": [{"id": 1, "name": "Dogs"}], "pets": [{"id": 1, "name": "Rex", "categoryId": 1}], "inventory": [{"petId": 1, "quantity": -1}]}`, "validation_failed", []string{"/inventory/0/quantity"}},
	{"an order of a pet that never was", `{"orders": [{"id": 1, "petId": 4}]}`, "validation_failed", []string{"/orders/0/petId"}},
	{"a bad date", `{"orders": [{"id": 1, "shipDate": "tomorrow"}]}`, "validation_failed", []string{"/orders/0/shipDate"}},
	{"next too small", `{"categories": [{"id": 5, "name": "Dogs"}], "next": {"category": 5}}`, "validation_failed", []string{"/next/category"}},
	{"two faults", `{"categories": [{"id": 1}], "orders": [{"id": 2, "quantity": 0}]}`, "validation_failed", []string{"/categories/0/name", "/orders/0/quantity"}},
}

// TestBadImports wants each named by its place, and nothing changed by any.
func TestBadImports(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := w.state(t)
	for _, bad := range badImports {
		status := 400
		if bad.code == "unsupported_media_type" {
			status = 415
		}
		for _, path := range []string{"/admin/state", "/admin/state?baseline=true"} {
			a := w.do(t, put(path, bad.body))
			if a.status != status {
				t.Errorf("%s = %d %s, want %d", bad.name, a.status, a.body, status)
				continue
			}
			p := a.problem(t)
			if diff := cmp.Diff(bad.fields, p.fields()); p.Code != bad.code || diff != "" {
				t.Errorf("%s: code %s, want %s; fields, -want +got:\n%s%s", bad.name, p.Code, bad.code, diff, a.body)
			}
		}
	}
	if after := w.state(t); after != before {
		t.Errorf("the state has changed to\n%s", after)
	}
	w.must(t, post("/admin/reset", ""))
	if after := w.state(t); after != before {
		t.Errorf("the baseline has changed to\n%s", after)
	}
}

// TestImportLimit wants a state of more than 1 MiB to be taken.
func TestImportLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	state, err := fixtures.Generate(1, fixtures.Sizes{Categories: 10, Pets: 20_000}, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := fixtures.Encode(state)
	if err != nil {
		t.Fatal(err)
	}
	if len(body) < 2<<20 {
		t.Fatalf("the state has only %d bytes", len(body))
	}
	w.do(t, put("/admin/state", string(body))).expect(t, 200, "")
}

// TestDiff wants what differs from the baseline and from a snapshot.
func TestDiff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const nothing = `{"added": [], "changed": [], "removed": []}`
	w.must(t, request{method: "PATCH", path: "/pets/1", body: `{"status": "sold"}`})
	w.must(t, put("/admin/snapshots/sold", ""))
	w.must(t, post("/pets", newPet))
	w.must(t, drop("/pets/3"))
	const (
		bello    = `{"id": 7, "name": "Bello", "categoryId": 1, "status": "available"}`
		armel    = `{"id": 3, "name": "Ärmel", "categoryId": 1, "status": "sold"}`
		newStock = `{"petId": 7, "quantity": 0, "status": "available"}`
		oldStock = `{"petId": 3, "quantity": 0, "status": "sold"}`
	)
	w.get(t, "/admin/state/diff?from=sold").expectJSON(t, fmt.Sprintf(
		`{"categories": %[1]s, "pets": {"added": [%s], "changed": [], "removed": [%s]},
		  "inventory": {"added": [%s], "changed": [], "removed": [%s]}, "orders": %[1]s, "messages": %[1]s}`,
		nothing, bello, armel, newStock, oldStock))

	var diff store.Diff
	w.get(t, "/admin/state/diff").decode(t, &diff)
	want := []store.Change[store.Pet]{{
		Before: store.Pet{ID: 1, Name: "Rex", CategoryID: 1, Status: store.Available},
		After:  store.Pet{ID: 1, Name: "Rex", CategoryID: 1, Status: store.Sold},
	}}
	if d := cmp.Diff(want, diff.Pets.Changed); d != "" {
		t.Errorf("changed pets since the baseline, -want +got:\n%s", d)
	}
}

// TestUndo takes writes back one by one and several at once, ids included, but no
// more than are remembered.
func TestUndo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	states := []string{w.state(t)}
	for _, write := range []request{
		post("/pets", newPet), drop("/pets/7"), put("/store/inventory/1", `{"quantity": 9}`), post("/categories", `{"name": "Fish"}`),
		put("/admin/state", `{}`),
	} {
		w.must(t, write)
		states = append(states, w.state(t))
	}
	w.do(t, post("/pets", `{"name": ""}`)).expect(t, 400, "validation_failed", "/name", "/categoryId") // no write
	w.do(t, post("/admin/undo", `{"steps": 6}`)).expect(t, 409, "conflict")
	w.do(t, post("/admin/undo", `{"steps": 0}`)).expect(t, 400, "validation_failed", "/steps")
	w.do(t, post("/admin/undo", `{"step": 1}`)).expect(t, 400, "validation_failed", "/step")
	if got := w.state(t); got != states[5] {
		t.Errorf("refused undos changed the state to\n%s", got)
	}
	w.must(t, post("/admin/undo", ""))
	if got := w.state(t); got != states[4] {
		t.Errorf("after an undo the state is\n%s", got)
	}
	w.must(t, post("/admin/undo", `{"steps": 3}`))
	if got := w.state(t); got != states[1] {
		t.Errorf("after three more the state is\n%s", got)
	}
	if got := w.summaryOf(t, "").Undoable; got != 1 {
		t.Errorf("%d writes can be taken back, want 1", got)
	}
	w.must(t, post("/admin/reset", ""))
	w.do(t, post("/admin/undo", "")).expect(t, 409, "conflict")
}

// TestUndoIsBounded wants the last 100 writes remembered and no more.
func TestUndoIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range store.HistoryLimit + 5 {
		w.must(t, post("/categories", `{"name": "Fish"}`))
	}
	w.do(t, post("/admin/undo", fmt.Sprintf(`{"steps": %d}`, store.HistoryLimit+1))).expect(t, 409, "conflict")
	w.must(t, post("/admin/undo", fmt.Sprintf(`{"steps": %d}`, store.HistoryLimit)))
	if got := w.summaryOf(t, "").Counts.Categories; got != 3+5 {
		t.Errorf("%d categories are left, want 8", got)
	}
}
