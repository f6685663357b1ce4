package admin_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	entries "example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
)

// TestExportAndImport exports one sandbox's state and imports it into another, which must then
// export the same bytes.
func TestExportAndImport(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Post("/sandboxes/ada/pets", NewPet))
	w.Must(t, Delete("/sandboxes/ada/pets/2"))
	exported := w.Get(t, "/sandboxes/ada/admin/state")
	w.Do(t, Put("/sandboxes/bob/admin/state", string(exported.Body))).Expect(t, 200, "")
	if diff := cmp.Diff(string(exported.Body), string(w.Get(t, "/sandboxes/bob/admin/state").Body)); diff != "" {
		t.Errorf("exported from bob, -ada +bob:\n%s", diff)
	}
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
		must.Succeed(t, json.Unmarshal([]byte(entry.Response.Body), &created))
		after := len(state.Pets)
		if last := state.Pets[after-1].ID; last != created.ID {
			t.Errorf("request %d created pet %d, but the newest pet is %d", entry.ID, created.ID, last)
		}
		state.Pets = nil
		w.Do(t, Get(fmt.Sprintf("/admin/state?at=%d&before=true", entry.ID))).Decode(t, &state)
		if before := len(state.Pets); before != after-1 {
			t.Errorf("request %d created a pet, but there were %d pets before it and %d after", entry.ID, before, after)
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
