package pages_test

import (
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/store"
)

func pet(t *testing.T, w *world, id string) store.Pet {
	t.Helper()
	var found store.Pet
	w.Get(t, "/pets/"+id).Decode(t, &found)
	return found
}

// TestColumnsAreChosen hides a column, and checks that it stays hidden on another page of the same
// browser, but not in another table.
func TestColumnsAreChosen(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data")
	p.WaitText("thead", "Status")
	p.Click("button", "Columns")
	p.Click("menuitemcheckbox", "Status")
	p.Wait(`!document.querySelector("thead").innerText.includes("Status")`)
	p.Miss("combobox", "Status of Rex")
	p.Open(w.URL + "/?view=data")
	p.WaitText("thead", "Category")
	p.Wait(`!document.querySelector("thead").innerText.includes("Status")`)
	p.Click("button", "Columns")
	p.Wait(`document.querySelector("[role=menuitemcheckbox][aria-checked=false]").innerText.trim() === "Status"`)
	p.Click("menuitemcheckbox", "Status")
	p.WaitText("thead", "Status")
	p.Open(w.URL + "/?view=data&table=inventory")
	p.WaitText("thead", "Status")
}

// TestLongChangeIsCut checks that a long change of a record ends in an ellipsis beside the open record, that its title
// has the whole change, and that the table needs no scroll bar for it.
func TestLongChangeIsCut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Patch("/pets/1", `{"name": "Rex of the long name", "categoryId": 2, "status": "sold"}`))
	p := show(t, w, "/?view=data&open=1")
	p.Resize(1280, 800)
	p.See("textbox", "Name")
	p.Wait(`document.querySelector("td.since > [title='name Rex → Rex of the long name, ` +
		`category Dogs #1 → Cats #2, status available → sold']")`)
	p.Wait(`document.querySelector("td.since").scrollWidth > document.querySelector("td.since").clientWidth`)
	p.Wait(`document.querySelector(".table-scroll").scrollWidth === document.querySelector(".table-scroll").clientWidth`)
}

func TestChangeStatusInList(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data")
	p.Wait(`document.querySelector(".records th") && !document.querySelector("th.since")`)
	const image = `getComputedStyle(document.querySelector("td select")).backgroundImage`
	p.Wait(image + ` === "none"`)
	p.Hover("td select")
	p.Wait(image + `.includes("chevron.svg")`)
	p.Choose("Status of Rex", "sold")
	p.WaitText(".toasts", "Rex is sold now.")
	if got := pet(t, w, "1").Status; got != store.Sold {
		t.Errorf("pet 1 is %s", got)
	}
	p.WaitText("#row-1 .since", "status available → sold")
	p.Click("button", "Changed since the baseline 1")
	p.WaitText(".table-scroll", "1 changed Rex status available → sold")
	p.Wait(`document.documentElement.clientWidth - document.querySelector(".add").getBoundingClientRect().right < 20`)
	p.Click("cell", "Rex status available → sold")
	p.WaitText("tr[aria-selected=true]", "changed Rex")
	p.WaitText(".editor header", "Rex #1 Revert")
	p.WaitText(".editor .of-record:has([value=sold])", "was available")
	p.In(".editor").Fill("textbox", "Name", "Rexina")
	p.In(".editor").Click("button", "Revert pet 1")
	p.WaitText(".toasts", "Save or discard your changes to pet 1 first.")
	p.In(".editor").Click("button", "Discard")
	p.In(".editor").Click("button", "Revert pet 1")
	p.WaitText(".toasts", "Pet 1 is as in the baseline.")
	p.WaitText(".table-scroll", "As in the baseline")
	p.Wait(`!document.querySelector(".editor .was, .editor .badge")`)
	p.Press(browsertest.Escape)
	if got := pet(t, w, "1").Status; got != store.Available {
		t.Errorf("after the undo of its row, pet 1 is %s", got)
	}
	removed := pet(t, w, "1").Name
	w.Must(t, Delete("/pets/1"))
	p.Click("button", "Add pet 1 again")
	p.WaitText(".table-scroll", "added "+removed+" category Dogs #1")
	p.See("button", "Delete pet 7") // the added one
	p.WaitText(".toasts", "Added pet 1 again, as 7.")
	p.WaitText("#row-1", "added again as #7")
	p.Click("button", "Changed since the baseline 2")
	p.Wait(`document.querySelector("tr.opens .since")`)
	p.Press("j", browsertest.Enter)
	p.Wait(`document.querySelector(".editor")`)
	_ = browsertest.Eval[bool](p, `[1, 2].every(() => !document.activeElement.dispatchEvent(
		new KeyboardEvent("keydown", {key: "Escape", bubbles: true, cancelable: true})))`) // goes back once
	p.Wait(`!document.querySelector(".editor") && document.querySelector("tr.opens .since")`)
	const marked = `getComputedStyle(document.querySelector("tr.at")).boxShadow !== "none"`
	p.Wait(marked)
	p.Press(browsertest.Escape)
	p.Wait("!(" + marked + ")")
}

// TestRevertAll takes all changes of a table back, and undoes that. The other tables show their changes too.
func TestRevertAll(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Patch("/pets/1", `{"name": "Max"}`))
	create(t, w, "Newton")
	gone := pet(t, w, "2").Name
	w.Must(t, Delete("/pets/2"))
	p := show(t, w, "/?view=data&changed=1")
	p.WaitText("#row-1 strong", "Max") // its present name, as of the others
	p.Resize(375, 800)
	p.Wait(`((end, start) => start.top === end.top && end.right > 350 && start.left < 20)(
		...["h2 + button", "[aria-pressed]"].map((one) =>
			document.querySelector(".filters " + one).getBoundingClientRect()))`)
	p.Resize(1280, 800)
	p.Wait(`((title, button) => button.left - title.right < 20)(
		...["h2", "h2 + button"].map((one) => document.querySelector(".filters " + one).getBoundingClientRect()))`)
	p.Click("button", "Revert 2 of 3…")
	p.WaitText("dialog", "As in the baseline again: Max #1 Deleted: Newton #7 Not brought back: "+gone+" #2.")
	p.In("dialog").Click("button", "Revert")
	p.WaitText(".toasts", "Reverted 2 pets.")
	p.WaitText(".filters h2", "Pets: 1 removed")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".table-scroll", "Newton")
	p.Wait(`document.querySelector(".tables a:last-child").search.includes("changed=1")`)
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
	p.Miss("heading", "Rex #1") // a click on the checkbox does not open the record
	p.Click("button", "Set status")
	p.Click("menuitem", "sold")
	p.WaitText(".toasts", "Set status of 2 pets to sold.")
	number("/pets?status=sold", "3")
	p.In(".filters").Click("button", "Undo") // takes back both writes
	p.WaitText(".toasts", "Undone: Set status of 2 pets to sold.")
	number("/pets?status=sold", "1")
	p.WaitText(".picks", "2 selected") // for the next act
	p.Click("button", "Select none")
	p.Wait(`document.activeElement.closest("tr").id === "row-2"`) // the last selected

	p.Click("checkbox", "Select pet 1")
	p.Wait(`document.querySelector("#row-4 input").dispatchEvent(new MouseEvent("click", { bubbles: true, ` +
		`shiftKey: true }))`)
	p.WaitText(".picks", "4 selected")
	p.Wait(`document.querySelector(".toast").getBoundingClientRect().bottom <=
		document.querySelector(".picks").getBoundingClientRect().top`)
	p.Click("checkbox", "Select all on this page")
	p.WaitText(".picks", "5 selected")
	p.Click("button", "Delete…")
	p.In("dialog").Click("button", "Delete")
	p.WaitText(".toasts", "Deleted 5 pets.")
	p.Wait(`document.activeElement.matches(".add")`) // no row is left
	p.WaitText(".table-scroll", "No pets")
	p.WaitText(".filters", "Changed since the baseline 5")
	browsertest.Eval[any](p, `void new MutationObserver(() => {
		window.struck ||= document.querySelector(".was-removed") !== null
	}).observe(document.body, {childList: true, subtree: true})`)
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".pager", "1 to 5 of 5")
	p.Wait(`!window.struck`) // as if Undo had failed
	number("/pets", "5")

	p.Open(w.URL + "/?view=data&table=categories")
	p.Allow("status of 409")
	p.Click("checkbox", "Select category 1")
	p.Click("button", "Delete…")
	p.WaitText("dialog", "Dogs has pets, so it cannot be deleted.")
	p.Wait(`document.querySelector("dialog .danger").disabled`)
	p.In("dialog").Click("button", "Cancel")
	p.Click("checkbox", "Select category 3") // a category without pets
	p.Click("button", "Delete…")
	p.WaitText("dialog", "Dogs has pets, so it cannot be deleted.")
	p.In("dialog").Click("button", "Delete")
	p.WaitText(".toasts", "1 failed: Category 1 cannot be deleted")
	p.WaitText(".toasts", "Deleted 1 category.")
	p.WaitText(".picks", "1 selected")
	number("/categories", "2")
}

// TestLinksBetweenRecords goes from a pet to its category, its orders and its stock, and shows JSON.
func TestLinksBetweenRecords(t *testing.T) {
	t.Parallel()
	p := show(t, newWorld(t), "/?view=data&table=orders&open=1")
	p.Allow("pets/6/photo") // of a deleted pet that an order still names
	p.WaitText("#row-1", "Rex #1")
	p.WaitText(".editor header", "Order #1")
	p.Wait(`document.querySelector(".editor [list]").value === "Rex #1"`)
	p.In(".editor").Click("link", "Pet 1")
	p.See("heading", "Rex #1")
	p.Click("group", "") // opens the JSON
	p.WaitText(".editor pre", `"name": "Rex"`)
	p.In(".editor").Click("link", "Category 1")
	p.See("heading", "Dogs #1")
	p.In(".editor").Click("link", "Pets")
	p.Wait(`new URLSearchParams(location.search).get("categoryId") === "1"`)
	p.WaitText(".table-scroll", "Rex")
	p.In(".table-scroll tbody tr").Click("link", "Dogs #1")
	p.See("heading", "Dogs #1")
}

// TestCountFollowsOtherClients checks that the count is updated at once when another client writes.
func TestCountFollowsOtherClients(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data")
	p.WaitText(".tables", "Pets 5")
	// No timer reads anything.
	p.Wait(`(() => { for (let timer = setTimeout(() => 0); timer > 0; timer--) clearInterval(timer); return true })()`)
	create(t, w, "New")
	p.WaitText(".pager", "1 to 6 of 6")
	p.Miss("button", "Next")
	p.WaitText(".tables", "Pets 6")
}

func TestDeleteOrderAndChangeStock(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data&table=orders&open=1")
	p.Allow("pets/") // of a deleted pet that an order still names
	p.Click("button", "Delete")
	p.WaitText(".toasts", "Deleted order 1.")
	p.WaitText(".tables [aria-current]:has([title='Since the baseline'])", "Orders 3")
	p.WaitText("#row-4", "Rex #1")
	w.Must(t, Delete("/pets/1"))
	p.WaitText("#row-4", "Rex #1 deleted")
	p.WaitText("#row-2", "#6 deleted") // its pet was never in this sandbox
	w.Get(t, "/store/orders/1").Expect(t, 404, "not_found")
	p.Open(w.URL + "/?view=data&table=inventory&open=4")
	p.Fill("textbox", "Quantity", "77")
	p.Click("button", "Save")
	p.WaitText(".toasts", "Changed inventory entry 4.")
	var item store.InventoryItem
	w.Get(t, "/store/inventory/4").Decode(t, &item)
	if item.Quantity != 77 {
		t.Errorf("the quantity is %d", item.Quantity)
	}
}

// TestNewOrder finds the pet of a new order by its name, and checks that ship dates are shown and sent in UTC.
func TestNewOrder(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data&table=orders&open=4")
	p.Allow("pets/6/photo") // of a deleted pet that an order still names
	p.Wait(`document.querySelector(".editor [type=datetime-local]").value.startsWith("2024-12-31T23:00")`)
	p.Open(w.URL + "/?view=data&table=orders&open=new")
	lists := func(pets string) {
		t.Helper()
		p.Wait(`[...document.querySelectorAll(".editor datalist option")].map(({value}) => value).join() === "` + pets + `"`)
	}
	shows := func(pet string) {
		t.Helper()
		p.Wait(`document.querySelector(".editor [list]").value === "` + pet + `"`)
	}
	p.Fill("combobox", "Pet", "rme")
	lists("Ärmel #3")
	p.Fill("textbox", "Quantity", "2")
	shows("Ärmel #3")
	hold(p, "GET", "&name=misty")
	p.Fill("combobox", "Pet", "misty")
	p.Fill("textbox", "Quantity", "3")
	shows("misty") // not the pet of an earlier list
	p.Wait(`window.arrive`)
	browsertest.Eval[any](p, `void window.arrive()`)
	lists("Misty #2,Misty #5")
	p.Fill("combobox", "Pet", "Misty #5")
	p.Wait(`((date) => {
		date.value = "2031-01-31T09:30"
		return date.dispatchEvent(new Event("input", {bubbles: true}))
	})(document.querySelector(".editor [type=datetime-local]"))`)
	p.Click("button", "Add")
	p.WaitText(".toasts", "Added order ")
	p.WaitText(".editor header", "Order #6")
	var order store.Order
	w.Get(t, "/store/orders/6").Decode(t, &order)
	if want := (store.Order{ID: 6, PetID: 5, Quantity: 3, ShipDate: "2031-01-31T09:30:00Z"}); order != want {
		t.Errorf("the order is %+v", order)
	}
}

// TestDataViewIsNotJournaled checks that reads and changes in the data view are not recorded as
// requests to the service.
func TestDataViewIsNotJournaled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Post("/admin/faults", `{"status": 503}`))
	p := show(t, w, "/?view=data&table=messages&open=new")
	p.Fill("textbox", "Message", "Hello")
	p.Click("button", "Add")
	p.WaitText(".toasts", "Added message ")
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
		w.Must(t, Post("/categories", `{"name": "Many"}`))
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
	w.Must(t, Delete("/categories/51"))
	p.WaitText(".pager", "1 to 50 of 50")
	p.Wait(`!location.search.includes("page=") && document.querySelectorAll("tbody tr").length === 50`)
	p.Open(w.URL + "/?view=data&table=categories&page=99&name=dogs")
	p.WaitText(".pager", "1 to 1 of 1")
	p.WaitText("tbody", "Dogs")
	p.Open(w.URL + "/?view=data&table=categories&page=99&name=nothing")
	p.WaitText(".table-scroll", "Nothing matches")
	p.Open(w.URL + "/?view=sandboxes&page=99")
	p.WaitText("tbody", "default")
	p.Wait(`!document.querySelector(".pager")`) // of one page
	p.Open(w.URL + "/?view=data")
	p.Fill("searchbox", "Id", "one")
	p.Allow("status of 400")
	p.WaitText(".error-note", "must be an integer")
	p.Wait(`!document.querySelector("tbody tr")`) // these would match another filter
	p.Miss("heading", "Nothing matches")          // nothing was looked for
	p.Fill("searchbox", "Id", "")
	p.Wait(`document.querySelectorAll("tbody tr").length === 5 && !document.querySelector(".error-note")`)
}

// TestRecordOfAddressIsInSight checks that the row of the record that the address names is scrolled to.
func TestRecordOfAddressIsInSight(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data")
	w.Must(t, Post("/admin/reset", `{"pets": 30}`))
	p.Open(w.URL + "/?view=data&open=20")
	p.Wait(`(({bottom}) => bottom <= document.querySelector(".table-scroll").getBoundingClientRect().bottom + 1)(
		document.getElementById("row-20").getBoundingClientRect())`)
}

// TestTableOnPhone checks that the heading of orders has one line, that their last column ends at one edge, and that
// the bar of the selected records hides none at the end of the list.
func TestTableOnPhone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Post("/admin/reset", `{"pets": 30}`))
	p := show(t, w, "/?view=data&table=orders")
	p.Resize(375, 800)
	p.Wait(`document.querySelectorAll(".records .last").length > 1`)
	p.Wait(`document.querySelector("thead").offsetHeight < 60`)
	p.Wait(`getComputedStyle(document.querySelector("thead tr")).maskImage !== "none"`) // it has more beyond the edge
	p.Wait(`new Set([...document.querySelectorAll(".records tbody :is(.side, .last)")].map((cell) =>
		cell.getBoundingClientRect().right - parseFloat(getComputedStyle(cell).paddingRight))).size === 1`)
	browsertest.Eval[any](p, `void document.querySelector("tbody tr:last-child input").click()`)
	p.Wait(`document.querySelector(".picks")`)
	p.Wait(`(document.querySelector(".table-side").scrollTop = 1e6) &&
		document.querySelector("tbody tr:last-child").getBoundingClientRect().bottom <=
		document.querySelector(".picks").getBoundingClientRect().top`)
	p.Click("button", "Set completion")
	p.WaitText(".picks [role=menu]", "complete not complete")
}

// TestStatusHasRoomForItsArrow checks that a status grows by the width of its arrow.
func TestStatusHasRoomForItsArrow(t *testing.T) {
	t.Parallel()
	_, p := newPage(t, "/?view=data")
	p.Resize(768, 1024)
	p.Wait(`window.narrow ||= document.querySelector("td select")?.offsetWidth`)
	p.Hover("td select")
	p.Wait(`document.querySelector("td select").offsetWidth === narrow + 12`)
}

// TestBarAndLinksHaveRoom checks that the bar of the selected records is beside an open panel, that it has two lines
// on a phone, and that the links of a record do not touch.
func TestBarAndLinksHaveRoom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Post("/admin/reset", `{"pets": 60}`))
	w.Must(t, Patch("/pets/1", `{"name": "Rex"}`))
	p := show(t, w, "/?view=data&open=1")
	p.Resize(1280, 800)
	apart := func() {
		t.Helper()
		p.Wait(`((links) => links.length === 3 && links.every((link, i) => link.getBoundingClientRect().left ===
			(i ? links[i - 1].getBoundingClientRect().right + 8
				: document.querySelector(".editor form").getBoundingClientRect().left)))(
			[...document.querySelectorAll(".editor nav a")])`)
	}
	apart()
	p.Click("checkbox", "Select all on this page")
	p.WaitText(".picks", "50 selected Select all 60 Set status Revert 1 Delete…")
	for _, width := range []int64{1280, 1000, 768} {
		p.Resize(width, 800)
		p.Wait(`document.querySelector(".picks").getBoundingClientRect().right <
			document.querySelector(".editor").getBoundingClientRect().left`)
		p.Wait(`document.querySelector(".picks").checkVisibility({ visibilityProperty: true })`)
	}
	p.In(".picks").Click("button", "Revert 1")
	p.WaitText(".toasts", "Reverted 1 pet.")
	p.Resize(375, 800)
	p.Wait(`((gap) => gap > 0 && gap < 16)(document.querySelector(".views").getBoundingClientRect().top -
		document.querySelector(".toast").getBoundingClientRect().bottom)`) // the bar is under the panel
	apart()
	p.Click("button", "Close")
	p.Wait(`((at) => at("strong").top < at(".pair").top - 20 && at(".icon").right > 350 &&
		["strong", "button:not([class])", ".icon"].every((one) => Math.abs(at(one).y + at(one).height / 2 -
			at(".icon").y - at(".icon").height / 2) < 2) && at("[popovertarget]").y === at(".danger").y)(
		(one) => document.querySelector(".picks " + one).getBoundingClientRect())`)
}
