package admin_test

import (
	"fmt"
	"testing"

	"example.com/petstore/store"
)

// TestUndo takes writes back one by one and several at once, ids included, but no
// more than are remembered.
func TestUndo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	states := []string{w.State(t)}
	for _, write := range []request{
		post("/pets", newPet), drop("/pets/7"), put("/store/inventory/1", `{"quantity": 9}`), post("/categories", `{"name": "Fish"}`),
		put("/admin/state", `{}`),
	} {
		w.Must(t, write)
		states = append(states, w.State(t))
	}
	w.Do(t, post("/pets", `{"name": ""}`)).Expect(t, 400, "validation_failed", "/name", "/categoryId") // no write
	w.Do(t, post("/admin/undo", `{"steps": 6}`)).Expect(t, 409, "conflict")
	w.Do(t, post("/admin/undo", `{"steps": 0}`)).Expect(t, 400, "validation_failed", "/steps")
	w.Do(t, post("/admin/undo", `{"step": 1}`)).Expect(t, 400, "validation_failed", "/step")
	if got := w.State(t); got != states[5] {
		t.Errorf("refused undos changed the state to\n%s", got)
	}
	w.Must(t, post("/admin/undo", ""))
	if got := w.State(t); got != states[4] {
		t.Errorf("after an undo the state is\n%s", got)
	}
	w.Must(t, post("/admin/undo", `{"steps": 3}`))
	if got := w.State(t); got != states[1] {
		t.Errorf("after three more the state is\n%s", got)
	}
	if got := summaryOf(t, w, "").Undoable; got != 1 {
		t.Errorf("%d writes can be taken back, want 1", got)
	}
	w.Must(t, post("/admin/reset", ""))
	w.Do(t, post("/admin/undo", "")).Expect(t, 409, "conflict")
}

// TestUndoIsBounded wants the last 100 writes remembered and no more.
func TestUndoIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range store.HistoryLimit + 5 {
		w.Must(t, post("/categories", `{"name": "Fish"}`))
	}
	w.Do(t, post("/admin/undo", fmt.Sprintf(`{"steps": %d}`, store.HistoryLimit+1))).Expect(t, 409, "conflict")
	w.Must(t, post("/admin/undo", fmt.Sprintf(`{"steps": %d}`, store.HistoryLimit)))
	if got := summaryOf(t, w, "").Counts.Categories; got != 3+5 {
		t.Errorf("%d categories are left, want 8", got)
	}
}
