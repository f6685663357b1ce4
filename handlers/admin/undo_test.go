package admin_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
	entries "example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
)

// TestUndo undoes writes, including their ids, singly and several at once, but not more than the
// history holds.
func TestUndo(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	states := []string{w.State(t)}
	for _, write := range []Request{
		Post("/pets", NewPet), Delete("/pets/7"), Put("/store/inventory/1", `{"quantity": 9}`), Post("/categories", `{"name": "Fish"}`),
		Put("/admin/state", `{}`),
	} {
		w.Must(t, write)
		states = append(states, w.State(t))
	}
	w.Do(t, Post("/pets", `{"name": ""}`)).Expect(t, 400, "validation_failed", "/name", "/categoryId") // refused, so not a write
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

// TestEveryRequestHasItsState reads and writes from several clients at once. Then the state that
// the journal records for a request must be the one that the read returned, or have the record that
// the write created.
func TestEveryRequestHasItsState(t *testing.T) {
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
