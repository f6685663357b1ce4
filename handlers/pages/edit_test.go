package pages_test

import (
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/store"
)

func TestEditPet(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data")
	p.Click("button", "1")
	p.Fill("textbox", "Name", "Rexina")
	p.Click("button", "Save")
	p.WaitText(".toasts", "Changed pet 1.")
	p.WaitText(".table-scroll", "Rexina")
	if got := pet(t, w, "1").Name; got != "Rexina" {
		t.Errorf("pet 1 is %q", got)
	}
	for range 100 { // the limit of the history
		w.Must(t, Patch("/pets/2", `{"status": "sold"}`))
		w.Must(t, Patch("/pets/2", `{"status": "pending"}`))
	}
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Something else changed since")
	p.Fill("textbox", "Name", "Rexona")
	p.Click("button", "Save")
	p.WaitText(".table-scroll", "Rexona")
	w.Must(t, Patch("/pets/2", `{"status": "sold"}`))
	p.In(".toast:last-child").Click("button", "Undo")
	p.Wait(`document.querySelector(".toast:last-child").innerText.includes("Something else changed since")`)
	if got := pet(t, w, "2").Status; got != store.Sold {
		t.Errorf("undo reverted another client's write: pet 2 is %s", got)
	}
	w.Must(t, Post("/admin/undo", ""))
	p.Fill("textbox", "Name", "Rexina")
	p.Click("button", "Save")
	p.WaitText(".table-scroll", "Rexina")
	p.In(".toast:last-child").Click("button", "Undo")
	p.WaitText(".toasts", "Undone: Changed pet 1.")
	if got := pet(t, w, "1").Name; got != "Rexona" {
		t.Errorf("after Undo pet 1 is %q", got)
	}
}

// TestKeyboardInData moves the focus into the panel of an opened record, and back.
func TestKeyboardInData(t *testing.T) {
	t.Parallel()
	p := show(t, newWorld(t), "/?view=data")
	at := func(what string) {
		t.Helper()
		p.Wait(`(({ activeElement: at }) => at.labels?.[0]?.textContent ?? at.innerText)(document) === "` + what + `"`)
	}
	for _, way := range []func(){
		func() { p.Press(browsertest.Escape) },
		func() { p.Click("button", "Close") },
	} {
		p.Click("button", "2")
		p.Wait(`document.activeElement.matches(".editor")`) // so that j and k step, and no letter changes the name
		way()
		at("2")
		p.Press("j", browsertest.Enter)
		at("Name")
		way()
		at("3")
		p.Click("button", "Add a pet")
		at("Name")
		way()
		at("Add a pet")
	}
	p.Click("button", "2")
	p.Fill("textbox", "Name", "Bella II")
	p.Press(browsertest.Enter)
	p.WaitText(".toasts", "Changed pet 2.")
	at("Name")
	p.Miss("button", "Discard") // the record was read again, with its new ETag
	p.Click("button", "Delete")
	p.WaitText(".toasts", "Deleted pet 2.")
	p.Wait(`document.activeElement !== document.body`)
	p.Press("n")
	p.Fill("textbox", "Name", "Newt")
	p.In(".editor").Choose("Category", "Dogs #1")
	p.Click("button", "Add")
	p.See("heading", "Newt #7")
	at("Name")
	p.Click("button", "Changed since the baseline 2")
	p.Click("button", "7")
	p.WaitText(".editor header", "#7")
	p.Press(browsertest.Escape)
	at("7")
}

// TestEditsAreKept checks that unsaved edits survive opening another row or closing the panel,
// until they are saved or discarded.
func TestEditsAreKept(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data")
	name := func(is string) {
		t.Helper()
		p.Wait(`document.querySelector(".editor input").value === "` + is + `"`)
	}
	p.Click("button", "1")
	p.Fill("textbox", "Name", "Rexina")
	p.Click("button", "2")
	p.WaitText(".toasts", "Unsaved changes to pet 1.")
	p.Click("button", "Resume")
	name("Rexina")
	p.Wait(`!document.querySelector(".toast")`)
	p.Press(browsertest.Escape)
	p.WaitText(".toasts", "Unsaved changes to pet 1.")
	p.Open(w.URL + "/?view=data") // without the toast
	p.Wait(`document.querySelector(".unsaved[title='unsaved changes']").id === "row-1"`)
	p.Click("button", "1 unsaved")
	name("Rexina")
	p.Click("button", "Discard")
	name("Rex")
	p.Press(browsertest.Escape)
	p.Wait(`document.querySelector("#row-1:not(.unsaved)")`)
	p.Click("button", "1")
	p.Fill("textbox", "Name", "Rexana")
	p.Open(w.URL + "/?view=data&open=1") // as a reload does
	name("Rexana")
	p.Click("link", "Faults")
	p.WaitText(".toasts", "Unsaved changes to pet 1.")
	w.Do(t, Patch("/pets/1", `{"name": "Theirs"}`))
	p.Click("button", "Resume")
	name("Rexana")
	p.WaitText(".editor", "This pet has changed since you opened it.")
	p.Click("button", "Save mine over theirs")
	p.WaitText(".toasts", "Changed pet 1.")
	p.Press(browsertest.Escape)
	p.Press("n")
	p.Fill("textbox", "Name", "Newt")
	p.Press(browsertest.Escape)
	p.WaitText(".toasts", "The new pet is not added.")
	p.Click("button", "Resume")
	name("Newt")
	p.Click("button", "Discard")
	name("")
	p.Press(browsertest.Escape)
	p.Wait(`![...document.querySelectorAll(".toast")].some((toast) => /not (saved|added)/.test(toast.innerText))`)
	if got := pet(t, w, "1").Name; got != "Rexana" {
		t.Errorf("pet 1 is %q", got)
	}
}

// TestErrorsAreShownAtFields checks that the server's error message is shown at the field.
func TestErrorsAreShownAtFields(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data")
	p.Allow(`status of 4\d\d`)
	p.WaitText(".table-scroll", "Rex")
	p.Press("n")
	p.Click("button", "Add")
	p.WaitText(".editor .field", "Name Required")
	p.Wait(`document.getElementById(document.querySelector(".editor input").getAttribute("aria-describedby"))
		.textContent === "Required"`)
	wrong := func(names string) {
		t.Helper()
		p.Wait(`[...document.querySelectorAll(".editor [aria-invalid]")].map((at) => at.labels[0].textContent).join() === "` + names + `" && document.querySelectorAll(".editor .wrong").length === "` + names + `".split(",").filter(Boolean).length`)
	}
	wrong("Name,Category")
	p.Fill("textbox", "Name", "Bello")
	wrong("Category")
	p.In(".editor").Choose("Category", "Dogs #1")
	wrong("")
	p.Click("button", "Add")
	p.WaitText(".toasts", "Added pet 7.")
	p.WaitText(".table-scroll", "Bello")

	p.Wait(`document.activeElement.value === "Bello"`)
	p.Fill("textbox", "Name", "")
	p.In(".editor").Choose("Category", "choose one")
	p.Click("button", "Save")
	p.WaitText(".editor .field", "Name Required")
	wrong("Name,Category")
	p.Wait(`document.activeElement.labels?.[0].textContent === "Name"`)
	if browsertest.Eval[bool](p, `document.querySelector(".toasts").innerText.includes("Added")`) {
		t.Error("the toast of the first save stands beside the error of the next")
	}
	p.Fill("textbox", "Name", "Bella")
	p.In(".editor").Choose("Category", "Cats #2")
	p.Click("button", "Save")
	p.WaitText(".table-scroll", "Bella")

	p.Open(w.URL + "/?view=data&table=categories&open=1")
	p.Fill("textbox", "Description", "Barks")
	p.Click("button", "Save")
	p.WaitText(".table-scroll", "Barks")
	p.Fill("textbox", "Description", "") // an optional field
	p.Click("button", "Save")
	p.Wait(`!document.querySelector(".table-scroll").innerText.includes("Barks")`)
}

// TestTypedWhileSaving types into a form whose earlier text is still being saved.
func TestTypedWhileSaving(t *testing.T) {
	t.Parallel()
	_, p := newPage(t, "/?view=data&table=categories&open=1")
	p.Fill("textbox", "Description", "Barks")
	hold(p, "PATCH", "admin/data/categories/1")
	p.Click("button", "Save")
	p.Wait(`window.arrive`)
	p.Fill("textbox", "Description", "") // as it was before
	browsertest.Eval[any](p, `void window.arrive()`)
	p.WaitText(".toasts", "Changed category 1.")
	p.WaitText(".table-scroll", "Barks")
	p.Click("button", "Save")
	p.Wait(`!document.querySelector(".table-scroll").innerText.includes("Barks")`)

	p.Click("button", "Add a category")
	p.Fill("textbox", "Name", "Fish")
	hold(p, "POST", "admin/data/categories")
	p.Click("button", "Add")
	p.Wait(`window.arrive`)
	p.Fill("textbox", "Description", "Swims")
	browsertest.Eval[any](p, `void window.arrive()`)
	p.WaitText(".toasts", "Added category ")
	p.Click("button", "Save")
	p.WaitText(".table-scroll", "Swims")
}

// TestConflictingEdit checks that a change that would overwrite another is refused, and
// that the user can choose.
func TestConflictingEdit(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data&open=1")
	p.Allow("status of 412")
	p.Fill("textbox", "Name", "Mine")
	p.Hide(true) // so that the page does not hear of it
	p.WaitText(".live", "paused")
	w.Do(t, Patch("/pets/1", `{"name": "Theirs"}`))
	w.Do(t, Patch("/pets/1", `{"status": "sold"}`))
	p.Click("button", "Save")
	p.WaitText(".editor", "This pet has changed since you opened it, so it was not saved (412). Go-http-client changed it")
	p.Wait(`[...document.querySelectorAll(".editor form button")].map(({innerText}) => innerText).join() === ` +
		`"Yours\nMine,Theirs\nTheirs,Save mine over theirs,Discard mine"`)
	p.WaitText(".question", "Name Yours Mine Theirs Theirs Also changed: status available → sold")
	p.See("heading", "Theirs #1")
	p.WaitText(".of-record", "Somebody else has changed this too.")
	p.Wait(`document.activeElement.innerText === "Yours\nMine" && document.activeElement.ariaPressed === "true"`)
	holds := func(name, status string) {
		t.Helper()
		p.Wait(`(([{value: name}, , {value: status}]) => name + status)(document.querySelector(".editor form").elements) === "` +
			name + status + `"`)
	}
	holds("Mine", "sold")
	p.Click("button", "Theirs Theirs")
	holds("Theirs", "sold")
	p.See("button", "Take theirs") // nothing else is left to save
	p.Click("button", "Yours Mine")
	p.In(".editor").Choose("Status", "available")
	p.Fill("textbox", "Name", "Mine")
	p.Press(browsertest.Enter) // leads to the choice, and overwrites nothing
	p.Wait(`document.activeElement.innerText === "Yours\nMine"`)
	p.Click("button", "Save mine over theirs")
	p.WaitText(".toasts", "Changed pet 1.")
	beside := func(selector string) { // the open record
		t.Helper()
		p.Wait(`document.querySelector("` + selector + `")?.getBoundingClientRect().right < ` +
			`document.querySelector(".editor").getBoundingClientRect().left`)
	}
	p.Resize(1280, 800)
	beside(".toast")
	beside("#row-1 .since ins")
	p.Resize(1024, 800) // too narrow for both, so the record covers the table, which does not scroll
	p.Wait(`(({scrollWidth, clientWidth}) => scrollWidth === clientWidth)(document.querySelector(".table-scroll"))`)
	p.Resize(768, 800)
	beside(".toast")
	p.Wait(`document.querySelector(".add").getBoundingClientRect().right === innerWidth - 16`)
	p.Wait(`new Set([...document.querySelectorAll(".tables a, .acts button:not([popover] *)")].map((e) => e.getBoundingClientRect().top)).size === 1`)
	p.Wait(`getComputedStyle(document.querySelector("#row-1")).boxShadow.includes("inset")`) // it has changed
	if got := pet(t, w, "1"); got.Name != "Mine" || got.Status != store.Available {
		t.Errorf("pet 1 is %+v", got)
	}
}

// TestPanelFollowsOtherClients checks that the panel shows other clients' changes to its record,
// but does not overwrite unsaved input.
func TestPanelFollowsOtherClients(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data&open=1")
	p.Allow("status of 4(0[04]|10)") // 410: a state that was undone while the page read it
	does := func(method, path, body string) {
		t.Helper()
		w.Must(t, Request{Method: method, Path: path, Body: body})
	}
	p.Fill("textbox", "Name", "Rex") // unchanged
	browsertest.Eval[any](p, `void (window.field = document.activeElement)`)
	holds := func(name, status string) { // in the same field, which keeps the focus
		t.Helper()
		p.Wait(`field === document.activeElement && field.isConnected && field.value === "` + name +
			`" && document.querySelector(".editor form").elements[2].value === "` + status + `"`)
	}
	holds("Rex", "available")
	does("PATCH", "/pets/1", `{"name": "Theirs"}`)
	holds("Theirs", "available")
	p.WaitText(".toasts", "Go-http-client changed pet 1: name.")

	p.Fill("textbox", "Name", "Mine")
	does("PATCH", "/pets/1", `{"status": "sold"}`)
	p.WaitText(".editor .error-note", "This pet has changed since you opened it.")
	p.Wait(`document.querySelectorAll(".editor form button.primary").length === 1`) // it has moved into the note
	holds("Mine", "sold")                                                           // as chosen below
	p.WaitText(".of-record", "Name saved: Theirs")
	p.WaitText(".of-record:has([value=sold])", "was available")
	p.Wait(`!document.querySelector(".toast")`)
	does("DELETE", "/pets/1", "")
	p.WaitText(".editor .error-note + .row", "Add again")
	p.WaitText(".editor .error-note",
		"deleted since you opened it, so your changes cannot be saved. Go-http-client deleted it")
	p.See("button", "Add again")
	p.See("heading", "Theirs #1")
	holds("Mine", "sold")
	does("POST", "/admin/undo", "")
	p.WaitText(".editor .error-note", "This pet has changed since you opened it.")
	p.Fill("textbox", "Name", "Theirs") // so that no input is unsaved
	p.Wait(`!document.querySelector(".editor .error-note")`)
	holds("Theirs", "sold")

	p.Fill("textbox", "Name", "Mine")
	browsertest.Eval[any](p,
		`void new MutationObserver(() => { window.noted ||= document.querySelector(".editor .error-note")?.innerText }).observe(document.body, {childList: true, subtree: true})`)
	p.Click("button", "Save")
	p.WaitText(".toasts", "Changed pet 1.")
	p.Wait(`!field.isConnected && document.querySelector(".editor button.primary").disabled`)
	if noted := browsertest.Eval[string](p, `window.noted ?? ""`); noted != "" {
		t.Errorf("of the change that was made here the page says: %s", noted)
	}
	p.Wait(`document.activeElement.form`)
	does("DELETE", "/pets/1", "")
	p.WaitText(".editor .error-note",
		"This pet has been deleted since you opened it. Go-http-client deleted it ")
	p.WaitText(".editor .error-note", "Undo the deletion, add it again with a new id, or close this.")
	p.Wait(`document.activeElement.form && !document.querySelector(".editor .primary").disabled`)
	does("POST", "/admin/undo", "")
	p.Wait(`document.querySelector(".editor input")?.value === "Mine" && !document.querySelector(".error-note")`)

	p.Fill("textbox", "Name", "")
	p.Click("button", "Save")
	p.Wait(`document.querySelector(".editor [aria-invalid]")`)
	does("DELETE", "/pets/1", "")
	p.Wait(`document.querySelector(".editor .error-note") && !document.querySelector(".editor [aria-invalid]")`)
	p.Fill("textbox", "Name", "Again")
	p.Press(browsertest.Enter)
	p.Wait(`document.activeElement.innerText === "Add again"`)
	p.Press(browsertest.Enter)
	p.See("heading", "Again #7")
	p.Wait(`document.querySelector(".editor input").value === "Again"`)
}
