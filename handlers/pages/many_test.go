package pages_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
)

// TestOlderRequests goes back to requests older than the newest thousand. The page reads the
// newest thousand first.
func TestOlderRequests(t *testing.T) {
	t.Parallel()
	const all = 1200
	w := newWorld(t, func(c *handlers.Config) { c.Journal = new(all) })
	kept := w.Server.Sandboxes().Default().Journal
	for i := range all {
		kept.Add(&journal.Request{Method: "GET", Path: fmt.Sprint("/pets/", i+1), Status: 404})
	}
	p := show(t, w, "/?id=3")
	p.WaitText(".detail", "It is older than those in the list.")
	p.WaitText(".detail", "200 older requests are in the journal, but not in this list.")
	p.In(".detail").Click("button", "Show them")
	p.WaitText(".detail h2", "GET /pets/3")
	p.Wait(
		`!document.querySelector(".older") && document.querySelector(".filters").innerText.includes("1,200 requests")`)

	if height := browsertest.Eval[int](p, `document.querySelector(".filters").offsetHeight`); height > 110 {
		t.Errorf("the filters are %d pixels high, more than two lines", height)
	}

	p.Open(w.URL + "/?q=%2Fpets%2F7%3F")
	p.WaitText(".list", "Nothing matches")
	p.In(".list").Click("button", "Show them")
	p.Wait(`document.querySelectorAll(".request").length === 1`)
	p.WaitText(".request", "GET /pets/7")
	p.Open(w.URL + "/?q=foo:bar+status:abc")
	p.WaitText(".list", "Nothing matches foo:bar status:abc “foo:” is not a filter. There are status, op, client,")
	p.Open(w.URL + "/?from=1&to=2")
	p.WaitText(".list", "Nothing came in this part of the time Show all")
	p.Open(w.URL + "/?group=1")
	p.WaitText(".groups td.number", "1,000")
	p.In(".groups").Click("button", "Show them")
	p.WaitText(".groups td.number", "1,200")

	saved := saving(p)
	p.Click("button", "HAR")
	p.Wait(saved + fmt.Sprintf(`?.log.entries.length === %d`, all))
	p.Wait(`new Set(saved.log.entries.map((e) => e._id)).size === ` + fmt.Sprint(all))
}

// TestGapsAreShown hides the page for longer than the journal remembers.
func TestGapsAreShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.Journal = new(5) })
	w.Get(t, "/pets/1")
	p := show(t, w, "/")
	p.Wait(`document.querySelectorAll(".request").length === 1`)
	p.Hide(true)
	p.WaitText(".live", "paused")
	for range 10 {
		w.Get(t, "/pets")
	}
	p.Hide(false)
	p.WaitText(".banner",
		"5 requests came while the page was not connected, and the journal has no room for them any more.")
	p.Wait(`document.querySelectorAll(".request").length === 5`)
	p.Click("button", "Dismiss")
	p.Wait(`!document.querySelector(".banner")`)
}

// TestLongListsAreReadByPages shows 100,000 pets, and checks that the page reads only the pets
// that it shows.
func TestLongListsAreReadByPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.MaxRecords = 300_000 })
	w.Must(t, Post("/admin/reset", `{"pets": 100000}`))
	p := show(t, w, "/?view=data")
	p.WaitText(".pager", "1 to 50 of 100,000")
	p.Click("button", "Last page")
	p.WaitText(".pager", "99,951 to 100,000 of 100,000")
	p.Wait(`document.querySelectorAll(".face img").length > 0 && [...document.querySelectorAll(".face img")].every((image) => image.naturalWidth > 0)`)
	p.Fill("searchbox", "Name", "amanda")
	p.Wait(`document.querySelector("tbody").innerText.toLowerCase().match(/amanda/g).length === document.querySelectorAll("tbody tr").length`)
	read := browsertest.Eval[map[string]int](p, `(() => {
		const lists = performance.getEntriesByType("resource").filter((e) => e.name.includes("/admin/data/pets?"))
		return {times: lists.length, bytes: Math.max(...lists.map((e) => e.decodedBodySize)), rows: document.querySelectorAll("tbody tr").length}
	})()`)
	if read["times"] > 4 || read["bytes"] > 20_000 || read["rows"] > 50 {
		t.Errorf("the page has read %v", read)
	}

	p.Open(w.URL + "/?view=data")
	p.Resize(320, 800)
	p.Click("checkbox", "Select all on this page")
	p.WaitText(".picks", "50 selected") // the bar moves the pager
	p.Click("button", "Next")
	p.WaitText(".picks", "50 selected · 50 elsewhere")
	p.Click("checkbox", "Select all on this page")
	p.WaitText(".picks", "100 · 50 elsewhere Select 900 more")
	p.Wait(`((at) => at(".icon").top + 20 < at("strong").bottom)( // on the same line
		(one) => document.querySelector(".picks > " + one).getBoundingClientRect())`)
}

// TestTypingAmongManySandboxes checks that a search among 10,000 sandboxes requests only the
// sandboxes that it shows, at most once per key press.
func TestTypingAmongManySandboxes(t *testing.T) {
	t.Parallel()
	const all = 10_000
	w := newWorld(t, func(c *handlers.Config) { c.MaxSandboxes = all })
	for i := range all - 1 {
		w.Make(t, fmt.Sprintf("box-%04d", i), registry.CreateOptions{})
	}
	// The sizes of the responses that list sandboxes.
	const asked = `performance.getEntriesByType("resource").filter((e) => e.name.includes("/admin/sandboxes?")).map((e) => e.encodedBodySize)`
	p := show(t, w, "/?view=sandboxes")
	p.WaitText(".pager", "1 to 50 of 10,000")
	browsertest.Eval[any](p, `void performance.clearResourceTimings()`)
	p.Click("combobox", "Sandbox")
	p.Press("7", "7", "7", "7")
	p.Wait(`document.querySelectorAll("[role=option]").length === 2`) // and the offer to create one
	p.WaitText("[role=listbox]", "box-7777")
	for _, bytes := range browsertest.Eval[[]int](p, asked) {
		if bytes > 25_000 {
			t.Errorf("a page of sandboxes has %d bytes", bytes)
		}
	}
	p.Press(browsertest.Escape)
	p.Click("searchbox", "Find a sandbox")
	p.Press("1", "2", "3", "4")
	p.WaitText(".pager", "1 to 1 of 1")
	p.WaitText("tbody", "box-1234")
	if asked := browsertest.Eval[[]int](p, asked); len(asked) > 12 {
		t.Errorf("for nine keys the page asked %d times: %d", len(asked), asked)
	}
	p.Fill("combobox", "Sandbox", "4321")
	p.Press(browsertest.Enter) // before the response arrives
	p.Wait(`location.pathname === "/sandboxes/box-4321/"`)
}

// TestViewRequestsOfManyWrites writes 200 times while a view is open, and counts the view's requests.
func TestViewRequestsOfManyWrites(t *testing.T) {
	t.Parallel()
	const most = 12 // calls per second
	for _, view := range []struct{ address, last string }{
		{"/?view=data&noun=categories&sort=-id", `document.querySelector("main").innerText.includes("Category 199")`},
		{"/?view=faults",
			`performance.getEntriesByType("resource").some((e) => e.startTime > written && e.name.endsWith("/admin/faults"))`},
		{"/?view=snapshots", `document.querySelector(".snapshot .delta")?.textContent.includes("200 ")`},
	} {
		t.Run(view.address, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Must(t, Put("/admin/snapshots/before", ""))
			p := show(t, w, view.address)
			p.WaitText("header", "live")
			p.See("button", "Throttle: Normal") // the page has read the sandbox
			browsertest.Eval[bool](p, `window.begun = performance.now(), true`)
			for i := range 200 {
				w.Must(t, Post("/categories", fmt.Sprintf(`{"name": "Category %d"}`, i)))
			}
			browsertest.Eval[bool](p, `window.written = performance.now(), true`)
			p.Wait(view.last)
			// A view may show a response before the browser has its entry.
			p.Wait(`(window.sent = performance.getEntriesByType("resource").filter((e) => e.initiatorType === "fetch" && e.startTime > begun)).length > 0`)
			calls := browsertest.Eval[int](p,
				`Math.max(...sent.map(({ startTime }, i, `+
					`all) => all.slice(i).filter((e) => e.startTime < startTime + 1000).length))`)
			if calls > most {
				t.Errorf("the view sent %d calls in a second, want at most %d", calls, most)
			}
		})
	}
}

// TestRecordsOfAllPages reverts a selected record, pages while records are selected, selects the records of all pages,
// deletes them and undoes that.
func TestRecordsOfAllPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Post("/admin/reset", `{"pets": 60}`))
	w.Must(t, Patch("/pets/1", `{"name": "Max", "status": "sold"}`))
	p := show(t, w, "/?view=data")
	p.Click("checkbox", "Select pet 1")
	p.Wait(`document.querySelector("thead input").indeterminate`)
	p.In(".picks").Click("button", "Revert 1")
	p.WaitText(".toasts", "Reverted 1 pet.")
	p.Click("checkbox", "Select pet 1")
	p.Click("checkbox", "Select pet 2")
	p.Click("button", "Next")
	p.WaitText(".pager", "51 to 60 of 60")
	p.WaitText(".picks", "1 selected · 1 elsewhere")
	p.Miss("button", "Select all 60") // as if the others alone were added to it
	p.Click("checkbox", "Select pet 51")
	w.Must(t, Patch("/pets/51", `{"name": "Moritz"}`))
	p.WaitText(`#row-51 [data-title="Name"]`, "Moritz")
	p.WaitText(".picks", "2 selected · 1 elsewhere")
	p.See("button", "Select all 60")
	w.Must(t, Delete("/pets/51"))
	p.WaitText(".picks", "1 selected · 1 elsewhere")
	p.WaitText(".toasts", "Another client deleted Moritz.")
	p.WaitText(".pager", "51 to 59 of 59")
	w.Must(t, Post("/admin/undo", ""))
	p.WaitText(".pager", "51 to 60 of 60")
	if strings.Contains(p.Text(".toasts"), "deleted Moritz") {
		t.Error("a message says that Moritz is deleted, although he is back")
	}
	w.Must(t, Delete("/pets/51"))
	w.Must(t, Patch("/pets/2", `{"name": "Luna"}`))
	p.In(".picks").Click("button", "1 elsewhere")
	p.WaitText(".picks ul", "Luna #2")
	p.See("button", "Select none of these")
	p.Press(browsertest.Escape)
	browsertest.Eval[any](p, `void history.back()`) // a page is a step of the history
	p.WaitText(".pager", "1 to 50 of 59")
	p.Wait(`document.querySelector("#row-2 input").checked`)
	p.Wait(`document.querySelector(".picks strong").innerText === "1 selected"`)
	p.Click("button", "Delete…")
	p.WaitText("dialog", "Its inventory entry is deleted too.")
	p.Click("button", "Cancel")
	p.Wait(`document.activeElement.innerText === "Delete…"`)
	p.Click("checkbox", "Select all on this page")
	p.Click("button", "Select all 59")
	p.WaitText(".picks", "59 selected · 9 elsewhere")
	p.Click("button", "Delete…")
	p.WaitText("dialog", " and 56 more 9 of them are elsewhere: on other pages. "+
		"Their inventory entries are deleted too. Their orders stay. Undo brings them back")
	p.In("dialog").Click("button", "Delete")
	p.WaitText(".toasts", "Deleted 59 pets.")
	w.Get(t, "/pets").ExpectHeader(t, "X-Total-Count", "0")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".pager", "1 to 50 of 59")
	p.WaitText(".picks", "59 selected · 9 elsewhere")

	hold(p, "DELETE", "admin/data/pets/30")
	p.Click("button", "Delete…")
	p.In("dialog").Click("button", "Delete")
	p.Wait(`window.arrive`)
	browsertest.Eval[any](p, `void (() => {
		const pressed = performance.now()
		new MutationObserver((_, seen) => {
			window.stopping ||= document.querySelector(".running :disabled")?.innerText === "Stopping…"
			if (document.querySelector(".running")) return
			seen.disconnect()
			window.free = performance.now() - pressed
		}).observe(document.querySelector(".bulk"), {attributes: true, childList: true, subtree: true})
		document.querySelector(".running button").click()
		arrive()
	})()`)
	p.Wait(`window.stopping && window.free > 400`) // longer than between the clicks of a double click
	p.WaitText(".toasts", "Stopped at 30 of 59. Deleted 30 pets.")
	p.Wait(`document.querySelector(".picks strong").innerText.startsWith("29 selected")`)
}

// TestUndoneDeletionIsSelected deletes records of two pages, one of them with unsaved input, and expects Undo to bring
// back the selection and the input, although the second page is not there any more.
func TestUndoneDeletionIsSelected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Post("/admin/reset", `{"pets": 60}`))
	p := show(t, w, "/?view=data")
	name := pet(t, w, "1").Name
	p.Click("checkbox", "Select pet 1")
	p.Click("button", "1")
	p.Fill("textbox", "Name", "Mine")
	p.Press(browsertest.Escape)
	p.Click("button", "Next")
	p.WaitText(".pager", "51 to 60 of 60")
	p.Click("checkbox", "Select all on this page")
	p.WaitText(".picks", "11 selected · 1 elsewhere")
	p.Click("button", "Delete…")
	p.WaitText("dialog", "Your unsaved changes to "+name+" go too.")
	p.In("dialog").Click("button", "Delete")
	p.WaitText(".toasts", "Deleted 11 pets.")
	p.WaitText(".pager", "1 to 49 of 49")
	p.Wait(`!document.querySelector(".toasts").innerText.includes("Unsaved")`)
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".pager", "1 to 50 of 60")
	p.WaitText(".picks", "11 selected · 10 elsewhere")
	p.Wait(`document.querySelector("#row-1 input").checked`)
	p.WaitText(".toasts", "Unsaved changes to pet 1.")
	p.Click("button", "Resume")
	p.Wait(`document.querySelector(".editor input").value === "Mine"`)
}

// TestRunOfManyWrites expects a run to go on past a record that another client has deleted meanwhile, and to stop when
// the user leaves the table. Nothing that it shows renders the whole page anew, since that is slower than a write.
func TestRunOfManyWrites(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Post("/admin/reset", `{"pets": 120}`))
	p := show(t, w, "/?view=data")
	p.Click("checkbox", "Select all on this page")
	p.Click("button", "Select all 120")
	begin := func(status string) { // up to pet 60
		t.Helper()
		hold(p, "PATCH", "admin/data/pets/60")
		p.Click("button", "Set status")
		p.Click("menuitem", status)
		p.In("dialog").Click("button", "Set status")
		p.Wait(`window.arrive`)
	}
	browsertest.Eval[any](p, `void new MutationObserver(() => (window.restyled = true)).observe(
		document.documentElement, {attributes: true})`)
	begin("sold")
	w.Must(t, Delete("/pets/120"))
	p.Allow("status of 404")
	browsertest.Eval[any](p, `void arrive()`)
	p.WaitText(".toasts", "1 was deleted meanwhile.")
	p.WaitText(".picks", "119 selected")
	w.Get(t, "/pets?status=sold").ExpectHeader(t, "X-Total-Count", "119")
	p.Wait(`!window.restyled`)

	begin("pending")
	browsertest.Eval[any](p, `void document.querySelector(".tables a[href*=orders]").click()`)
	p.Wait(`document.querySelector(".tables [href*=orders][aria-current]")`)
	browsertest.Eval[any](p, `void arrive()`)
	p.WaitText(".toasts", "Stopped at 60 of 119, as you left Pets. Set status of 60 pets to pending.")
	w.Get(t, "/pets?status=pending").ExpectHeader(t, "X-Total-Count", "60")
}

// TestRunAmongOtherWrites expects a run to count only the records that it has changed, and to offer no Undo if another
// client wrote meanwhile.
func TestRunAmongOtherWrites(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data")
	p.Click("checkbox", "Select all on this page") // one of five is sold already
	hold(p, "PATCH", "admin/data/pets/4")
	p.Click("button", "Set status")
	p.Click("menuitem", "sold")
	p.Wait(`window.arrive`)
	w.Must(t, Post("/pets", `{"name": "Moritz", "categoryId": 1}`))
	browsertest.Eval[any](p, `void arrive()`)
	p.WaitText(".toasts", "Set status of 4 pets to sold. 1 had it already. "+
		"Another client wrote meanwhile, so this has no Undo.")
	p.In(".toasts").Miss("button", "Undo")
	p.In(".filters").Click("button", "Undo")
	p.WaitText("dialog", "Undo")
	w.Get(t, "/pets").ExpectHeader(t, "X-Total-Count", "6")
}

// TestRunBesideBusyRecord expects a run to give up a record that is never as it was read, and to write the others.
func TestRunBesideBusyRecord(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data")
	p.Allow("status of 412")
	browsertest.Eval[any](p, `void (() => {
		const {fetch} = window
		window.fetch = (to, init) => {
			const busy = init.method === "PATCH" && String(to).endsWith("/pets/1")
			return fetch(to, busy ? {...init, headers: {...init.headers, "If-Match": '"another"'}} : init)
		}
	})()`)
	p.Click("checkbox", "Select all on this page") // one of five is sold already
	p.Click("button", "Set status")
	p.Click("menuitem", "sold")
	p.WaitText(".toasts", "Set status of 3 pets to sold. 1 had it already. 1 failed: ")
	if got := pet(t, w, "1").Status; got == store.Sold {
		t.Errorf("pet 1 is %s", got)
	}
}

// TestRunWithoutSelection expects a run to stop when the user clears the selection, because Stop goes with it.
func TestRunWithoutSelection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Post("/admin/reset", `{"pets": 30}`))
	p := show(t, w, "/?view=data")
	p.Click("checkbox", "Select all on this page")
	hold(p, "PATCH", "admin/data/pets/10")
	p.Click("button", "Set status")
	p.Click("menuitem", "sold")
	p.Wait(`window.arrive`)
	p.Click("checkbox", "Select all on this page")
	p.Wait(`!document.querySelector(".picks")`)
	browsertest.Eval[any](p, `void arrive()`)
	p.WaitText(".toasts", "Stopped at 10 of 30. Set status of ")
}

// TestRunWithoutServer expects to be told how many writes were done before the server went away.
func TestRunWithoutServer(t *testing.T) {
	t.Parallel()
	address, down := behind(t, newWorld(t), "")
	p := browsertest.Open(t, address+"/?view=data")
	p.Allow("net::ERR")
	p.WaitText(".live", "live")
	p.Click("checkbox", "Select all on this page")
	hold(p, "PATCH", "admin/data/pets/3")
	p.Click("button", "Set status")
	p.Click("menuitem", "sold")
	p.Wait(`window.arrive`)
	down.Store(true)
	browsertest.Eval[any](p, `void document.querySelector(".live").click()`) // connects anew
	p.WaitText(".live", "lost")
	browsertest.Eval[any](p, `void arrive()`)
	p.WaitText(".toasts", "The server does not answer. Is it still running? Stopped at 3 of 5. Set status of ")
	if text := p.Text("body"); strings.Contains(text, "nothing was done") {
		t.Errorf("the page says %q", text)
	}
}

// TestLateCounts expects a reading of the counts from before a run, if it arrives after the run, not to withdraw what
// was said of it.
func TestLateCounts(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=data")
	p.Click("checkbox", "Select pet 1")
	p.Click("checkbox", "Select pet 2")
	hold(p, "GET", "/admin")
	w.Must(t, Patch("/pets/3", `{"name": "Moritz"}`))
	p.Wait(`window.arrive`)
	p.Click("button", "Set status")
	p.Click("menuitem", "sold")
	p.WaitText(".toasts", "Set status of 2 pets to sold.")
	const byNewer = `document.querySelector(".acts [title='Undo: Set status of 2 pets to sold.']")`
	p.Wait(byNewer)
	p.Wait(`new Promise((soon) => (arrive(), requestAnimationFrame(() => setTimeout(soon, 0, true))))`)
	p.WaitText(".toasts", "Set status of 2 pets to sold.")
	p.Wait(byNewer)
}
