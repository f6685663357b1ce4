package admin_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/store"
)

func TestState(t *testing.T) { RunScenarios(t, stateScenarios()) }

func stateScenarios() []Scenario {
	const path, undoPath = "/admin/state", "/admin/undo"
	const fish = `{"categories": [{"id": 9, "name": "Fish"}]}`
	crowded := `{"categories": [{"id": 1, "name": "Fish"}`
	for id := 2; id <= 15; id++ {
		crowded += fmt.Sprintf(`, {"id": %d, "name": "Fish"}`, id)
	}
	crowded += "]}"
	full := func(c *handlers.Config) { c.MaxRecords = 1 } // in addition to the baseline's 13
	roomy := func(c *handlers.Config) { c.MaxRecords = 2 }
	oneCategory := func(s *admin.Summary) { s.Counts, s.Writes, s.Undoable = store.Counts{Categories: 1}, 1, 1 }
	undone := func(s *admin.Summary) { s.Writes, s.Journal.Entries = 2, 1 }
	bad := func(name string, r Request, status int, code string, fields ...string) Scenario {
		return Scenario{Name: name, Request: r, Status: status, Code: code, Fields: fields}
	}
	noMessage := `{"added": [], "changed": [], "removed": [{"id": 1, "message": "Is Rex still there?", "createdAt": "2025-03-14T09:30:00Z"}]}`
	return []Scenario{
		{Name: "export", Request: Get(path), Status: 200, Check: func(t *testing.T, a *Answer) {
			want, err := fixtures.Encode(Baseline())
			if err != nil || string(a.Body) != string(want) {
				t.Errorf("%v, export is\n%swant\n%s", err, a.Body, want)
			}
		}},
		{Name: "export as of a request", Request: Get(path + "?at=2"), Before: []Request{Delete("/pets/1"), Delete("/pets/2"), Delete("/pets/3")}, Status: 200,
			Check: func(t *testing.T, a *Answer) {
				var state struct{ Pets []struct{ ID int64 } }
				a.Decode(t, &state)
				if len(state.Pets) != 3 || state.Pets[0].ID != 3 {
					t.Errorf("after the second deletion, the pets are %v", state.Pets)
				}
			}},
		bad("export as of no request", Get(path+"?at=1"), 404, "not_found"),
		bad("export as of request 0", Get(path+"?at=0"), 400, "invalid_parameter", "at"),
		{Name: "export as of a request that undo took back", Request: Get(path + "?at=1"), Before: []Request{Delete("/pets/1"), Post(undoPath, "")},
			Status: 410, Code: "history_gone"},
		{Name: "import", Request: Put(path, fish), Status: 200, Check: sums(oneCategory)},
		{Name: "import as a baseline", Request: Put(path+"?baseline=true", fish), Status: 200, Check: sums(oneCategory)},
		{Name: "import of a baseline as large as can be", Request: Put(path+"?baseline=true", crowded), Config: roomy, Status: 200,
			Check: sums(func(s *admin.Summary) { s.Counts, s.Writes, s.Undoable = store.Counts{Categories: 15}, 1, 1 })},
		{Name: "import of a baseline that is larger", Request: Put(path+"?baseline=true", crowded), Config: full, Status: 507, Code: "sandbox_full"},
		bad("import as something", Put(path+"?baseline=yes", fish), 400, "invalid_parameter", "baseline"),
		bad("import as nothing", Put(path+"?baseline=", fish), 400, "invalid_parameter", "baseline"),
		bad("import of dogs", Put(path, `{"dogs": []}`), 400, "validation_failed", "/dogs"),
		bad("import of no JSON", Put(path, `{"pets": [`), 400, "invalid_json"),
		bad("import of text", Textual(Put(path, `{}`)), 415, "unsupported_media_type"),
		{Name: "import of too much", Request: Put(path, crowded), Config: full, Status: 507, Code: "sandbox_full"},

		{Name: "diff", Request: Get(path + "/diff"), Status: 200,
			Want: differences(nil)},
		{Name: "diff from a snapshot", Request: Get(path + "/diff?from=one"), Status: 200,
			Before: []Request{Put(path, `{"messages": [{"id": 1, "message": "Is Rex still there?", "createdAt": "2025-03-14T09:30:00Z"}]}`), Put("/admin/snapshots/one", ""), Put(path, `{}`)},
			Want:   differences(map[string]string{"messages": noMessage})},
		bad("diff from no snapshot", Get(path+"/diff?from=nope"), 404, "not_found"),
		bad("diff from no name", Get(path+"/diff?from=Not%20one"), 400, "invalid_parameter", "from"),
		bad("diff from nothing", Get(path+"/diff?from="), 400, "invalid_parameter", "from"),

		{Name: "undo", Request: Post(undoPath, ""), Before: []Request{Delete("/pets/1"), Delete("/pets/2")}, Status: 200,
			Check: sums(func(s *admin.Summary) {
				s.Counts.Pets, s.Counts.Inventory, s.Writes, s.Undoable, s.Journal.Entries = 4, 4, 3, 1, 2
			})},
		{Name: "undo of two", Request: Post(undoPath, `{"steps": 2}`), Before: []Request{Delete("/pets/1"), Delete("/pets/2")}, Status: 200,
			Check: sums(func(s *admin.Summary) { s.Writes, s.Journal.Entries = 3, 2 })},
		{Name: "undo of null", Request: Post(undoPath, `{"steps": null}`), Before: []Request{Delete("/pets/1")}, Status: 200, Check: sums(undone)},
		{Name: "undo, chunked and empty", Request: Request{Method: "POST", Path: undoPath, Chunked: true}, Before: []Request{Delete("/pets/1")}, Status: 200, Check: sums(undone)},
		bad("undo of nothing", Post(undoPath, ""), 409, "conflict"),
		{Name: "undo of too much", Request: Post(undoPath, `{"steps": 2}`), Before: []Request{Delete("/pets/1")}, Status: 409, Code: "conflict"},
		bad("undo of no step", Post(undoPath, `{"steps": 0}`), 400, "validation_failed", "/steps"),
		bad("undo of half a step", Post(undoPath, `{"steps": 0.5, "step": 1}`), 400, "validation_failed", "/steps", "/step"),
		bad("undo of a list", Post(undoPath, `[]`), 400, "invalid_json"),
		{Name: "undo, chunked, of text", Request: Request{Method: "POST", Path: undoPath, Chunked: true, Body: "x", Header: http.Header{"Content-Type": {"text/plain"}}},
			Status: 415, Code: "unsupported_media_type"},
		bad("undo of text", Textual(Post(undoPath, `{}`)), 415, "unsupported_media_type"),
	}
}

// TestExportAndImport exports one sandbox's state and imports it into another, which must then
// export the same bytes.
func TestExportAndImport(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Post("/sandboxes/ada/pets", NewPet))
	w.Must(t, Delete("/sandboxes/ada/pets/2"))
	exported := w.Get(t, "/sandboxes/ada/admin/state")
	exported.ExpectHeader(t, "Content-Type", "application/json")

	w.Do(t, Put("/sandboxes/bob/admin/state", string(exported.Body))).Expect(t, 200, "")
	if diff := cmp.Diff(string(exported.Body), string(w.Get(t, "/sandboxes/bob/admin/state").Body)); diff != "" {
		t.Errorf("exported from bob, -ada +bob:\n%s", diff)
	}
	created := w.Must(t, Post("/sandboxes/bob/pets", NewPet))
	created.ExpectHeader(t, "Location", "/sandboxes/bob/pets/8") // the counters are imported too
	w.Must(t, Post("/sandboxes/bob/admin/reset", ""))
	if got := summaryOf(t, w, "/sandboxes/bob").Counts.Pets; got != 5 {
		t.Errorf("after the reset there are %d pets, want the baseline's 5", got)
	}
}

// TestImportAsBaseline checks that a reset returns to a state imported as the baseline.
func TestImportAsBaseline(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Do(t, Put("/admin/state?baseline=true", `{"categories": [{"id": 9, "name": "Fish"}]}`)).Expect(t, 200, "")
	w.Must(t, Post("/categories", `{"name": "Crabs"}`))
	w.Must(t, Post("/admin/reset", ""))
	w.Get(t, "/categories").ExpectJSON(t, `[{"id": 9, "name": "Fish"}]`)
	if seed := summaryOf(t, w, "").Seed; seed != nil {
		t.Errorf("the seed of imported data is %d, want null", *seed)
	}
}

// badImports are bodies that cannot be imported, each with the invalid fields. The tests of package
// fixtures have more of them.
var badImports = []struct {
	name, body, code string
	fields           []string
}{
	{"empty", ``, "unsupported_media_type", nil}, // no body and no Content-Type
	{"blank", ` `, "invalid_json", nil},
	{"broken", `{"pets": [`, "invalid_json", nil},
	{"not JSON", `pets: []`, "invalid_json", nil},
	{"more behind", `{} {}`, "invalid_json", nil},
	{"an array", `[]`, "invalid_json", nil},
	{"null", `null`, "invalid_json", nil},
	{"an unknown part", `{"dogs": []}`, "validation_failed", []string{"/dogs"}},
	{"an unknown field", `{"categories": [{"id": 1, "name": "Dogs", "Name": "Cats"}]}`, "validation_failed", []string{"/categories/0/Name"}},
	{"two faults", `{"categories": [{"id": 1}], "orders": [{"id": 2, "quantity": 0}]}`, "validation_failed", []string{"/categories/0/name", "/orders/0/quantity"}},
}

// TestBadImports checks that each error names the invalid fields, and that no import changes
// anything.
func TestBadImports(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	before := w.State(t)
	for _, bad := range badImports {
		status := 400
		if bad.code == "unsupported_media_type" {
			status = 415
		}
		for _, path := range []string{"/admin/state", "/admin/state?baseline=true"} {
			a := w.Do(t, Put(path, bad.body))
			if a.Status != status {
				t.Errorf("%s = %d %s, want %d", bad.name, a.Status, a.Body, status)
				continue
			}
			p := a.Problem(t)
			if diff := cmp.Diff(bad.fields, p.Fields()); p.Code != bad.code || diff != "" {
				t.Errorf("%s: code %s, want %s; fields, -want +got:\n%s%s", bad.name, p.Code, bad.code, diff, a.Body)
			}
		}
	}
	if after := w.State(t); after != before {
		t.Errorf("the state has changed to\n%s", after)
	}
	w.Must(t, Post("/admin/reset", ""))
	if after := w.State(t); after != before {
		t.Errorf("the baseline has changed to\n%s", after)
	}
}

// TestDiff checks the differences from the baseline and from a snapshot.
func TestDiff(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Patch("/pets/1", `{"status": "sold"}`))
	w.Must(t, Put("/admin/snapshots/sold", ""))
	w.Must(t, Post("/pets", NewPet))
	w.Must(t, Delete("/pets/3"))
	const (
		bello    = `{"id": 7, "name": "Bello", "categoryId": 1, "status": "available"}`
		armel    = `{"id": 3, "name": "Ärmel", "categoryId": 1, "status": "sold"}`
		newStock = `{"petId": 7, "quantity": 0, "status": "available"}`
		oldStock = `{"petId": 3, "quantity": 0, "status": "sold"}`
	)
	w.Get(t, "/admin/state/diff?from=sold").ExpectJSON(t, differences(map[string]string{
		"pets":      `{"added": [` + bello + `], "changed": [], "removed": [` + armel + `]}`,
		"inventory": `{"added": [` + newStock + `], "changed": [], "removed": [` + oldStock + `]}`,
	}))

	var diff store.Diff
	w.Get(t, "/admin/state/diff").Decode(t, &diff)
	want := []store.Change[store.Pet]{{
		Before: store.Pet{ID: 1, Name: "Rex", CategoryID: 1, Status: store.Available},
		After:  store.Pet{ID: 1, Name: "Rex", CategoryID: 1, Status: store.Sold},
	}}
	if d := cmp.Diff(want, diff.Pets.Changed); d != "" {
		t.Errorf("changed pets since the baseline, -want +got:\n%s", d)
	}
}
