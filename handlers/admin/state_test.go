package admin_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
	entries "example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
)

func TestState(t *testing.T) { RunScenarios(t, stateScenarios()) }

// stateScenarios returns scenarios that the transcript reset.txt lacks.
func stateScenarios() []Scenario {
	const path, undoPath = "/admin/state", "/admin/undo"
	crowded := `{"categories": [{"id": 1, "name": "Fish"}`
	many := Baseline().Records() + 2
	for id := 2; id <= many; id++ {
		crowded += fmt.Sprintf(`, {"id": %d, "name": "Fish"}`, id)
	}
	crowded += "]}"
	full := func(c *handlers.Config) { c.MaxRecords = 1 } // in addition to those of the baseline
	roomy := func(c *handlers.Config) { c.MaxRecords = 2 }
	undone := func(s *admin.Summary) { s.Writes, s.Journal.Entries = 2, 1 }
	return []Scenario{
		{Name: "export as of a request", Request: Get(path + "?at=2"),
			Before: []Request{Delete("/pets/1"), Delete("/pets/2"), Delete("/pets/3")}, Status: 200,
			Check: func(t *testing.T, a *Answer) {
				var state struct{ Pets []struct{ ID int64 } }
				a.Decode(t, &state)
				if len(state.Pets) != 3 || state.Pets[0].ID != 3 {
					t.Errorf("after the second deletion, the pets are %v", state.Pets)
				}
			}},
		Refused("export as of no request", Get(path+"?at=1"), 404, "not_found"),
		Refused("export as of request 0", Get(path+"?at=0"), 400, "invalid_parameter", "at"),
		Refused("export as of a request that undo took back", Get(path+"?at=1"),
			410, "history_gone").After(Delete("/pets/1"), Post(undoPath, "")),
		{Name: "import of a baseline as large as can be", Request: Put(path+"?baseline=true", crowded), Config: roomy,
			Status: 200,
			Check: sums(func(s *admin.Summary) {
				s.Counts, s.Writes, s.Undoable = store.Counts{Categories: many}, 1, 1
			})},
		Refused("import of a baseline that is larger", Put(path+"?baseline=true", crowded), 507, "sandbox_full").
			On(full),
		Refused("import as nothing", Put(path+"?baseline=", "{}"), 400, "invalid_parameter", "baseline"),
		Refused("import of a baseline with two faults",
			Put(path+"?baseline=true", `{"categories": [{"id": 1}], "orders": [{"id": 2, "quantity": 0}]}`), 400,
			"validation_failed", "/categories/0/name", "/orders/0/quantity"),
		Refused("import of too much", Put(path, crowded), 507, "sandbox_full").On(full),

		Refused("diff from no name", Get(path+"/diff?from=Not%20one"), 400, "invalid_parameter", "from"),
		Refused("diff from nothing", Get(path+"/diff?from="), 400, "invalid_parameter", "from"),

		{Name: "undo of null", Request: Post(undoPath, `{"steps": null}`), Before: []Request{Delete("/pets/1")},
			Status: 200, Check: sums(undone)},
		{Name: "undo, chunked and empty", Request: Request{Method: "POST", Path: undoPath, Chunked: true},
			Before: []Request{Delete("/pets/1")}, Status: 200, Check: sums(undone)},
		Refused("undo of too much", Post(undoPath, `{"steps": 2}`), 409, "conflict").After(Delete("/pets/1")),
		Refused("undo of half a step", Post(undoPath, `{"steps": 0.5, "step": 1}`), 400, "validation_failed", "/steps",
			"/step"),
		Refused("undo, chunked, of text",
			Request{Method: "POST", Path: undoPath, Chunked: true, Body: "x",
				Header: http.Header{"Content-Type": {"text/plain"}}}, 415, "unsupported_media_type"),
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
		t.Errorf("%d pets after the reset, want the baseline's 5", got)
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

// TestUndo undoes writes, including their ids, singly and several at once, but not more than the
// history holds.
func TestUndo(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	states := []string{w.State(t)}
	for _, write := range []Request{
		Post("/pets", NewPet), Delete("/pets/7"), Put("/store/inventory/1", `{"quantity": 9}`),
		Post("/categories", `{"name": "Fish"}`),
		Put("/admin/state", `{}`),
	} {
		w.Must(t, write)
		states = append(states, w.State(t))
	}
	// refused, so not a write.
	w.Do(t, Post("/pets", `{"name": ""}`)).Expect(t, 400, "validation_failed", "/name", "/categoryId")
	w.Do(t, Post("/admin/undo", `{"steps": 6}`)).Expect(t, 409, "conflict")
	w.Do(t, Post("/admin/undo", `{"steps": 0}`)).Expect(t, 400, "validation_failed", "/steps")
	w.Do(t, Post("/admin/undo", `{"step": 1}`)).Expect(t, 400, "validation_failed", "/step")
	if got := w.State(t); got != states[5] {
		t.Errorf("refused undos changed the state to\n%s", got)
	}
	w.Must(t, Post("/admin/undo", ""))
	if got := w.State(t); got != states[4] {
		t.Errorf("after an undo the state is\n%s", got)
	}
	w.Must(t, Post("/admin/undo", `{"steps": 3}`))
	if got := w.State(t); got != states[1] {
		t.Errorf("after three more the state is\n%s", got)
	}
	if got := summaryOf(t, w, "").Undoable; got != 1 {
		t.Errorf("%d writes can be taken back, want 1", got)
	}
	w.Must(t, Post("/admin/reset", ""))
	w.Do(t, Post("/admin/undo", "")).Expect(t, 409, "conflict")
}

// TestStateOfEachRequest reads and writes from several clients at once. Then the state that
// the journal records for a request must be the one that the read returned, or have the record that
// the write created.
func TestStateOfEachRequest(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for range store.HistoryLimit / 4 {
				w.Do(t, Post("/pets", NewPet))
				w.Do(t, Get("/pets?limit=1"))
			}
		})
	}
	clients.Wait()
	var kept struct{ Requests []entries.Entry }
	w.Do(t, Get("/admin/requests?limit=1000")).Decode(t, &kept)
	if len(kept.Requests) != 2*store.HistoryLimit {
		t.Fatalf("the journal has %d requests, want %d", len(kept.Requests), 2*store.HistoryLimit)
	}
	for _, entry := range kept.Requests {
		var state struct{ Pets []struct{ ID int64 } }
		w.Do(t, Get(fmt.Sprintf("/admin/state?at=%d", entry.ID))).Decode(t, &state)
		if entry.Method == "GET" {
			if got, want := fmt.Sprint(len(state.Pets)), entry.Response.Headers["X-Total-Count"]; got != want {
				t.Errorf("request %d: %s pets, but the client read %s", entry.ID, got, want)
			}
			continue
		}
		var created struct{ ID int64 }
		if err := json.Unmarshal([]byte(entry.Response.Body), &created); err != nil {
			t.Fatal(err)
		}
		if last := state.Pets[len(state.Pets)-1].ID; last != created.ID {
			t.Errorf("request %d created pet %d, but the newest pet is %d", entry.ID, created.ID, last)
		}
	}
}

// TestUndoIsBounded checks that the last 100 writes can be undone, and no more.
func TestUndoIsBounded(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for range store.HistoryLimit + 5 {
		w.Must(t, Post("/categories", `{"name": "Fish"}`))
	}
	w.Do(t, Post("/admin/undo", fmt.Sprintf(`{"steps": %d}`, store.HistoryLimit+1))).Expect(t, 409, "conflict")
	w.Must(t, Post("/admin/undo", fmt.Sprintf(`{"steps": %d}`, store.HistoryLimit)))
	if got := summaryOf(t, w, "").Counts.Categories; got != 3+5 {
		t.Errorf("%d categories are left, want 8", got)
	}
}
