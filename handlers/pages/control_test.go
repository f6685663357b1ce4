package pages_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

func TestSnapshotsAndReset(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=snapshots")
	calls(p, "save a snapshot", "curl -s -X PUT \\ '"+w.URL+"/admin/snapshots/snapshot-1'")
	p.Click("button", "Save snapshot")
	p.WaitText(".toasts", "Saved snapshot “snapshot-1”.")
	p.Wait(`document.querySelector("form input").value === "snapshot-2"`)
	w.Must(t, Delete("/admin/snapshots/snapshot-1"))
	p.WaitText(".snapshots", "No snapshots")
	p.Fill("textbox", "Name of the snapshot", "")
	p.Wait(`((name) => name.value === "" && name.placeholder === "snapshot-1")(document.querySelector("form input")) &&
		!document.querySelector("form .primary:disabled")`)
	p.Fill("textbox", "Name of the snapshot", "Lesson 1!")
	p.WaitText("form [role=status]", "Names have up to 63 of a–z, 0–9, “.”, “_” and “-”.")
	p.Resize(375, 812)
	p.Wait(`document.querySelector("form input").offsetWidth > 150`) // the note is below it
	p.Resize(1280, 800)
	p.Click("button", "Save snapshot")
	p.WaitText(".toasts", "Saved snapshot “lesson-1”.")
	p.WaitText(".snapshot", "lesson-1")
	create(t, w, "New")
	p.Click("button", "1 pet added")
	p.WaitText(".snapshots tr:has(table)", "added")
	p.Wait(`document.querySelector("tr table a").search === "?view=data&table=pets&open=7"`)
	p.Click("button", "Restore")
	p.WaitText(".toasts", "Restored “lesson-1”.")
	w.Get(t, "/pets?name=New").ExpectHeader(t, "X-Total-Count", "0")
	create(t, w, "New")
	everything := string(w.Get(t, "/admin/snapshots").Body)
	for _, act := range [][2]string{{"Delete “lesson-1”…", "Delete snapshot “lesson-1”?"},
		{"Replace snapshot…", "Replace snapshot “lesson-1”?"}} {
		p.Fill("textbox", "Name of the snapshot", "lesson-1")
		p.Click("button", act[0])
		leaves(p, act[1])
	}
	askReset(p, "default")
	leaves(p, "Reset “default”?")
	w.Get(t, "/admin/snapshots").ExpectJSON(t, everything)
	w.Get(t, "/pets?name=New").ExpectHeader(t, "X-Total-Count", "1")
	p.Click("button", "Replace snapshot…")
	p.Click("button", "Replace")
	p.WaitText(".toasts", "Saved snapshot “lesson-1”.")
	p.WaitText(".snapshot", "no changes")
	p.Wait(`[...document.querySelectorAll(".snapshot button")].some(({ innerText, disabled }) =>
		innerText.trim() === "Restore" && disabled)`)
	p.Click("button", "Delete “lesson-1”…")
	p.Click("button", "Delete")
	p.WaitText(".toasts", "Deleted snapshot “lesson-1”.")
	askReset(p, "default")
	p.WaitText(".parts", "Data and ids 6 pets, 4 orders 1 added 5 pets, 4 orders Requests")
	p.WaitText("dialog", "There are no changes to clock, faults, lifecycle or deprecated calls.")
	p.In("dialog").Click("checkbox", "Data and ids")
	p.WaitText(".parts", "Data and ids 6 pets, 4 orders stays Requests")
	p.WaitText("dialog", "There is no undo.")
	p.In("dialog").Click("checkbox", "Requests")
	p.In("dialog").Click("checkbox", "Idempotency keys, rate limit")
	p.Wait(`document.querySelector("dialog .danger:disabled").innerText === "Reset" &&
		!document.querySelector("dialog").innerText.includes("undo")`)
	p.In("dialog").Click("checkbox", "Requests")
	p.In("dialog").Click("checkbox", "Idempotency keys, rate limit")
	p.In("dialog").Click("button", "Reset 2 parts")
	p.WaitText(".toasts", "Reset the requests, idempotency keys and rate limit of “default”.")
	w.Get(t, "/pets?name=New").ExpectHeader(t, "X-Total-Count", "1")
	w.Get(t, "/pets/1") // is deprecated
	askReset(p, "default")
	p.WaitText(".parts", "Deprecated calls 1 client, 1 call 0 calls")
	p.Resize(375, 800)
	p.Wait(`[...document.querySelectorAll(".parts tbody th")].every((part) => part.scrollWidth <= part.clientWidth)`)
	p.Click("button", "With another baseline")
	p.Fill("textbox", "Pets", "-5")
	p.In("dialog").Click("button", "Reset 4 parts")
	p.WaitText("dialog .wrong", "Write a whole number, 0 or more.")
	p.Fill("textbox", "Pets", "")
	p.Wait(`!document.querySelector("dialog .wrong")`)
	p.WaitText("dialog", "You can undo the reset for a minute")
	p.In("dialog").Click("button", "Reset 4 parts")
	p.WaitText(".toasts", "Reset “default”.")
	w.Get(t, "/pets?name=New").ExpectHeader(t, "X-Total-Count", "0")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Undid the reset. The requests, the deprecated calls and the idempotency keys are gone.")
	w.Get(t, "/pets?name=New").ExpectHeader(t, "X-Total-Count", "1")
}

// TestResetOfParts checks that the question names the values after a reset, that a sandbox without changes has nothing
// to reset, and that Undo brings back the clock, the faults and the lifecycles that a reset of some parts took.
func TestResetOfParts(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=faults")
	askReset(p, "default")
	p.Wait(`document.querySelector("dialog .danger:disabled").innerText === "Nothing to reset" &&
		!document.querySelector("dialog input:enabled") && !document.querySelector("dialog").innerText.includes("undo")`)
	p.In("dialog").Click("button", "Cancel")
	create(t, w, "New")
	w.Must(t, Put("/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`))
	w.Must(t, Post("/admin/faults", `{"status": 503, "times": 5}`))
	w.Must(t, Patch("/admin/operations/listOrders", `{"deprecated": true, "sunset": "2032-01-01"}`))
	askReset(p, "default")
	p.WaitText(".parts", "Clock 2031-01-01 00:00, frozen real time Faults 1 rule no rules Lifecycle 1 operation changed "+
		"as in the document Requests 1 0")
	p.WaitText("dialog", "but not that of the requests, idempotency keys and rate limit.")
	p.Click("button", "With another baseline")
	p.Wait(`[...document.querySelectorAll("dialog .field input")].some(({ placeholder }) => placeholder === "5")`)
	p.Fill("textbox", "Pets", "7")
	p.WaitText(".parts", "1 added 7 pets, 4 orders")
	for _, part := range []string{"Data and ids", "Requests", "Idempotency keys, rate limit"} {
		p.In("dialog").Click("checkbox", part)
	}
	p.Wait(`document.querySelector("dialog [aria-expanded]").disabled && !document.querySelector("dialog .field")`)
	p.WaitText("dialog", "You can undo the reset for a minute.")
	state := func() string {
		var clock, rules map[string]any
		w.Get(t, "/admin/clock").Decode(t, &clock)
		var all []map[string]any
		w.Get(t, "/admin/faults").Decode(t, &all)
		if len(all) > 0 {
			rules = all[0]
		}
		var operations []map[string]any
		w.Get(t, "/admin/operations").Decode(t, &operations)
		orders := slices.IndexFunc(operations, func(one map[string]any) bool { return one["operationId"] == "listOrders" })
		return fmt.Sprintf("%v, frozen %v, rule %v %v, sunset %v",
			clock["now"], clock["frozen"], rules["status"], rules["times"], operations[orders]["sunset"])
	}
	const before = "2031-01-01T00:00:00Z, frozen true, rule 503 5, sunset 2032-01-01"
	p.In("dialog").Click("button", "Reset 3 parts")
	p.WaitText(".toasts", "Reset the clock, faults and lifecycle of “default”.")
	if got := state(); !strings.HasSuffix(got, ", frozen false, rule <nil> <nil>, sunset <nil>") {
		t.Errorf("the reset left %s", got)
	}
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Restored the clock, faults and lifecycle.")
	if got := state(); got != before {
		t.Errorf("the undo made %s, want %s", got, before)
	}
	w.Must(t, Post("/admin/reset?only=journal", ""))
	askReset(p, "default")
	p.WaitText("dialog", "There are no changes to requests or deprecated calls.")
}

// TestChangedSinceSnapshot checks that the changes since a snapshot include the inventory, and are one table.
func TestChangedSinceSnapshot(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/snapshots/full", ""))
	w.Must(t, Delete("/pets/3"))
	w.Must(t, Put("/admin/snapshots/less", ""))
	p := show(t, w, "/?view=snapshots")
	w.Must(t, Put("/store/inventory/2", `{"quantity": 42}`))
	p.Click("button", "1 inventory entry changed")
	var pet, created struct {
		ID   int
		Name string
	}
	w.Get(t, "/pets/2").Decode(t, &pet)
	p.WaitText(".changes", "Inventory entry 2 changed "+pet.Name+" quantity")
	w.Must(t, Patch("/pets/1", `{"status": "sold"}`)) // and so of its inventory entry
	p.Click("button", "2 records changed, 1 removed")
	p.WaitText(".snapshots", "3 removed")
	p.Wait(`[...document.querySelectorAll(".changes")].map(({ rows }) => rows.length).sort().join() === "2,3"`)
	w.Must(t, Post("/admin/snapshots/full/restore", ""))
	p.WaitText(".snapshots", "3 added")
	w.Must(t, Post("/pets", `{"name": "New", "categoryId": 1}`)).Decode(t, &created)
	w.Must(t, Put("/store/inventory/"+strconv.Itoa(created.ID), `{"quantity": 42}`))
	p.Open(w.URL + "/?view=snapshots")
	p.Click("button", "1 pet added") // and its inventory entry with it
	p.WaitText(".differences", "New")
	w.Must(t, Post("/admin/reset?only=data", `{"pets": 200}`))
	p.Wait(`[...document.querySelectorAll(".differences")].every((box) =>
		box.querySelectorAll("tbody tr").length < 30 && box.lastElementChild.innerText?.startsWith("Show all of"))`)
	browsertest.Eval[any](p, `document.querySelectorAll(".differences > button").forEach((button) => button.click())`)
	p.Wait(`[...document.querySelectorAll(".differences")].every((box) =>
		box.querySelectorAll("tbody tr").length > 190 && box.clientHeight === box.scrollHeight)`)
}

// TestLongSnapshotNames checks that two long names are distinguishable in every window, beside their Delete buttons,
// even while the changes since one of them are open.
func TestLongSnapshotNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, name := range []string{"release-2026-03-14-before-migration-of-orders-and-stock-v2",
		"release-2026-03-14.before-migration-of-orders-and-stock-v3"} {
		w.Must(t, Put("/admin/snapshots/"+name, ""))
	}
	rename := `{"name": "` + strings.Repeat("x", 200) + `"}`
	w.Must(t, Patch("/pets/1", rename))
	p := show(t, w, "/?view=snapshots")
	p.In(".snapshot:first-child").Click("button", "1 pet changed")
	for _, width := range []int64{375, 768, 1000, 1280, 1400} {
		p.Resize(width, 800)
		p.Wait(`[...document.querySelectorAll(".snapshot strong")].filter((name) =>
			name.innerText.length > 50 && name.scrollWidth <= name.clientWidth).length === 2`)
		p.Wait(`[...document.querySelectorAll(".snapshot .does button")].every((button) =>
			button.getBoundingClientRect().right < document.querySelector(".wide-table").getBoundingClientRect().right)`)
	}
}

// TestUndoRestore checks that Undo of a restore says how many writes there were since, and reverts the restore
// with them.
func TestUndoRestore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := pet(t, w, "3").Name
	rename := func(id, name string) {
		w.Must(t, Patch("/pets/"+id, `{"name": "`+name+`"}`))
	}
	w.Must(t, Put("/admin/snapshots/mine", ""))
	rename("2", "Theirs")
	p := show(t, w, "/?view=snapshots")
	p.Click("button", "Restore")
	p.WaitText(".toasts", "Restored “mine”.")
	rename("3", "Later")
	p.In(".toasts").Click("button", "Undo")
	p.Wait(`document.activeElement.matches(".wide-table")`)
	p.WaitText(".toasts", "Something else changed since. Undoing now would revert that too: PATCH /pets/3 by ")
	p.Click("button", "Undo anyway")
	p.WaitText(".toasts", "Undid the restore of “mine”, and 1 later write.")
	if got := [2]string{pet(t, w, "2").Name, pet(t, w, "3").Name}; got != [2]string{"Theirs", before} {
		t.Errorf("the pets are %q, want those before the restore", got)
	}
}

// askReset opens the question before a reset, from the menu of the header.
func askReset(p *page, title string) {
	p.Click("button", "Reset, fork, create or delete a sandbox")
	p.Click("menuitem", "Reset “"+title+"”…")
}

// leaves checks that pressing Enter at a question changes nothing.
func leaves(p *page, question string) {
	p.See("heading", question)
	p.Wait(`["Cancel", "Cancel"].includes(document.activeElement.innerText)`)
	p.Press(browsertest.Enter)
	p.Wait(`!document.querySelector("dialog")`)
}

// TestDialogOpensAtItsTop opens a dialog that is higher than the window, with the focus at its end.
func TestDialogOpensAtItsTop(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "New")
	p := show(t, w, "/")
	p.Resize(375, 300)
	askReset(p, "default")
	p.Wait(`document.activeElement.innerText === "Cancel"`)
	p.Wait(`(({scrollTop, scrollHeight, clientHeight}) => scrollHeight > clientHeight && scrollTop === 0)(
		document.querySelector("dialog"))`)
}

// TestKey checks that the page of a server with a key asks for it, keeps it in the tab, and
// reads it from the fragment of the address and removes it there.
func TestKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.AdminKey = "secret-key" })
	p := browsertest.Open(t, w.URL+"/")
	p.Allow("status of 401")
	p.WaitText("main", "This page needs a key")
	p.Wait(`!document.querySelector(".views")`) // which all need the key
	p.Fill("textbox", "Key", "wrong")
	p.Click("button", "Open")
	p.WaitText("main", "The key is not valid.")
	p.Wait(`document.activeElement.matches("[aria-invalid=true]") && document.activeElement.selectionEnd === 5`)
	p.Fill("textbox", "Key", "ключ") // of another keyboard; fetch takes no such headers by itself
	p.Click("button", "Open")
	p.WaitText("main", "The key is not valid.")
	p.Open(w.URL + "/")
	p.WaitText("main", "This page needs a key")
	p.Fill("textbox", "Key", "secret-key")
	p.Click("button", "Open")
	p.WaitText(".live", "live")
	p.WaitText("main", "No requests yet")
	p.Open(w.URL + "/?view=faults")
	p.WaitText(".live", "live")
	calls(p, "Slow", "Bearer ••••••")

	other := browsertest.Open(t, w.URL+"/?view=data#key=secret-key")
	other.WaitText(".live", "live")
	if address := browsertest.Eval[string](other, "location.href"); strings.Contains(address, "secret") {
		t.Errorf("the address is %s", address)
	}
}

func TestThemeIsKept(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/")
	ground := `getComputedStyle(document.body).backgroundColor`
	light := browsertest.Eval[string](p, ground)
	p.Click("button", "Use dark colours")
	p.See("button", "Use light colours")
	dark := browsertest.Eval[string](p, ground)
	if dark == light {
		t.Errorf("light and dark are both %s", dark)
	}
	p.Open(w.URL + "/?view=time")
	if got := browsertest.Eval[string](p, ground); got != dark {
		t.Errorf("the next page is %s, want %s", got, dark)
	}
}

func TestKeysAreListed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, view := range []string{"requests", "data", "faults", "time", "snapshots", "sandboxes"} {
		p := show(t, w, "/?view="+view)
		p.Press("?")
		for _, keys := range []string{"? show the keys", "g t go to Time", "Lists / filter j next row", "Esc close it",
			"Requests p pause and go on", "Data n add a record", "Shift x select up to the row"} {
			p.WaitText("dialog", keys)
		}
		p.Press(browsertest.Escape)
		p.Wait(`!document.querySelector("dialog")`)
	}
}

// TestToastsOfOneSubject checks that a newer toast replaces an older one on the same subject, that an
// outdated toast disappears, and that no toast covers the pager.
func TestToastsOfOneSubject(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=time")
	one := func(text string) {
		t.Helper()
		p.Wait(`document.querySelectorAll(".toast").length === 1 && document.querySelector(".toast").innerText.includes("` + text + `")`)
	}
	p.Click("button", "+1 h")
	one("An hour later.")
	p.Click("button", "Sunsets")
	p.Click("menuitem", "The day after getPet's sunset 2031-01-01")
	one("It is 2031-01-01, the day after getPet's sunset: getPet still answers.")
	p.WaitText(".chips", "2031-01-01")
	w.Must(t, Post("/admin/reset", "")) // by another client
	p.Wait(`window.reset ||= !document.querySelector(".chip") && performance.now()`)
	p.Wait(`!document.querySelector(".toast") && performance.now() - reset < 2000`)

	p.Click("link", "Faults")
	p.Click("button", "Down Responds 503")
	one("now applies to every request")
	p.Click("button", "Clear all faults")
	p.Wait(`!document.querySelector(".rule")`)
	p.Wait(`document.querySelectorAll(".toast").length === 1 && !document.querySelector(".toast").innerText.includes("applies")`)
	p.In(".toast").Click("button", "Undo")
	p.WaitText(".rule", "every request responds 503")

	p.Open(w.URL + "/?view=data")
	for width, status := range map[int64]string{1280: "sold", 375: "pending"} {
		p.Resize(width, 800)
		p.Choose("Status of Rex", status)
		one("Rex is " + status + " now.")
		p.Wait(`document.querySelector(".toast").getBoundingClientRect().bottom <= document.querySelector(".pager").getBoundingClientRect().top`)
	}
}
