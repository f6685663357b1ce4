package pages_test

import (
	"fmt"
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestSelectByKeys selects records, sets their status and deletes them, with the keyboard only.
func TestSelectByKeys(t *testing.T) {
	t.Parallel()
	p := show(t, newWorld(t), "/?view=data")
	on := func(row string) {
		t.Helper()
		p.Wait(`document.activeElement.closest("tr")?.id === "` + row + `"`)
	}
	p.WaitText("#row-1", "Rex")
	p.Press("j", "x", "j", "j", "X")
	p.WaitText(".picks", "3 selected")
	p.Press("K", "J", "K")
	p.WaitText(".picks", "2 selected")
	on("row-2")
	p.Press("s")
	p.Wait(`document.activeElement.matches("[role=menuitem]")`)
	p.Press("s", browsertest.Enter)
	p.WaitText(".toasts", "Set status of 2 pets to sold.")
	p.WaitText(".picks", "2 selected")
	on("row-2")
	p.Press("s")
	p.Wait(`document.activeElement.matches("[role=menuitem]")`)
	p.Press("s", browsertest.Enter)
	p.WaitText(".toasts", "Nothing changed. 2 had it already.")
	on("row-2")
	p.Wait(`document.querySelector("#row-5 input").focus() === undefined`)
	p.Press("x") // the row with the focus
	p.WaitText(".picks", "3 selected")
	p.Wait(`document.querySelector("#row-5 input").checked`)
	p.Press("\b")
	p.In("dialog").Click("button", "Delete")
	p.WaitText(".toasts", "Deleted 3 pets.")
	p.Wait(`!document.querySelector(".picks")`)
	on("row-4") // the nearest that is left
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".picks", "3 selected")
	on("row-1")
	p.Press("x")
	p.WaitText(".picks", "2 selected")
	p.Press("/", browsertest.Escape) // leaves the filter only
	p.Wait(`document.activeElement === document.body`)
	p.WaitText(".picks", "2 selected")
	p.Press(browsertest.Escape)
	p.Wait(`!document.querySelector(".picks")`)
	on("row-1")

	p.Press(browsertest.Enter)
	p.WaitText(".editor header", "#1")
	p.Click("checkbox", "Select pet 1")
	p.Click("checkbox", "Select pet 2")
	p.Click("button", "Delete…")
	p.In("dialog").Click("button", "Delete")
	p.WaitText(".toasts", "Deleted 2 pets.")
	p.Wait(`!document.querySelector(".editor")`) // not as if another client had deleted it
	combine(p, "a")
	p.WaitText(".picks", "3 selected")
	combine(p, "a")
	p.WaitText(".picks", "3 selected") // not none
	p.Press("s")
	p.Wait(`document.activeElement.matches("[role=menuitem]")`)
	p.Press("p", browsertest.Enter)
	p.WaitText(".toasts", "to pending.")
	combine(p, "z")
	p.WaitText(".toasts", "Undone: Set status of ")
	p.Press(browsertest.Escape)
	p.Wait(`!document.querySelector(".picks")`)
	p.Click("button", "3")
	p.WaitText(".editor header", "#3")
	p.Wait(`document.querySelector("#row-3 button.id").focus() === undefined`)
	combine(p, "a") // also beside an open record
	p.WaitText(".picks", "3 selected")
}

// combine presses a key with Ctrl.
func combine(p *page, key string) {
	p.Wait(`!document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "` + key +
		`", ctrlKey: true, bubbles: true, cancelable: true}))`)
}

// TestPlaceInListIsKept sets the status of rows, which a filter then hides. The keyboard goes on from the next row.
func TestPlaceInListIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Post("/admin/reset", `{"pets": 0, "orders": 0}`))
	for i := range 6 {
		w.Must(t, Post("/pets", fmt.Sprintf(`{"name": "Pet %d", "categoryId": 1, "status": "available"}`, i)))
	}
	p := show(t, w, "/?view=data&status=available&sort=name")
	p.WaitText(".pager", "1 to 6 of 6")
	on := func(name string) {
		t.Helper()
		p.Wait(`document.activeElement.closest("tr")?.innerText.includes("` + name + `")`)
	}
	set := func(left string) {
		t.Helper()
		p.Wait(`document.querySelector(".picks")`)
		p.Press("s")
		p.Wait(`document.activeElement.matches("[role=menuitem]")`)
		p.Press("s", browsertest.Enter)
		p.WaitText(".pager", left)
	}
	p.Press("j", "j", "x", "J")
	set("1 to 4 of 4")
	on("Pet 3")
	p.Press(browsertest.Escape, "j")
	on("Pet 4")
	browsertest.Eval[any](p, `void document.activeElement.closest("tr").querySelector("input").click()`)
	set("1 to 3 of 3")
	on("Pet 5")
}

// TestSelectByRow selects a row by a click with Ctrl, the rows up to another by one with Shift, and on a phone by a
// long touch. A click alone opens the record.
func TestSelectByRow(t *testing.T) {
	t.Parallel()
	_, p := newPage(t, "/?view=data")
	p.WaitText("#row-1", "Rex")
	press := func(row int, how string) {
		browsertest.Eval[any](p, fmt.Sprintf(`void document.querySelector("#row-%d [data-title='Name']").dispatchEvent(
			new MouseEvent("click", {%s: true, bubbles: true, cancelable: true}))`, row, how))
	}
	press(2, "ctrlKey")
	p.WaitText(".picks", "1 selected")
	press(4, "shiftKey")
	p.WaitText(".picks", "3 selected")
	press(3, "metaKey")
	p.WaitText(".picks", "2 selected")
	p.Wait(`!location.search.includes("open")`)
	p.Press(browsertest.Escape)
	p.Wait(`!document.querySelector(".picks")`)
	touch := func(row int) { // without its end
		browsertest.Eval[any](p, fmt.Sprintf(`void document.querySelector("#row-%d [data-title='Name']").dispatchEvent(
			new PointerEvent("pointerdown", {pointerType: "touch", bubbles: true}))`, row))
	}
	touch(2)
	p.WaitText(".picks", "1 selected")
	press(2, "bubbles") // the end of the touch
	touch(4)
	p.WaitText(".picks", "3 selected")
	browsertest.Eval[any](p, `void ["pointerdown", "pointerup", "click"].forEach((name) => // a short touch
		document.querySelector("#row-5 [data-title='Name']").dispatchEvent(
			new PointerEvent(name, {pointerType: "touch", bubbles: true})))`)
	p.WaitText(".picks", "4 selected")
	p.Wait(`!location.search.includes("open")`)
	p.Resize(375, 812)
	for _, y := range []string{"rect.top + 2", "rect.bottom - 3"} { // beside the box
		p.Wait(`((rect) => document.elementFromPoint(rect.left + 20, ` + y + `).closest("label"))(
			document.querySelector("#row-3").getBoundingClientRect()) !== null`)
	}
}

// TestManyMoreThanUndoReaches expects a question before the status of more records is set than undo reaches. Without
// a snapshot, Undo says that it takes back one of them. A snapshot brings back all that was deleted, and the selection.
func TestManyMoreThanUndoReaches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Post("/admin/reset", `{"pets": 200}`))
	p := show(t, w, "/?view=data")
	p.Click("checkbox", "Select all on this page")
	p.Click("button", "Select all 200")
	p.Click("button", "Set status")
	p.Click("menuitem", "sold")
	p.WaitText("dialog", "Set status of 200 pets to sold?")
	p.WaitText("dialog", "Undo reaches only 100 writes. Save a snapshot first, which brings all of it back")
	p.In("dialog").Click("button", "Cancel")
	p.WaitText(".picks", "200 selected")

	w.Must(t, Patch("/pets/7", `{"status": "sold"}`)) // before the run
	p.Click("button", "Set status")
	p.Click("menuitem", "sold")
	p.In("dialog").Click("checkbox", "Save a snapshot first, which brings all of it back")
	p.In("dialog").Click("button", "Set status")
	p.WaitText(".toasts", "had it already.")
	p.In(".toasts").Miss("button", "Undo")
	p.Wait(`document.querySelector(".acts [title^='Undo: 1 of 1'][title*=', PATCH /pets/']")`)
	p.In(".filters").Click("button", "Undo")
	p.WaitText(".toasts", "Undone: 1 of 1")

	p.Allow("/photo") // of a deleted pet
	p.Click("button", "Delete…")
	p.In("dialog").Click("button", "Delete")
	p.WaitText(".toasts", "Deleted 200 pets.")
	w.Get(t, "/pets").ExpectHeader(t, "X-Total-Count", "0")
	p.In(".toasts").Click("button", "Restore snapshot-1")
	p.WaitText(".toasts", "Restored “snapshot-1”.")
	p.WaitText(".pager", "1 to 50 of 200")
	p.WaitText(".picks", "200 selected · 150 elsewhere")
}

// TestSelectionIsKept selects records, visits other views, and expects them to be selected still, except one that has
// been deleted meanwhile.
func TestSelectionIsKept(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data")
	p.Click("checkbox", "Select pet 1")
	p.Click("checkbox", "Select pet 2")
	p.WaitText(".picks", "2 selected")
	browsertest.Eval[any](p, `void document.querySelector(".tables a[href*=orders]").click()`)
	p.See("checkbox", "Select order 1")
	p.Miss("button", "Select none")
	p.Click("link", "Requests")
	p.See("button", "Pause")
	w.Must(t, Delete("/pets/1"))
	p.Click("link", "Data")
	p.WaitText(".picks", "1 selected")
	p.Wait(`document.querySelector("#row-2 input").checked`)
}
