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
}
