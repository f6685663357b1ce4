package pages_test

import (
	"strconv"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

func TestSandboxes(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=sandboxes")
	p.Click("button", "Create a sandbox…")
	p.In("dialog").Fill("textbox", "Name", "ada")
	p.WaitText("dialog", "Its address is /sandboxes/ada/.")
	p.In("dialog").Fill("textbox", "Name", "Ada Lovelace")
	p.WaitText("dialog", "Its address is /sandboxes/ada-lovelace-767402161715/.")
	p.In("dialog").Fill("textbox", "Name", "Ünı – 1 ©")
	p.WaitText("dialog", "Its address is /sandboxes/n----1-e9efed9a2c4e/.")
	for _, name := range []string{"  ", "\u202e", "..", "*"} {
		p.In("dialog").Fill("textbox", "Name", name)
		p.WaitText("dialog .field", "A name cannot be blank, “*”, “.” or “..”.")
		p.Wait(`document.querySelector("dialog button.primary").disabled`)
	}
	p.In("dialog").Fill("textbox", "Name", "Ada Lovelace")
	p.WaitText("dialog", "Sandbox key (optional)")
	p.In("dialog").Miss("checkbox", "Private: nobody gets in without the key")
	p.In("dialog").Fill("textbox", "Sandbox key (optional)", "adas-key")
	p.In("dialog").See("checkbox", "Private: nobody gets in without the key")
	p.In("dialog").Click("button", "Create")
	p.WaitText("dialog:modal", "Created “Ada Lovelace” Sandbox key Copy it now: it is not shown again.")
	p.Wait(`document.querySelector("dialog input").value === "adas-key"`)
	p.WaitText(".table-scroll", "Ada Lovelace ada-lovelace-767402161715 own key")
	p.WaitText(".table-scroll", "5 pets, 4 orders")
	p.Wait(`(Object.defineProperty(navigator, "clipboard", ` +
		`{value: {writeText: async (text) => { window.copied = text }}}), true)`)
	p.In("dialog").Click("button", "Copy the link with the key")
	p.Wait(`window.copied === "` + w.URL + `/sandboxes/ada-lovelace-767402161715/#key=adas-key"`)
	p.In("dialog").Click("button", "Open")
	p.Wait(`location.pathname.startsWith("/sandboxes/ada")`)
	p.WaitText(".table-scroll", "Ada Lovelace")
	p.Wait(`document.querySelector(".combobox input").value === "Ada Lovelace"`)
	p.Fill("combobox", "Sandbox", "defa")
	p.Wait(`document.querySelectorAll("[role=option]").length > 0`)
	p.Press(browsertest.Enter)
	p.Wait(`location.pathname === "/" && location.search === "?view=sandboxes"`)
	p.Fill("combobox", "Sandbox", "bob")
	p.WaitText("[role=listbox]", "Create “bob”")
	p.Press(browsertest.Enter)
	p.Wait(`location.pathname === "/sandboxes/bob/"`)
	p.WaitText(".toasts", "Created “bob”.")
	p.WaitText(".live", "live")
	w.Get(t, "/pets") // of default, which is the last to be used
	p.Click("combobox", "Sandbox")
	p.WaitText("[role=option][aria-selected=true]", "bob current")
	p.WaitText("[role=option]:last-child", "Create a sandbox…")
	p.Wait(`(document.querySelector("[role=option]:last-child")
		.dispatchEvent(new MouseEvent("mousedown", {bubbles: true})), true)`)
	p.WaitText("dialog:modal", "Create a sandbox")
	p.In("dialog").Click("button", "Cancel")
	p.Wait(`!document.querySelector("dialog:modal")`)
	w.Must(t, Post("/sandboxes/bob/pets", `{"name": "Rex", "categoryId": 1}`))
	p.Click("button", "Reset, fork, create or delete a sandbox")
	p.Click("menuitem", "Fork “bob”…")
	p.Wait(`document.querySelector("dialog:modal") && getSelection().toString() === "bob-copy"`)
	p.WaitText("dialog",
		"It has the data, snapshots, clock, faults and lifecycles as they are now, but no requests, webhooks or key.")
	p.In("dialog").Fill("textbox", "Name", "eve")
	p.In("dialog").Click("button", "Fork")
	p.Wait(`location.pathname === "/sandboxes/eve/"`)
	p.WaitText(".toasts", "This is “eve”, a copy of “bob”.")
	w.Get(t, "/sandboxes/eve/pets?name=Rex").ExpectHeader(t, "X-Total-Count", "3") // two are in the baseline
	p.Open(w.URL + "/sandboxes/bob/?view=sandboxes")
	p.Wait(`[...document.querySelectorAll("tr.opens")].some((row) => row.innerText.startsWith("eve") && (row.lastElementChild.click(), true))`)
	p.Wait(`location.pathname === "/sandboxes/eve/"`)
	p.Open(w.URL + "/sandboxes/bob/?view=sandboxes")
	p.Click("button", "What to do with eve")
	p.Click("menuitem", "Use as the template")
	p.WaitText(".toasts", "New sandboxes start as a copy of “eve”: data, clock, faults and lifecycles.")
	p.WaitText("tbody", "eve template")
	p.WaitText(".filters", "Template eve")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "New sandboxes start fresh again.")
	p.Wait(
		`!document.querySelector("tbody").innerText.includes("template") && !document.querySelector(".filters .tag")`)
	p.Click("button", "What to do with eve")
	p.Click("menuitem", "Reset…")
	leaves(p, "Reset “eve”?")
	w.Must(t, Put("/sandboxes/eve/admin/operations/getPet", `{"enforceSunset": true}`))
	p.Wait(`document.querySelector("tbody [title='1 operation changed']")`)
	w.Must(t, Patch("/sandboxes/eve/pets/1", `{"name": "Max"}`))
	p.Wait(`[...document.querySelectorAll("tr.opens")].find((row) => row.innerText.startsWith("eve"))
		.cells[4].innerText.trim() === "1"`)
	p.Click("button", "What to do with eve")
	p.Click("menuitem", "Reset…")
	p.WaitText(".parts", "1 added, 1 changed 5 pets, 4 orders") // those of eve
	p.In("dialog").Click("button", "Reset 4 parts")
	p.WaitText(".toasts", "Reset “eve”.")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Undid the reset. The requests")
	w.Get(t, "/sandboxes/eve/pets?name=Max").ExpectHeader(t, "X-Total-Count", "1")
	w.Get(t, "/sandboxes/eve/pets?name=Rex").ExpectHeader(t, "X-Total-Count", "2")
	p.Click("button", "Reset, fork, create or delete a sandbox")
	p.Click("menuitem", "Delete “bob”…")
	leaves(p, "Delete “bob”?")
	p.Click("button", "Reset, fork, create or delete a sandbox")
	p.Click("menuitem", "Delete “bob”…")
	p.In("dialog").Click("button", "Delete")
	p.Wait(`location.pathname === "/"`)
	p.WaitText(".toasts", "Deleted “bob”.")
	w.Get(t, "/sandboxes/bob/admin").Expect(t, 404, "unknown_sandbox")
	p.Open(w.URL + "/sandboxes/eve/?view=sandboxes")
	p.Click("button", "What to do with eve")
	p.Click("menuitem", "Delete…")
	p.In("dialog").Click("button", "Delete")
	p.Wait(`location.pathname + location.search === "/?view=sandboxes"`)
	p.WaitText(".toasts", "Deleted “eve”.")
	p.Open(w.URL + "/?view=sandboxes")
	p.WaitText(".boxes [aria-current=true]", "default")
	p.Wait(`!document.querySelector(".toast")`)
}

// TestTemplateStays checks that the page says that the template stays when its sandbox is deleted, that a menu changes
// the template, and that one Undo is offered at a time.
func TestTemplateStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/sandboxes/ada", ""))
	w.Must(t, Put("/admin/sandboxes/eve", ""))
	w.Must(t, Put("/admin/template", `{"from": "eve"}`))
	p := show(t, w, "/?view=sandboxes")
	p.Click("button", "What to do with eve")
	p.Click("menuitem", "Delete…")
	p.WaitText("dialog", "The template stays: new sandboxes still start as the copy of it.")
	p.In("dialog").Click("button", "Delete")
	p.WaitText(".filters", "Template eve (deleted)")
	p.Click("button", "Template: how new sandboxes start (eve (deleted))")
	p.WaitText("[aria-checked='true']", "Copy of “eve” (deleted)")
	p.Press(browsertest.Escape)
	p.Click("button", "Create a sandbox…")
	p.WaitText("dialog option", "Template: copy of “eve” (deleted)")
	p.WaitText("dialog", "For a fresh one, first choose “Start fresh” in the menu Template.")
	p.In("dialog").Click("button", "Cancel")
	p.Click("button", "Template: how new sandboxes start (eve (deleted))")
	p.Click("menuitemradio", "Start fresh")
	p.WaitText(".toasts", "New sandboxes start fresh again.")
	dropped(p, "data.json", `{"categories": [], "pets": []}`)
	p.Click("button", "Replace")
	p.WaitText(".toasts", "Replaced the data with “data.json”.")
	for i := range 12 {
		w.Must(t, Put("/admin/sandboxes/box-"+strconv.Itoa(i), ""))
	}
	p.Wait(`document.querySelectorAll(".boxes tbody tr").length > 12`)
	p.Click("button", "Template: how new sandboxes start")
	p.Click("menuitemradio", "Copy of “default”") // the least recently used one
	p.WaitText(".filters", "Template default")
	w.Must(t, Put("/admin/template", `{"from": "ada"}`)) // by another client
	p.Click("button", "Template: how new sandboxes start (default)")
	p.WaitText(".filters", "Template ada")
	p.Press(browsertest.Escape)
	w.Must(t, Put("/admin/template", `{"from": "default"}`))
	p.Click("button", "Create a sandbox…")
	p.WaitText(".filters", "Template default")
	p.In("dialog").Click("button", "Cancel")
	p.Wait(`[...document.querySelectorAll(".toasts button")].filter(({ innerText }) => innerText === "Undo").length === 1`)
}

// TestMakeSandboxThatExists checks that the name of a sandbox is refused as it is typed, and that a
// sandbox that another client has just made does not change.
func TestMakeSandboxThatExists(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/sandboxes/ada", ""))
	p := show(t, w, "/?view=sandboxes")
	p.Allow("status of 409")
	p.Click("button", "Create a sandbox…")
	p.WaitText("dialog", "With 5 pets, 3 categories, 4 orders.")
	p.Wait(`(() => { // the row of the buttons covers no text
		const [note, row] = [...document.querySelectorAll("dialog form > *")].slice(-2);
		return note.getBoundingClientRect().bottom <= row.getBoundingClientRect().top;
	})()`)
	p.Wait(`document.querySelector("dialog .primary").disabled`)
	p.In("dialog").Fill("textbox", "Name", "ada")
	p.WaitText("dialog .wrong", "There is a sandbox “ada” already. Choose another name.")
	p.Wait(`document.querySelector("dialog .primary").disabled`)
	p.In("dialog").Fill("textbox", "Name", "bob")
	p.Wait(`performance.getEntriesByType("resource").some(({ name }) => name.includes("name=bob"))`)
	p.Wait(`!document.querySelector("dialog .primary").disabled`)
	w.Must(t, Put("/admin/sandboxes/bob", ""))
	p.In("dialog").Fill("textbox", "Sandbox key (optional)", "bobs-key")
	p.In("dialog").Click("button", "Create")
	p.WaitText("dialog .wrong", "There is a sandbox “bob” already. Choose another name.")
	p.In("dialog").Fill("textbox", "Name", "eve")
	p.Choose("Start from", "Copy of “ada”")
	w.Must(t, Delete("/sandboxes/ada/pets/1"))
	p.In("dialog").Click("button", "Create")
	p.WaitText("dialog", "Created “eve” Sandbox key")
	w.Get(t, "/sandboxes/eve/pets").ExpectHeader(t, "X-Total-Count", "4")
	p.In("dialog").Click("button", "Done")
	p.Click("button", "What to do with default")
	p.Click("menuitem", "Fork…")
	p.In("dialog").Fill("textbox", "Name", "ada")
	p.WaitText("dialog .wrong", "There is a sandbox “ada” already. Choose another name.")
	p.Press(browsertest.Escape)
	p.Fill("searchbox", "Find a sandbox", "zzz")
	p.WaitText(".table-scroll", "No sandbox matches “zzz”")
	p.Wait(`!document.querySelector(".boxes :is(thead, .pager)")`)
	var bob struct{ Keyed bool }
	w.Get(t, "/admin/sandboxes/bob").Decode(t, &bob)
	if bob.Keyed {
		t.Error("bob has a key now")
	}
}

// TestSandboxRowsDoNotMove checks that the use of a sandbox moves no row under the pointer, that a new sandbox is the
// first row, that the rows are sorted again once the pointer leaves, and that the user can sort them at any time.
func TestSandboxRowsDoNotMove(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/sandboxes/ada", ""))
	w.Must(t, Put("/admin/sandboxes/ben", ""))
	w.Must(t, Put("/sandboxes/ada/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`))
	p := show(t, w, "/?view=sandboxes&sort=-requests")
	ordered := func(want string) {
		t.Helper()
		p.Wait(`[...document.querySelectorAll("tr.opens a:not(.button)")].map((a) => a.textContent).join() === "` +
			want + `"`)
	}
	ordered("ada,ben,default")
	p.WaitText("tr.opens:first-child", "ada 2031-01-01 frozen")
	p.Hover("tr.opens .minor")
	for _, path := range []string{"1", "1", "99999"} {
		w.Unchecked().Get(t, "/sandboxes/ben/pets/"+path)
	}
	p.WaitText("tr.opens:nth-child(2)", "3 33 % 1 0 404 GET /pets/99999")
	w.Must(t, Put("/admin/sandboxes/zoe", ""))
	ordered("zoe,ada,ben,default")
	p.Hover(".searchbox")
	ordered("ben,ada,default,zoe")
	p.Click("button", "Name")
	ordered("ada,ben,default,zoe")
	p.Click("button", "Name")
	ordered("zoe,default,ben,ada")
	w.Must(t, Put("/admin/sandboxes/eve", ""))
	ordered("zoe,eve,default,ben,ada")
	p.Click("button", "Requests")
	ordered("ben,ada,default,eve,zoe")
	for range 200 {
		w.Get(t, "/sandboxes/eve/pets/1")
	}
	w.Unchecked().Get(t, "/sandboxes/eve/pets/99999")
	p.WaitText(".boxes", "201 < 1 % 1")
}

// TestKeyOfSandbox checks that the page changes and removes the key and the privacy of a sandbox.
func TestKeyOfSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/sandboxes/eve", ""))
	p := show(t, w, "/?view=sandboxes")
	p.Allow("status of 40[04]")
	ask := func(is string) {
		t.Helper()
		p.WaitText("tr:has([href$='/eve/']) .tags", is) // the dialog begins with what the row says
		p.Click("button", "What to do with eve")
		p.Click("menuitem", "Key and privacy…")
		p.Wait(`document.querySelector("dialog:modal button.primary:disabled")`)
	}
	ask("")
	p.In("dialog").Fill("textbox", "Sandbox key (optional)", "two words")
	p.In("dialog").Click("button", "Save")
	p.WaitText("dialog .field:has(input.wire) .wrong", "key")
	p.In("dialog").Click("button", "Generate")
	p.Wait(`/^[a-z0-9]{16,28}$/.test(document.querySelector("dialog input.wire").value)`)
	p.In("dialog").Fill("textbox", "Sandbox key (optional)", "eves-key")
	p.Wait(`(Object.defineProperty(navigator, "clipboard", ` +
		`{value: {writeText: async (text) => { window.copied = text }}}), true)`)
	p.In("dialog").Click("button", "Copy the link with the key")
	p.Wait(`window.copied === "` + w.URL + `/sandboxes/eve/#key=eves-key"`)
	p.In("dialog").Click("checkbox", "Private: nobody gets in without the key")
	p.In("dialog").Click("button", "Save")
	p.WaitText(".toasts", "“eve” is private now.")
	w.Get(t, "/sandboxes/eve/pets").Expect(t, 401, "unauthorized")
	withKey := Get("/sandboxes/eve/pets").WithKey("eves-key")
	w.Must(t, withKey)
	ask("private") // the key stays when the sandbox is no longer private
	p.In("dialog").Click("checkbox", "Private: nobody gets in without the key")
	p.In("dialog").Click("button", "Save")
	p.WaitText(".toasts", "“eve” has a key now.")
	w.Must(t, Get("/sandboxes/eve/pets"))
	ask("own key")
	p.In("dialog").Click("button", "Remove the key")
	p.WaitText(".toasts", "“eve” has no key now.")
	var eve struct{ Keyed, Private bool }
	w.Get(t, "/admin/sandboxes/eve").Decode(t, &eve)
	if eve.Keyed || eve.Private {
		t.Errorf("eve still has a key: %+v", eve)
	}
	p.Wait(`!document.querySelector("tr:has([href$='/eve/']) .tag")`)
	ask("") // another client deletes it before the dialog is sent
	w.Must(t, Delete("/admin/sandboxes/eve"))
	p.In("dialog").Fill("textbox", "Sandbox key (optional)", "eves-key")
	p.In("dialog").Click("button", "Save")
	p.WaitText(".toasts", "“eve” is gone: it was deleted meanwhile.")
	p.Wait(`!document.querySelector("dialog")`)
	w.Get(t, "/admin/sandboxes/eve").Expect(t, 404, "")
}

// TestInvalidSandboxName checks that the page refuses invalid names in the input, shows the rule,
// and does nothing else.
func TestInvalidSandboxName(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=sandboxes")
	p.Allow("status of 400")
	for _, name := range []string{"*", ".", "..", strings.Repeat("x", 300)} {
		p.Fill("combobox", "Sandbox", name)
		p.WaitText("[role=listbox]", "Create “"+name+"”")
		p.Press(browsertest.Enter)
		p.WaitText(".picker [role=alert]", "a name has 1 to 200 characters")
		p.Press(browsertest.Enter) // sends no more requests
		p.Wait(`document.querySelector("[role=listbox]").hidden && location.pathname === "/"`)
	}
	p.Fill("combobox", "Sandbox", "default")
	p.Wait(`!document.querySelector(".picker [role=alert]").innerText`)

	p.Press(browsertest.Escape)
	p.Click("link", "Snapshots")
	p.Fill("textbox", "Name of the snapshot", "..")
	p.Wait(`document.querySelector("form input").value === ""`) // the offered name is used
	p.Fill("textbox", "Name of the snapshot", "Lesson 1")
	p.Wait(`document.querySelector("form input").value === "lesson-1"`)
	if got := w.Names(); len(got) != 1 {
		t.Errorf("there are the sandboxes %q", got)
	}
}

// TestTagsOfLongName checks that a long name of a sandbox leaves room for its tags, beside the amount of its data.
func TestTagsOfLongName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/sandboxes/Checkout%20payments%20of%20the%20team%20for%20Europe", ""))
	name := w.Names()[0]
	w.Must(t, Put("/sandboxes/"+name+"/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`))
	w.Must(t, Put("/sandboxes/"+name+"/admin/state",
		`{"categories": [{"id": 1, "name": "Dogs"}], "pets": [{"id": 1, "name": "Rex", "categoryId": 1}]}`))
	p := show(t, w, "/?view=sandboxes")
	p.WaitText(".table-scroll", "1 pet, 0 orders")
	for _, width := range []int64{1280, 768} {
		p.Resize(width, 800)
		p.WaitText("td.tags", "2031-01-01 frozen")
		p.Wait(`[...document.querySelectorAll(".tags .tag")].every((tag) =>
			tag.getBoundingClientRect().right < tag.closest("td").getBoundingClientRect().right)`)
		p.WaitText("thead", "Last request")
	}
	w.Must(t, Put("/admin/clock", `{"advance": "2h"}`))
	p.WaitText("tr:has(.tag:not(.is-changed)) .tags", "2 h ahead") // as in the header
}

// TestTitleIsShown checks that the title is shown where a sandbox is forked, reset or dropped.
// Users may not know the canonical name.
func TestTitleIsShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/sandboxes/Ada%20Lovelace", ""))
	p := show(t, w, "/sandboxes/ada-lovelace-767402161715/?view=sandboxes")
	asks := map[string]string{"Fork": "Fork “Ada Lovelace”", "Reset": "Reset “Ada Lovelace”?",
		"Delete": "Delete “Ada Lovelace”?"}
	for _, verb := range []string{"Fork", "Delete"} {
		p.Click("button", "Reset, fork, create or delete a sandbox")
		p.Click("menuitem", verb+" “Ada Lovelace”…")
		p.See("heading", asks[verb])
		p.Press(browsertest.Escape)
		p.Wait(`!document.querySelector("dialog")`)
	}
	for _, verb := range []string{"Fork", "Reset", "Delete"} {
		p.Click("button", "What to do with ada-lovelace-767402161715")
		p.Click("menuitem", verb+"…")
		p.See("heading", asks[verb])
		if verb == "Reset" { // the dialog of the header, since the row is the current sandbox
			p.WaitText(".parts", "Data and ids")
		}
		p.Press(browsertest.Escape)
		p.Wait(`!document.querySelector("dialog")`)
	}
}

func TestMissingSandboxPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := browsertest.Open(t, w.URL+"/sandboxes/nobody/")
	p.Allow("status of 404")
	p.WaitText("main",
		"There is no sandbox “nobody” It was deleted, expired after being idle, went with a restart of the server, "+
			"or never existed. Create it")
	p.Click("button", "Create it")
	p.WaitText(".live", "live")
	p.WaitText("main", "No requests yet")
}

// TestReplicaWithoutDefault checks that a replica's page leads to a sandbox, as there is no default one.
func TestReplicaWithoutDefault(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.Replica, c.Sharded = "one", true })
	p := browsertest.Open(t, w.URL+"/")
	p.Allow("status of 404")
	p.WaitText("main", "There is no sandbox “default” This replica of the server has only sandboxes whose names end")
	p.Click("button", "Create a sandbox")
	p.Wait(`location.pathname.endsWith(".one/")`)
	p.WaitText(".list", "No requests yet")
}

// TestSaveKeepsItsPlace checks that the form that saves a snapshot appears where it stays.
func TestSaveKeepsItsPlace(t *testing.T) {
	t.Parallel()
	p := show(t, newWorld(t), "/")
	browsertest.Eval[any](p, `void (() => {
		const {fetch} = window
		window.fetch = async (to, init) => {
			if (String(to).includes("admin/snapshots")) await new Promise((done) => { window.arrive = done })
			return fetch(to, init)
		}
	})()`)
	p.Click("link", "Snapshots")
	p.Wait(`window.arrive`)
	const place = `JSON.stringify(document.querySelector(".snapshots form .primary")?.getBoundingClientRect() ?? null)`
	before := browsertest.Eval[string](p, place)
	browsertest.Eval[any](p, `void window.arrive()`)
	p.WaitText("main", "No snapshots")
	if after := browsertest.Eval[string](p, place); before != "null" && before != after {
		t.Errorf("it was at %s, and is at %s", before, after)
	}
}

// TestNarrowListsKeepResults checks that a phone shows the errors of each sandbox, and that a tablet shows the effect
// of each request.
func TestNarrowListsKeepResults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "Rex")
	p := show(t, w, "/?view=sandboxes")
	p.Resize(375, 800)
	p.WaitText("thead", "Name Last used ↓ Requests Errors")
	p.Click("link", "Requests")
	p.Resize(768, 1024)
	p.WaitText(".request", "added pet 7")
	p.Wait(`document.querySelector(".request .client").getBoundingClientRect().right === innerWidth - 16`)
}
