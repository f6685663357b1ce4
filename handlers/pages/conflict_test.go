package pages_test

import (
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/store"
)

// TestChosenOverTheirs puts a field back as it was in view of another client's change of it, so that it is mine. The
// choice ends with the conflict.
func TestChosenOverTheirs(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data&open=1")
	p.Fill("textbox", "Name", "Mine")
	w.Must(t, Patch("/pets/1", `{"status": "sold"}`))
	p.WaitText(".question", "Also changed: status available → sold Save")
	p.In(".editor").Choose("Status", "available")
	p.WaitText(".question", "Status Yours available Theirs sold Save mine over theirs")
	w.Must(t, Patch("/pets/1", `{"status": "available"}`))
	p.WaitText(".question", "Save")
	w.Must(t, Post("/admin/undo", `{"steps": 2}`))
	p.Wait(`!document.querySelector(".question")`)
	w.Must(t, Patch("/pets/1", `{"status": "pending"}`))
	p.WaitText(".question", "Also changed: status available → pending Save")
	p.In(".editor").Choose("Status", "available")
	p.Click("button", "Save mine over theirs")
	p.Wait(`!document.querySelector(".question")`)
	if got := pet(t, w, "1"); got.Name != "Mine" || got.Status != store.Available {
		t.Errorf("pet 1 is %+v", got)
	}
	p.Fill("textbox", "Name", "Mine again")
	p.Click("checkbox", "Select pet 1")
	p.Click("button", "Set status")
	p.Click("menuitem", "sold")
	p.WaitText(".question", "You have changed this pet in the table since you opened it.")
}

// TestUndoDeletionOfOpenRecord brings an open record back, with its id and its unsaved change, while nothing else was
// written.
func TestUndoDeletionOfOpenRecord(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data&open=1")
	p.Allow("status of 404")
	p.Fill("textbox", "Name", "Mine")
	w.Must(t, Delete("/pets/1"))
	p.See("button", "Undo the deletion…")
	w.Must(t, Patch("/pets/2", `{"name": "Other"}`))
	p.Miss("button", "Undo the deletion…")
	w.Must(t, Post("/admin/undo", `{"steps": 2}`))
	p.Wait(`!document.querySelector(".error-note")`)
	w.Must(t, Delete("/pets/1"))
	p.Click("button", "Undo the deletion…")
	p.WaitText("dialog", "Undo DELETE /pets/1 by Go-http-client?")
	p.In("dialog").Click("button", "Undo it")
	p.Wait(`!document.querySelector(".editor .error-note")`)
	p.Click("button", "Save")
	p.WaitText(".toasts", "Changed pet 1.")
	if got := pet(t, w, "1").Name; got != "Mine" {
		t.Errorf("pet 1 is %q", got)
	}
}
