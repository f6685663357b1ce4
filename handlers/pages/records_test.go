package pages_test

import (
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/store"
)

// TestRecordAfterRecord goes through the records of a table in their editor, in which the JSON stays open, and saves
// one with Ctrl and Enter.
func TestRecordAfterRecord(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data&open=1")
	names := func(id, focus string) {
		t.Helper()
		p.WaitText(".editor header", " #"+id)
		p.Wait(`document.activeElement === document.querySelector(".editor ` + focus + `")`)
		p.WaitText(".editor pre", `"id": `+id)
	}
	press := func(key string) {
		t.Helper()
		p.Wait(`!document.activeElement.dispatchEvent(
			new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ` + key + ` }))`)
	}
	p.See("textbox", "Name")
	p.Click("group", "") // opens the JSON
	p.Click("button", "Next record")
	names("2", "[aria-label='Next record']")
	p.Press(browsertest.Enter)
	names("3", "[aria-label='Next record']")
	p.Click("button", "Previous record")
	p.Fill("textbox", "Name", pet(t, w, "2").Name)
	press(`altKey: true, key: "ArrowDown"`)
	names("3", "input")
	press(`altKey: true, key: "ArrowUp"`)
	names("2", "input")
	p.Fill("textbox", "Name", "Max")
	press(`ctrlKey: true, key: "Enter"`)
	p.WaitText(".toasts", "Changed pet 2.")
	names("2", "input")
	if got := pet(t, w, "2").Name; got != "Max" {
		t.Errorf("pet 2 is %q", got)
	}
	p.Press(browsertest.Escape, "j")
	p.Wait(`document.activeElement.closest("tr").id === "row-3"`) // the one after the record that was open
	p.Open(w.URL + "/?view=data&name=max&open=2")
	p.WaitText(".pager", "1 to 1 of 1")
	p.Wait(`document.querySelectorAll(".steps :disabled").length === 2`) // the only row
	p.Open(w.URL + "/?view=data&open=4")
	p.WaitText(".pager", "1 to 5 of 5")
	p.Click("button", "Next record")
	p.WaitText(".editor header", " #5")
	p.Wait(`document.querySelector("[aria-label='Next record']").disabled && document.activeElement.matches(".editor")`)
	p.Open(w.URL + "/?view=data&name=max&open=3") // which has no row
	p.WaitText(".pager", "1 to 1 of 1")
	p.Wait(`document.querySelectorAll(".steps :disabled").length === 2`)

	w.Must(t, Post("/admin/reset", `{"pets": 60}`)) // two pages
	p.Open(w.URL + "/?view=data&open=50")
	p.WaitText(".editor header", " #50")
	p.Click("button", "Next record")
	p.WaitText(".pager", "51 to 60 of 60")
	p.WaitText(".editor header", " #51")
	p.Click("button", "Previous record")
	p.WaitText(".pager", "1 to 50 of 60")
	p.WaitText(".editor header", " #50")
	p.See("textbox", "Name")
	p.Allow("status of 404")
	w.Must(t, Delete("/pets/50"))
	p.WaitText(".editor header", "deleted")
	p.Click("button", "Previous record") // of the deleted one
	p.WaitText(".editor header", " #49")
	p.Open(w.URL + "/?view=data&sort=-id&open=3") // on the other page
	p.WaitText(".pager", "51 to 59 of 59")
	p.Wait(`(({top, bottom}) => top > 0 && bottom < innerHeight)(
		document.querySelector("#row-3[aria-selected=true]").getBoundingClientRect())`)
	p.See("textbox", "Name")
	p.Press("j")
	p.WaitText(".editor header", " #2")
}

// TestBackClosesRecord opens a record from the table and goes to the next, from which Back leads to the table.
func TestBackClosesRecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Post("/admin/reset", `{"pets": 60}`)) // two pages
	p := show(t, w, "/?view=requests")
	p.Click("link", "Data")
	p.Click("button", "2")
	p.WaitText(".editor header", " #2")
	p.Click("button", "Next record")
	p.WaitText(".editor header", " #3")
	browsertest.Eval[any](p, `void history.back()`)
	p.Wait(`!document.querySelector(".editor") && document.activeElement.closest("#row-3")`)
	p.WaitText(".pager", "1 to 50 of 60")
	p.Click("button", "50")
	p.WaitText(".editor header", " #50")
	p.Press(browsertest.Escape) // goes back, too
	p.Wait(`!document.querySelector(".editor") && document.activeElement.closest("#row-50")`)
	browsertest.Eval[any](p, `void history.forward()`)
	p.WaitText(".editor header", " #50")
	p.Click("button", "Next record")
	p.WaitText(".editor header", " #51")
	p.Press(browsertest.Escape)
	p.Wait(`!document.querySelector(".editor") && document.activeElement.closest("#row-51")`) // on its page
	browsertest.Eval[any](p, `void history.back()`)
	p.WaitText(".pager", "1 to 50 of 60")
	p.Click("button", "2")
	p.WaitText(".editor header", " #2")
	browsertest.Eval[any](p, `["Escape", "g", "t"].forEach((key) =>
		document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })))`)
	p.Wait(`document.querySelector(".clock")`) // and not the table, to which the browser goes back
	browsertest.Eval[any](p, `void history.back()`)
	p.WaitText(".pager", "1 to 50 of 60")
	browsertest.Eval[any](p, `void history.back()`)
	p.Wait(`document.querySelector(".requests")`)
}

// TestStoreWithoutCategories checks that the page says that a pet needs a category, and goes to where one is added.
func TestStoreWithoutCategories(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/state", `{"pets": [], "categories": [], "orders": [], "messages": [], "inventory": []}`))
	p := show(t, w, "/?view=data")
	p.WaitText(".table-scroll", "No pets A pet needs a category. Add a category")
	p.Miss("button", "Copy as curl")
	p.Click("button", "Add a pet")
	p.WaitText(".editor", "A pet needs a category.")
	p.In(".editor").Click("link", "Add a category")
	p.Fill("textbox", "Name", "Birds")
	p.Press(browsertest.Enter)
	p.WaitText(".toasts", "Added category ")
	p.Open(w.URL + "/?view=data&table=inventory")
	p.WaitText(".table-scroll", "No inventory An entry comes with each pet. Add a pet")
	p.Open(w.URL + "/?view=data")
	p.WaitText(".table-scroll .curl-line", `"categoryId":`)
}

// TestChangesNameMissingCategory checks that a removed record names the id of a category that is removed too.
func TestChangesNameMissingCategory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	category := pet(t, w, "1").CategoryID
	for _, id := range []string{"1", "2", "3", "4", "5"} {
		if pet(t, w, id).CategoryID == category {
			w.Must(t, Delete("/pets/"+id))
		}
	}
	w.Must(t, Delete("/categories/1"))
	p := show(t, w, "/?view=data&changed=1")
	p.WaitText("#row-1", "category #1status")
}

// TestLongNameLeavesTheID checks that the heading of a record has at most two lines, and the whole id.
func TestLongNameLeavesTheID(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Patch("/pets/1", `{"name": "Rex with a rather long name that goes on and on"}`))
	p := show(t, w, "/?view=data&open=1")
	p.WaitText(".editor header", "#1 Revert")
	for _, wide := range []int64{375, 768, 1280} {
		p.Resize(wide, 800)
		p.Wait(`(([previous, next, close]) => previous.right <= next.x && next.right <= close.x && close.right <= innerWidth)(
			[...document.querySelectorAll(".editor header .icon")].map((one) => one.getBoundingClientRect()))`)
		p.Wait(`(([head, id]) => head.height <= 36 && id.height < 24 && id.right <= head.right)(
			["h2", "h2 .note"].map((of) => document.querySelector(".editor " + of).getBoundingClientRect()))`)
	}
}

// TestOtherClientsWinRestoredFields expects a field that the user has restored to follow another client's change, which
// no key overwrites unseen. A change by another page is not taken for that of the last client.
func TestOtherClientsWinRestoredFields(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data&open=1")
	press := func(key string) {
		t.Helper()
		p.Wait(`!document.activeElement.dispatchEvent(
			new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ` + key + ` }))`)
	}
	p.Fill("textbox", "Name", "Mine")
	p.In(".editor").Choose("Status", "sold")
	p.In(".editor").Choose("Status", "available") // as before
	w.Must(t, Patch("/pets/1", `{"name": "Theirs", "status": "pending"}`))
	p.WaitText(".question", "Go-http-client changed it")
	p.WaitText(".question", "Also changed: status available → pending")
	p.Wait(`document.querySelector(".editor select:has([value=pending])").value === "pending"`)
	w.Must(t, Patch("/admin/data/pets/1", `{"name": "Elsewhere"}`)) // as another page does
	p.WaitText(".question", "Elsewhere")
	p.Wait(`!document.querySelector(".question").innerText.includes("Go-http-client")`)
	p.Fill("textbox", "Name", "Mine")
	browsertest.Eval[any](p, `void document.activeElement.blur()`)
	press(`ctrlKey: true, key: "Enter"`)
	p.Wait(`document.activeElement.closest(".question")`)
	if got := pet(t, w, "1").Name; got != "Elsewhere" {
		t.Errorf("pet 1 is %q before the user has seen the question", got)
	}
	press(`ctrlKey: true, key: "Enter"`)
	p.WaitText(".toasts", "Changed pet 1.")
	if got := pet(t, w, "1"); got.Name != "Mine" || got.Status != store.Pending {
		t.Errorf("pet 1 is %+v", got)
	}

	p.Open(w.URL + "/?view=data&open=1") // nothing has the focus
	p.Wait(`document.querySelector("[aria-label='Next record']:enabled") && document.activeElement === document.body`)
	press(`altKey: true, key: "ArrowDown"`)
	p.WaitText(".editor header", " #2")
}

// TestRecordsInWords checks that a new value is in sight beside a long old one, that Escape clears the selection, and
// that an order names its pet, also where it is refused and as of an earlier request.
func TestRecordsInWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Post("/admin/reset", `{"pets": 10}`))
	w.Must(t, Patch("/categories/3", `{"description": "New words"}`))
	w.Must(t, Patch("/store/orders/1", `{"petId": 2, "shipDate": "2031-01-01T00:00:00Z"}`))
	p := show(t, w, "/?view=data&table=categories")
	p.Resize(1280, 800)
	p.Wait(`((is) => is?.getBoundingClientRect().right < is.closest("td").getBoundingClientRect().right)(
		document.querySelector(".since ins"))`)
	p.Click("checkbox", "Select category 3")
	p.WaitText(".picks", "1 selected")
	p.Press(browsertest.Escape)
	p.Wait(`!document.querySelector(".picks")`)

	p.Allow("status of 4")
	p.Open(w.URL + "/?view=data&table=orders&open=1")
	p.In(".editor").Fill("combobox", "Pet", "nobody at all")
	p.Click("button", "Save")
	p.WaitText(".editor .wrong", "Choose a pet by its name or id")

	p.Open(w.URL + "/?view=data&table=orders&at=2&open=1")
	p.WaitText(".editor .facts", pet(t, w, "2").Name+" #2")
	p.WaitText(".editor .facts", "Ship date (UTC)")
}
