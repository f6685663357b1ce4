package pages_test

import (
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/sandbox/fault"
)

// openNewest opens the newest request that the list shows.
func openNewest(p *page) {
	p.Wait(`document.querySelector(".request")`)
	p.Press("j", browsertest.Enter)
}

// create sends a POST /pets with the name.
func create(t *testing.T, w *world, name string) {
	t.Helper()
	w.Do(t, Post("/pets", `{"name": "`+name+`", "categoryId": 1}`))
}

// TestKeyboardInRequests opens a request with Enter, which moves the focus into it, goes to the next
// one, and returns to the row with Escape. In a narrow window, buttons go to the next one, too.
func TestKeyboardInRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 3 {
		create(t, w, "Rex")
	}
	p := show(t, w, "/")
	p.Wait(`document.querySelectorAll(".request").length === 3`)
	in := func(id string) {
		t.Helper()
		p.Wait(`document.activeElement.ariaLabel === "Request ` + id + `" && document.activeElement.matches(".detail")`)
	}
	p.Wait(`(document.querySelector(".filter").focus(), true)`) // Enter is not for the button
	p.Press("j", "j", browsertest.Enter)
	in("2")
	p.Press("j")
	in("1")
	p.Press(browsertest.Escape)
	p.Wait(`document.activeElement.getAttribute("aria-activedescendant") === "request-1" && getComputedStyle(document.activeElement).outlineStyle === "none" && getComputedStyle(document.querySelector("#request-1")).outlineStyle === "solid"`)
	p.Press("k", browsertest.Enter)
	in("2")

	p.Resize(768, 800) // where the list is hidden, buttons do the same
	p.Click("button", "Older request")
	in("1")
	p.Wait(`document.querySelector("[aria-label='Older request']").disabled`)
	p.Click("button", "Newer request")
	in("2")
}

func TestFilterIsInTheAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "Good")
	create(t, w, "")
	p := show(t, w, "/")
	p.Wait(`document.querySelectorAll(".request").length === 2`)
	p.Click("button", "Errors")
	p.Wait(`document.querySelectorAll(".request").length === 1 &&
		new URLSearchParams(location.search).get("q") === "status:errors"`)
	p.Press("/")
	p.Wait(`getSelection().toString() === "status:errors"`)
	p.Press(browsertest.Escape) // clears the search, and leaves the focus there
	p.Wait(`document.querySelectorAll(".request").length === 2 && document.activeElement.value === ""`)
	p.Fill("combobox", "Search the requests", "status:4xx nowhere")
	p.WaitText(".list", "Nothing matches status:4xx nowhere Try without nowhere status:errors method:POST")
	again := show(t, w, "/"+browsertest.Eval[string](p, "location.search"))
	again.WaitText(".list", "Nothing matches")
	again.In(".list").Click("button", "Show all 2")
	again.Wait(`document.querySelectorAll(".request").length === 2 && location.search === ""`)

	w.Do(t, Get("/pets/1").With("X-Client", "Shop-web"))
	w.Must(t, Post("/admin/faults", `{"match": {"operationId": "listPets"}, "status": 503}`))
	w.Get(t, "/pets")
	shown := func(path string) {
		t.Helper()
		p.Wait(`[...document.querySelectorAll(".request")].map((row) => row.querySelector(".path").textContent).join() === "` + path + `"`)
	}
	p.Click("button", "Show all")
	p.Click("button", "Filter")
	p.Choose("Operation", "getPet")
	shown("/pets/1")
	p.WaitText(".request", "200 GET /pets/1 deprecated")
	p.Choose("Operation", "any")
	p.Choose("Client name", "Shop-web")
	shown("/pets/1")
	p.Choose("Client name", "any")
	p.Press(browsertest.Escape)
	p.Fill("combobox", "Search the requests", "client:shop")
	shown("/pets/1")
	p.Fill("combobox", "Search the requests", "client:nobody method:get")
	p.WaitText(".list", "No request has client:nobody. Try client:Go-http-client client:Shop-web Show all")
	p.Click("button", "client:Shop-web")
	shown("/pets/1")
	p.Fill("combobox", "Search the requests", "op:getp")
	shown("/pets/1")
	p.Wait(`[...document.querySelectorAll(".bucket")].some(({title}) => / [01] of [2-4] requests, /.test(title))`)
	p.Fill("combobox", "Search the requests", "op:pot")
	p.WaitText(".list", "Nothing matches op:pot Try op:")
	p.Wait(`document.querySelector(".strip .of-aside")`) // the time stays
	p.Open(w.URL + "/?q=client:shop&from=1&to=2")
	p.WaitText(".list", "Nothing matches client:shop in this part of the time Show the whole time Show all 4")
	p.Click("button", "Show the whole time")
	shown("/pets/1")
	p.Fill("combobox", "Search the requests", "-client:shop")
	p.WaitText(".list", "“-client:” is not a filter.")
	p.Fill("combobox", "Search the requests", "path:/pets")
	p.WaitText(".list", "“path:” is not a filter.")
	p.Fill("combobox", "Search the requests", `post "added pet"`) // the row's own words
	shown("/pets")
	p.WaitText(".request .method mark", "POST")
	p.WaitText(".request .reason mark", "added pet")
	p.Fill("combobox", "Search the requests", "")
	p.Click("button", "Deprecated")
	shown("/pets/1")
	p.Click("option", "")
	p.WaitText(".has-detail .request .reason", "deprecated")
	p.WaitText(".detail", "Deprecated. Its successor is /pets?id={petId}")
	p.Press(browsertest.Escape)
	p.Wait(`document.querySelector(".request .tag")`)
	p.Click("button", "Deprecated")
	p.Click("button", "Faults")
	shown("/pets")
	p.WaitText(".request", "503 GET /pets")
	p.Wait(`document.querySelector(".strip .flag").title === "fault rule 1"`)

	p.Click("button", "Clear…")
	p.In("dialog").Click("button", "Cancel")
	shown("/pets")
	p.Click("button", "Clear…")
	p.WaitText("dialog", "also those that the filters hide")
	p.In("dialog").Click("button", "Clear")
	p.WaitText(".list", "No requests yet")
}

// TestSelectedRequestDoesNotMove checks that new requests do not move the selected request, and are not
// shown while the list is paused.
func TestSelectedRequestDoesNotMove(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "First")
	p := show(t, w, "/")
	p.WaitText(".request", "201 POST /pets")
	openNewest(p)
	p.WaitText(".detail", "First")
	create(t, w, "Second")
	p.Click("button", "1 new")
	p.Wait(`document.querySelectorAll(".request").length === 2`)
	p.WaitText(".detail", "First")
	p.Press(browsertest.Escape, "p")
	p.WaitText(".live", "paused")
	create(t, w, "Third")
	p.See("button", "1 new")
	p.Press("p")
	p.WaitText(".live", "live")
	p.Wait(`document.querySelectorAll(".request").length === 3`)
}

// TestOpenRequestIsInSight opens a request low in the list, where the rows above it become higher, and one by its
// address. It checks that the list shows the row.
func TestOpenRequestIsInSight(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 40 {
		create(t, w, "")
	}
	p := show(t, w, "/")
	p.Resize(1280, 800)
	inSight := func(id string) {
		t.Helper()
		p.Wait(`document.querySelector("#request-` + id + `")?.getBoundingClientRect().top - document.querySelector("#request-` + id + `").previousElementSibling.getBoundingClientRect().top === 50`)
		p.Wait(`document.querySelector("#request-` + id + `").getBoundingClientRect().bottom <= document.querySelector(".list").getBoundingClientRect().bottom`)
	}
	p.Wait(`document.querySelector("#request-25")`)
	browsertest.Eval[any](p, `void document.querySelector("#request-25").click()`) // without scrolling to it
	inSight("25")
	p.Click("button", "Fix and send…")
	p.Fill("textbox", "Body", `{"name": "Rex", "categoryId": 1}`)
	p.Click("button", "Send")
	p.Click("button", "Done")
	p.Wait(`document.querySelector("#request-41").getBoundingClientRect().top >= ` +
		`document.querySelector(".list").getBoundingClientRect().top`)
	p.Open(w.URL + "/?id=3")
	inSight("3")
}

// TestWithoutJournal checks that the list says why it stays empty on a server without a journal.
func TestWithoutJournal(t *testing.T) {
	t.Parallel()
	p := browsertest.Open(t, newWorld(t, func(c *handlers.Config) { c.Journal = new(0) }).URL+"/")
	p.Allow("status of 400")
	p.WaitText(".list", "The server keeps no requests Start it with a larger --journal.")
}

// TestResetWhileRequestIsOpen checks that a list that a reset has emptied shows the next request beside
// the open one, but not while it is paused.
func TestResetWhileRequestIsOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Get(t, "/pets/1")
	p := show(t, w, "/")
	openNewest(p)
	p.WaitText(".detail", "/pets/1")
	w.Must(t, Post("/admin/reset", ""))
	p.WaitText(".list", "No requests yet")
	w.Get(t, "/pets/2")
	p.WaitText(".list .request", "200 GET /pets/2")
	p.WaitText(".detail", "This request is gone. The journal has no room for it any more, or was cleared.")

	p.Click("button", "Close")
	p.Press("p")
	p.WaitText(".live", "paused")
	w.Must(t, Post("/admin/reset", ""))
	p.WaitText(".list", "No requests yet")
	w.Get(t, "/pets/3")
	p.See("button", "1 new")
	p.Wait(`document.querySelector(".list").innerText === ""`)
}

// TestClearByAnotherClient checks that a page removes the requests that another client clears.
func TestClearByAnotherClient(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/")
	p.WaitText(".list", "No requests yet")
	p.WaitText(".live", "live")
	cleared := Delete("/admin/requests")
	w.Get(t, "/pets/1")
	w.Must(t, cleared)
	w.Get(t, "/pets/2")
	shown := func(path string) {
		t.Helper()
		p.Wait(`[...document.querySelectorAll(".request .path")].map((path) => path.textContent).join() === "` + path + `"`)
	}
	shown("/pets/2")
	w.Get(t, "/pets/99")
	w.Must(t, cleared) // before the page shows the last request
	p.WaitText(".list", "No requests yet")
	w.Get(t, "/pets/3")
	shown("/pets/3")
}

func faults(t *testing.T, w *world) []fault.Rule {
	t.Helper()
	var rules []fault.Rule
	w.Get(t, "/admin/faults").Decode(t, &rules)
	return rules
}

func TestGroupsOfErrors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 3 {
		create(t, w, "")
	}
	w.Get(t, "/pets/999")
	w.Get(t, "/nowhere")
	w.Get(t, "/elsewhere")
	w.Must(t,
		Put("/admin/faults",
			`[{"match": {"operationId": "listPets"}, "times": 4, "status": 503}, `+
				`{"match": {"operationId": "listPets"}, "times": 5, "status": 503}]`))
	for range 9 {
		w.Get(t, "/pets")
	}
	p := show(t, w, "/?group=1")
	p.Wait(`document.querySelectorAll(".groups tbody tr").length === 5`)
	titles := map[string]string{
		"no operation at /elsewhere, /nowhere": "No operation not_found",
		"rule 1: the operation did not run":    "GET /pets unavailable · rule 1",
		"rule 2: the operation did not run":    "GET /pets unavailable · rule 2",
	}
	for group, size := range map[string]string{
		"no operation at /elsewhere, /nowhere": "2",
		"rule 1: the operation did not run":    "4",
		"rule 2: the operation did not run":    "5",
	} {
		p.In(".groups").Click("link", group)
		p.Wait(`document.querySelectorAll(".request").length === ` + size)
		p.WaitText(".group-title", titles[group])
		p.Click("button", "Error groups")
		p.Wait(`!document.querySelector(".searchbox input").value`)
	}
	p.WaitText(".groups",
		"3 400 POST /pets validation_failed name: must be 1 to 255 characters long, not 0 Go-http-client")
	p.WaitText(".groups tbody tr:nth-child(3) .minor", "12:00:00")
	p.Wait(`(document.querySelector(".groups tbody tr:nth-child(3) td").click(), true)`)
	p.Wait(`document.querySelectorAll(".request").length === 3`)
	p.Wait(`((box) => box.scrollWidth <= box.clientWidth)(document.querySelector(".searchbox input"))`) // shows its words

	// A divider shows the date.
	w.Must(t, Put("/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`))
	w.Get(t, "/pets/1")
	p.Open(w.URL + "/")
	p.WaitText(".request", "12:00:00.000 200 GET /pets/1") // the machine's time
	p.Wait(`document.querySelector(".request .when").title === "2026-07-01 12:00:00 UTC"`)
	p.WaitText(".divider", "clock at 2031-01-01 00:00")
	openNewest(p)
	p.WaitText(".detail-body > .row > .wire", "12:00:00.000")
	p.WaitText(".detail-body > details summary", "sandbox's time 2031-01-01 00:00:00")
	p.Press(browsertest.Escape)
	p.WaitText(".request:nth-child(3)", "12:00:00.000 503 GET /pets")
	p.Wait(`[...document.querySelectorAll(".request .when")].every((when) => when.scrollWidth <= when.clientWidth)`)
	p.Click("button", "Group errors")
	p.WaitText(".groups tbody tr .minor", "12:00:00") // the machine's time too
	p.Fill("combobox", "Search the requests", "what nothing has")
	p.WaitText(".groups", "No request matches Show all")
	p.In(".groups").Click("button", "Show all")
	p.WaitText(".groups tbody tr .minor", "12:00:00") // the machine's time too
}

// TestLinkedRequest opens the page at a request far down in the list, which is scrolled to show it in the middle.
// Beside the open request, each row has two lines, and shows its whole client.
func TestLinkedRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "")
	for range 60 {
		w.Get(t, "/categories")
	}
	p := show(t, w, "/?id=20")
	p.Wait(`(() => {
		const list = document.querySelector(".list").getBoundingClientRect()
		const row = document.querySelector(".request[aria-selected=true]").getBoundingClientRect()
		return row.height > 30 && Math.abs(row.top - list.top - list.height / 2) < 60
	})()`)
	p.Wait(`[...document.querySelectorAll(".request .client")].every((client) =>
		client.checkVisibility() && client.scrollWidth <= client.clientWidth)`)
}

// TestHostileTextIsText shows data that looks like markup in every place that shows data.
func TestHostileTextIsText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hostile := `<img src=x onerror=alert(1)><script>alert(2)</script>`
	w.Do(t,
		Post("/pets", `{"name": "`+hostile+`", "categoryId": 1}`).With("User-Agent", hostile).With("X-Client", hostile))
	w.Get(t, "/pets?name="+strings.Repeat("x", 900))
	p := show(t, w, "/")
	openNewest(p)
	p.Press("j")
	p.WaitText(".detail", hostile)
	p.Open(w.URL + "/?view=data&name=alert")
	p.WaitText(".table-scroll", hostile)
	p.Open(w.URL + "/?view=data&changed=1")
	p.WaitText(".table-scroll", hostile)
	if n := browsertest.Eval[int](p, `document.querySelectorAll("main script, img[src=x]").length`); n > 0 {
		t.Errorf("%d elements came of data", n)
	}
}

// TestHiddenPageIsUpdated checks that a hidden page closes its stream, and that it shows the
// missed requests later.
func TestHiddenPageIsUpdated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "Before")
	p := show(t, w, "/")
	p.Wait(`document.querySelectorAll(".request").length === 1`)
	p.Hide(true)
	p.WaitText(".live", "paused")
	create(t, w, "Meanwhile")
	p.Hide(false)
	p.WaitText(".live", "live")
	p.Wait(`document.querySelectorAll(".request").length === 2`)
}

// TestViewsHideNothing checks that the button for new requests, a narrow filter and an open record
// hide nothing, and that all views have the same width.
func TestViewsHideNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "First")
	p := show(t, w, "/")
	openNewest(p)
	create(t, w, "Second")
	p.See("button", "1 new")
	p.Wait(`(({bottom, right}) => bottom <= document.querySelector(".list").getBoundingClientRect().top && ` +
		`right <= document.querySelector(".bars").getBoundingClientRect().left)` +
		`(document.querySelector(".news button").getBoundingClientRect())`)

	p.Open(w.URL + "/?view=data&table=orders")
	p.WaitText(".table-scroll", "Complete")
	if short := browsertest.Eval[string](p, `[...document.querySelectorAll(".filters select")].filter((select) => {
		const before = select.offsetWidth
		select.style.maxWidth = "none"
		return select.offsetWidth > before
	}).map((select) => select.ariaLabel).join()`); short != "" {
		t.Errorf("these filters are too narrow for what they say: %s", short)
	}
	p.Resize(768, 1024)
	p.Open(w.URL + "/?view=data&open=1")
	p.See("textbox", "Name")
	p.Click("button", "2") // the record does not cover the pager
	p.WaitText(".editor header", "#2")
	p.Click("button", "Changed 2") // nor the toolbar
	p.Wait(`document.querySelector(".filters [aria-pressed=true]")`)

	p.Resize(2560, 1440)
	for _, view := range []string{"requests", "data", "faults", "time", "snapshots", "sandboxes"} {
		p.Open(w.URL + "/?view=" + view)
		p.Wait(`document.querySelector("main > div").offsetWidth === 1440`)
	}
}

// TestRetryReadingData presses "Try again" after the server is back.
func TestRetryReadingData(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	address, down := behind(t, w, "")
	p := browsertest.Open(t, address+"/?view=data")
	p.Allow("status of")
	p.Allow("net::ERR")
	p.WaitText(".table-scroll", "Rex")
	down.Store(true)
	p.Click("link", "Orders 4")
	p.See("button", "Try again")
	down.Store(false)
	p.Click("button", "Try again")
	p.WaitText(".table-scroll", "Complete")
	p.Wait(`!document.querySelector(".table-scroll .error-note")`)
}

// TestPathAndClientOnPhone checks that a phone shows the whole path of a request, and its client.
func TestPathAndClientOnPhone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Get(t, "/store/inventory/123456")
	p := show(t, w, "/?q=store")
	p.Resize(375, 800)
	p.Wait(`document.querySelector(".client").scrollWidth <= document.querySelector(".client").clientWidth`)
	p.Wait(`document.querySelector(".what").scrollWidth <= document.querySelector(".what").clientWidth`)
	w.Must(t, Post("/admin/faults", `{"match": {"operationId": "listOrders"}, "delay": {"fixedMs": 500}}`))
	w.Get(t, "/store/orders")
	p.WaitText(".request .slow", "50") // although a note is beside it
	p.Wait(`document.querySelector(".slow").checkVisibility()`)
}
