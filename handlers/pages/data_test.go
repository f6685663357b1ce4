package pages_test

import (
	"net/http"
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	"example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/store"
)

func pet(t *testing.T, w *world, id string) store.Pet {
	t.Helper()
	var found store.Pet
	w.Get(t, "/pets/"+id).Decode(t, &found)
	return found
}

func TestEditPet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=data")
	p.Click("button", "1")
	p.Fill("textbox", "Name", "Rexina")
	p.Click("button", "Save")
	p.WaitText(".toasts", "Changed pet 1.")
	p.WaitText(".table-scroll", "Rexina")
	if got := pet(t, w, "1").Name; got != "Rexina" {
		t.Errorf("pet 1 is %q", got)
	}
	for range 100 { // the limit of the history
		w.Must(t, request{Method: "PATCH", Path: "/pets/2", Body: `{"status": "sold"}`})
		w.Must(t, request{Method: "PATCH", Path: "/pets/2", Body: `{"status": "pending"}`})
	}
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Something else changed since")
	p.Fill("textbox", "Name", "Rexona")
	p.Click("button", "Save")
	p.WaitText(".table-scroll", "Rexona")
	w.Must(t, request{Method: "PATCH", Path: "/pets/2", Body: `{"status": "sold"}`})
	p.In(".toast:last-child").Click("button", "Undo")
	p.Wait(`document.querySelector(".toast:last-child").innerText.includes("Something else changed since")`)
	if got := pet(t, w, "2").Status; got != store.Sold {
		t.Errorf("undo reverted another client's write: pet 2 is %s", got)
	}
	w.Must(t, contracttest.Post("/admin/undo", ""))
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
		at("Name")
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
	p.In(".editor").Choose("Category", "Dogs (1)")
	p.Click("button", "Add")
	p.See("heading", "Pet 7")
	at("Name")
	p.Click("button", "Changed since the baseline 2")
	p.Click("button", "7")
	at("Name")
	p.Press(browsertest.Escape)
	at("7")
}

// TestEditsAreKept checks that unsaved edits survive opening another row or closing the panel,
// until they are saved or discarded.
func TestEditsAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=data")
	name := func(is string) {
		t.Helper()
		p.Wait(`document.querySelector(".editor input").value === "` + is + `"`)
	}
	p.Click("button", "1")
	p.Fill("textbox", "Name", "Rexina")
	p.Click("button", "2")
	p.WaitText(".toasts", "What you have changed in pet 1 is not saved.")
	p.Click("button", "Go on with it")
	name("Rexina")
	p.Wait(`!document.querySelector(".toast")`)
	p.Press(browsertest.Escape)
	p.WaitText(".toasts", "What you have changed in pet 1 is not saved.")
	p.Click("button", "1")
	name("Rexina")
	p.Click("button", "Discard")
	name("Rex")
	p.Fill("textbox", "Name", "Rexana")
	p.Click("link", "Faults")
	p.WaitText(".toasts", "What you have changed in pet 1 is not saved.")
	w.Do(t, request{Method: "PATCH", Path: "/pets/1", Body: `{"name": "Theirs"}`})
	p.Click("button", "Go on with it")
	name("Rexana")
	p.WaitText(".editor", "This pet has changed since you opened it.")
	p.Click("button", "Save the choice")
	p.WaitText(".toasts", "Changed pet 1.")
	p.Press(browsertest.Escape)
	p.Press("n")
	p.Fill("textbox", "Name", "Newt")
	p.Press(browsertest.Escape)
	p.WaitText(".toasts", "The new pet is not added.")
	p.Click("button", "Go on with it")
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
	w := newWorld(t)
	p := show(t, w, "/?view=data")
	p.Allow(`status of 4\d\d`)
	p.WaitText(".table-scroll", "Rex")
	p.Press("n")
	p.Click("button", "Add")
	p.WaitText(".editor .field", "Name is required")
	if text := browsertest.Eval[string](p, `document.getElementById(document.querySelector(".editor input").getAttribute("aria-describedby")).textContent`); text != "is required" {
		t.Errorf("the field is described by %q", text)
	}
	wrong := func(names string) {
		t.Helper()
		p.Wait(`[...document.querySelectorAll(".editor [aria-invalid]")].map((at) => at.labels[0].textContent).join() === "` + names + `" && document.querySelectorAll(".editor .wrong").length === "` + names + `".split(",").filter(Boolean).length`)
	}
	wrong("Name,Category")
	p.Fill("textbox", "Name", "Bello")
	wrong("Category")
	p.In(".editor").Choose("Category", "Dogs (1)")
	wrong("")
	p.Click("button", "Add")
	p.WaitText(".toasts", "Added a pet.")
	p.WaitText(".table-scroll", "Bello")

	p.Wait(`document.activeElement.value === "Bello"`)
	p.Fill("textbox", "Name", "")
	p.In(".editor").Choose("Category", "choose one")
	p.Click("button", "Save")
	p.WaitText(".editor .field", "must be 1 to 255 characters long, not 0")
	wrong("Name,Category")
	p.Wait(`document.activeElement.labels?.[0].textContent === "Name"`)
	p.Fill("textbox", "Name", "Bella")
	p.In(".editor").Choose("Category", "Cats (2)")
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

// TestConflictingEdit checks that a change that would overwrite another is refused, and
// that the user can choose.
func TestConflictingEdit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=data&open=1")
	p.Allow("status of 412")
	p.Fill("textbox", "Name", "Mine")
	p.Hide(true) // so that the page does not hear of it
	p.WaitText(".live", "paused")
	w.Do(t, request{Method: "PATCH", Path: "/pets/1", Body: `{"name": "Theirs"}`})
	w.Do(t, request{Method: "PATCH", Path: "/pets/1", Body: `{"status": "sold"}`})
	p.Click("button", "Save")
	p.WaitText(".editor", "Somebody else has changed this pet")
	p.Wait(`[...document.querySelectorAll(".editor form :is(.primary, .row button)")].map(({innerText}) => innerText).join() === "Discard mine,Save the choice"`)
	p.WaitText(".merge", "Theirs Mine Name Theirs Mine Status sold available")
	p.Wait(`document.activeElement.ariaLabel === "Name: mine, Mine"`)
	p.Wait(`[...document.querySelectorAll(".merge [aria-pressed=true]")].map(({innerText}) => innerText).join() === "Mine,sold"`)
	p.Click("button", "Status: mine, available")
	p.Click("button", "Save the choice")
	p.WaitText(".toasts", "Changed pet 1.")
	if got := pet(t, w, "1"); got.Name != "Mine" || got.Status != store.Available {
		t.Errorf("pet 1 is %+v", got)
	}
}

// TestPanelFollowsOtherClients checks that the panel shows other clients' changes to its record,
// but does not overwrite unsaved input.
func TestPanelFollowsOtherClients(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=data&open=1")
	p.Allow("status of 404")
	does := func(method, path, body string) {
		t.Helper()
		w.Must(t, request{Method: method, Path: path, Body: body})
	}
	p.Fill("textbox", "Name", "Rex") // as it is
	browsertest.Eval[any](p, `void (window.field = document.activeElement)`)
	holds := func(name, status string) { // in the same field, which keeps the focus
		t.Helper()
		p.Wait(`field === document.activeElement && field.isConnected && field.value === "` + name + `" && document.querySelector(".editor form").elements[2].value === "` + status + `"`)
	}
	holds("Rex", "available")
	does("PATCH", "/pets/1", `{"name": "Theirs"}`)
	holds("Theirs", "available")

	p.Fill("textbox", "Name", "Mine")
	does("PATCH", "/pets/1", `{"status": "sold"}`)
	p.WaitText(".editor .error-note", "This pet has changed since you opened it.")
	p.See("button", "Save the choice")
	p.Miss("button", "Save") // from under a click, it has not moved
	holds("Mine", "available")
	does("DELETE", "/pets/1", "")
	p.WaitText(".editor .error-note", "This pet has been deleted since you opened it")
	p.Wait(`document.querySelector(".editor button.primary").disabled`)
	holds("Mine", "available")
	does("POST", "/admin/undo", "")
	p.WaitText(".editor .error-note", "This pet has changed since you opened it.")
	p.Fill("textbox", "Name", "Theirs") // so that no input is unsaved
	p.Wait(`!document.querySelector(".editor .error-note")`)
	holds("Theirs", "sold")

	p.Fill("textbox", "Name", "Mine")
	browsertest.Eval[any](p, `void new MutationObserver(() => { window.noted ||= document.querySelector(".editor .error-note")?.innerText }).observe(document.body, {childList: true, subtree: true})`)
	p.Click("button", "Save")
	p.WaitText(".toasts", "Changed pet 1.")
	p.Wait(`!field.isConnected && document.querySelector(".editor button.primary").disabled`)
	if noted := browsertest.Eval[string](p, `window.noted ?? ""`); noted != "" {
		t.Errorf("of the change that was made here the page says: %s", noted)
	}
	p.Wait(`document.activeElement.form`)
	does("DELETE", "/pets/1", "")
	p.WaitText(".editor", "There is no pet 1")
	p.Wait(`document.activeElement.ariaLabel === "Close"`)
	does("POST", "/admin/undo", "")
	p.Wait(`document.querySelector(".editor input")?.value === "Mine"`)
}

func TestChangeStatusInList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=data")
	p.Choose("Status of Rex", "sold")
	p.WaitText(".toasts", "Rex is sold now.")
	if got := pet(t, w, "1").Status; got != store.Sold {
		t.Errorf("pet 1 is %s", got)
	}
	p.WaitText("#row-1 .since", "status available → sold")
	p.Click("button", "Changed since the baseline 1")
	p.WaitText(".table-scroll", "1 changed Rex status available → sold")
	p.Click("button", "Undo the change of pet 1")
	p.WaitText(".toasts", "Pet 1 is as in the baseline.")
	p.WaitText(".table-scroll", "As in the baseline")
	if got := pet(t, w, "1").Status; got != store.Available {
		t.Errorf("after the undo of its row, pet 1 is %s", got)
	}
	removed := pet(t, w, "1").Name
	w.Must(t, request{Method: "DELETE", Path: "/pets/1"})
	p.Click("button", "Add pet 1 again")
	p.WaitText(".table-scroll", "added name: "+removed)
	p.Click("button", "Changed since the baseline 2")
	p.Wait(`document.querySelector("tr.opens")`)
	p.Press("j", browsertest.Enter)
	p.Wait(`document.querySelector(".editor")`)
	p.Press(browsertest.Escape)
	const marked = `getComputedStyle(document.querySelector("tr.at td")).boxShadow !== "none"`
	p.Wait(marked)
	p.Press(browsertest.Escape)
	p.Wait("!(" + marked + ")")
}

// TestSeveralRecords selects rows, sets the status of all of them, deletes them and undoes that.
func TestSeveralRecords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	number := func(path, want string) {
		t.Helper()
		w.Get(t, path).ExpectHeader(t, "X-Total-Count", want)
	}
	p := show(t, w, "/?view=data")
	p.Click("checkbox", "Select pet 1")
	p.Click("checkbox", "Select pet 2")
	p.WaitText(".picks", "2 selected")
	p.Miss("heading", "Pet 1") // a click on the checkbox does not open the record
	p.Click("button", "Set status")
	p.Click("menuitem", "sold")
	p.WaitText(".toasts", "Set status of 2 pets to sold.")
	number("/pets?status=sold", "3")
	p.Wait(`!document.querySelector(".picks")`)
	p.In(".filters").Click("button", "Undo") // takes back both writes
	p.WaitText(".toasts", "Undone: Set status of 2 pets to sold.")
	number("/pets?status=sold", "1")

	p.Click("checkbox", "Select pet 1")
	p.Wait(`document.querySelector("#row-4 input").dispatchEvent(new MouseEvent("click", { bubbles: true, shiftKey: true }))`)
	p.WaitText(".picks", "4 selected")
	p.Click("checkbox", "Select all on this page")
	p.WaitText(".picks", "5 selected")
	p.Click("button", "Delete…")
	p.In("dialog").Click("button", "Delete")
	p.WaitText(".toasts", "Deleted 5 pets.")
	p.WaitText(".table-scroll", "No pets")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".pager", "1 to 5 of 5")
	number("/pets", "5")

	p.Open(w.URL + "/?view=data&table=categories")
	p.Allow("status of 409")
	p.Click("checkbox", "Select category 3") // a category without pets
	p.Click("checkbox", "Select category 1")
	p.Click("button", "Delete…")
	p.In("dialog").Click("button", "Delete")
	p.WaitText(".toasts", "0 of 2 done.")
	number("/categories", "3")
}

// TestLinksBetweenRecords goes from a pet to its category, its orders and its stock, and shows JSON.
func TestLinksBetweenRecords(t *testing.T) {
	t.Parallel()
	p := show(t, newWorld(t), "/?view=data&table=orders&open=1")
	p.Allow("pets/6/photo") // of a deleted pet that an order still names
	p.WaitText("#row-1", "Rex #1")
	p.In(".editor").Click("link", "Pet 1")
	p.See("heading", "Pet 1")
	p.Click("group", "") // opens the JSON
	p.WaitText(".editor pre", `"name": "Rex"`)
	p.In(".editor").Click("link", "Category 1")
	p.See("heading", "Category 1")
	p.In(".editor").Click("link", "Pets")
	p.Wait(`new URLSearchParams(location.search).get("categoryId") === "1"`)
	p.WaitText(".table-scroll", "Rex")
	p.In(".table-scroll tbody tr").Click("link", "Dogs #1")
	p.See("heading", "Category 1")
}

// TestCountFollowsOtherClients checks that the count is updated at once when another client writes.
func TestCountFollowsOtherClients(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=data")
	p.WaitText(".tables", "Pets 5")
	p.Wait(`(() => { for (let timer = setTimeout(() => 0); timer > 0; timer--) clearInterval(timer); return true })()`) // no timer reads anything
	create(t, w, "New")
	p.WaitText(".pager", "1 to 6 of 6")
	p.Miss("button", "Next")
	p.WaitText(".tables", "Pets 6")
}

func TestDeleteOrderAndChangeStock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=data&table=orders&open=1")
	p.Allow("pets/6/photo") // of a deleted pet that an order still names
	p.Click("button", "Delete")
	p.WaitText(".toasts", "Deleted order 1.")
	w.Get(t, "/store/orders/1").Expect(t, 404, "not_found")
	p.Open(w.URL + "/?view=data&table=inventory&open=1")
	p.Fill("textbox", "Quantity", "77")
	p.Click("button", "Save")
	p.WaitText(".toasts", "Changed inventory entry 1.")
	var item store.InventoryItem
	w.Get(t, "/store/inventory/1").Decode(t, &item)
	if item.Quantity != 77 {
		t.Errorf("the quantity is %d", item.Quantity)
	}
}

// TestDataViewIsNotJournaled checks that reads and changes in the data view are not recorded as
// requests to the service.
func TestDataViewIsNotJournaled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, request{Method: "POST", Path: "/admin/faults", Body: `{"status": 503}`})
	p := show(t, w, "/?view=data&table=messages&open=new")
	p.Fill("textbox", "Message", "Hello")
	p.Click("button", "Add")
	p.WaitText(".toasts", "Added a message.")
	p.WaitText(".table-scroll", "Hello")
	var journal struct {
		Matched int `json:"matched"`
	}
	w.Get(t, "/admin/requests").Decode(t, &journal)
	if journal.Matched != 0 {
		t.Errorf("the journal has %d requests", journal.Matched)
	}
}

func TestPagesSortAndFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 48 {
		w.Must(t, request{Method: "POST", Path: "/categories", Body: `{"name": "Many"}`, Header: http.Header{}})
	}
	p := show(t, w, "/?view=data&table=categories")
	p.Wait(`document.querySelectorAll("tbody tr").length === 50`)
	p.Click("button", "Next")
	p.Wait(`document.querySelectorAll("tbody tr").length < 50 && location.search.includes("page=2")`)
	p.Click("button", "Id")
	p.Wait(`location.search.includes("sort=-id") && document.querySelectorAll("tbody tr").length === 50`)
	p.Fill("searchbox", "Name", "dogs")
	p.Wait(`document.querySelectorAll("tbody tr").length === 1`)
	p.WaitText("tbody", "Dogs")

	before := browsertest.Eval[int](p, `history.length`)
	p.Open(w.URL + "/?view=data&table=categories&page=99999999999999999999")
	p.WaitText(".pager", "51 to 51 of 51")
	p.Wait(`location.search.includes("page=2") && document.querySelectorAll("tbody tr").length === 1`)
	if now := browsertest.Eval[int](p, `history.length`); now != before+1 {
		t.Errorf("the history has %d entries, and had %d before the page was opened", now, before)
	}
	w.Must(t, request{Method: "DELETE", Path: "/categories/51"})
	p.WaitText(".pager", "1 to 50 of 50")
	p.Wait(`!location.search.includes("page=") && document.querySelectorAll("tbody tr").length === 50`)
	p.Open(w.URL + "/?view=data&table=categories&page=99&name=dogs")
	p.WaitText(".pager", "1 to 1 of 1")
	p.WaitText("tbody", "Dogs")
	p.Open(w.URL + "/?view=data&table=categories&page=99&name=nothing")
	p.WaitText(".table-scroll", "Nothing matches")
	p.Open(w.URL + "/?view=sandboxes&page=99")
	p.WaitText(".pager", "1 to 1 of 1")
	p.WaitText("tbody", "default")
	p.Open(w.URL + "/?view=data")
	p.Fill("searchbox", "Id", "one")
	p.Allow("status of 400")
	p.WaitText(".error-note", "must be an integer")
	p.Wait(`!document.querySelector("tbody tr")`) // these would match another filter
	p.Fill("searchbox", "Id", "1")
	p.Wait(`document.querySelectorAll("tbody tr").length === 1 && !document.querySelector(".error-note")`)
}

// TestUndoOfOtherClientsNeedsConfirmation checks that Undo reverts a write of this page at once, and another client's
// write only after naming it.
func TestUndoOfOtherClientsNeedsConfirmation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pets := func(want string) {
		t.Helper()
		w.Get(t, "/pets").ExpectHeader(t, "X-Total-Count", want)
	}
	w.Do(t, request{Method: "POST", Path: "/pets", Body: `{"name": "Theirs", "categoryId": 1}`, Header: http.Header{"X-Client": {"web"}}})
	p := show(t, w, "/?view=data")
	p.WaitText(".table-scroll", "Theirs")
	p.In(".filters").Click("button", "Undo")
	p.WaitText("dialog", "Undo a write that was not made on this page?")
	p.WaitText("dialog", "POST /pets by web")
	p.Click("button", "Cancel")
	pets("6")

	p.Choose("Status of Theirs", "sold")
	p.WaitText(".toasts", "Theirs is sold now.")
	p.In(".filters").Click("button", "Undo")
	p.WaitText(".toasts", "Undone: Theirs is sold now.")
	w.Get(t, "/pets?status=sold&name=Theirs").ExpectHeader(t, "X-Total-Count", "0")
	p.In(".filters").Click("button", "Undo")
	p.WaitText("dialog", "POST /pets by web")
	p.In("dialog").Click("button", "Undo it")
	p.Wait(`!document.querySelector(".table-scroll").innerText.includes("Theirs")`) // the toast may be the previous one
	pets("5")
}
