package pages_test

import (
	"go/format"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestCopyAs checks the copied code: it runs the fetch as a page would, and parses the Go.
func TestCopyAs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Do(t, Post("/pets", "{\"name\": \"a `b` 'c'\", \"categoryId\": 1}").With("X-Client", "shop"))
	p := show(t, w, "/")
	openNewest(p)
	p.Click("button", "Copy as…")
	p.WaitText(".popover:popover-open pre",
		`curl -s \ -H 'X-Client: shop' \ --json '{"name": "a `+"`b`"+` '\''c'\''", "categoryId": 1}' \ '`+w.URL+`/pets'`)
	p.Click("button", "fetch")
	p.WaitText(".popover:popover-open pre", "await fetch(")
	sent := browsertest.Eval[string](p, `document.querySelector(".popover:popover-open pre").textContent`)
	_ = browsertest.Eval[bool](p, "(async () => {"+sent+"\nreturn true})()")
	p.WaitText(".popover:popover-open", "fetch")
	p.In(".popover:popover-open").Click("button", "PowerShell")
	p.WaitText(".popover:popover-open pre",
		"Invoke-RestMethod -Method POST ` -Headers @{ 'X-Client' = 'shop' } ` -ContentType 'application/json; "+
			"charset=utf-8' ` -Body '{\"name\": \"a `b` ''c''\", \"categoryId\": 1}' ` '"+w.URL+`/pets'`)
	p.In(".popover:popover-open").Click("button", "Go")
	p.WaitText(".popover:popover-open pre", "http.NewRequest(")
	source := browsertest.Eval[string](p, `document.querySelector(".popover:popover-open pre").textContent`)
	if _, err := format.Source([]byte("package p\nfunc f() error {\n" + source + "\nreturn nil\n}")); err != nil {
		t.Errorf("%v:\n%s", err, source)
	}
	const inside = `(({left, right, bottom}) => left >= 0 && right <= innerWidth && bottom <= innerHeight)(
		document.querySelector(".popover:popover-open").getBoundingClientRect())`
	for _, width := range []int64{1280, 768, 375} {
		p.Resize(width, 800)
		p.Open(w.URL + "/?id=1") // the code loads only after the box opens
		p.WaitText(".live", "live")
		p.Wait(`document.querySelector(".effect li")`) // after which nothing moves the button
		p.Click("button", "Copy as…")
		p.Wait(`document.querySelector(".popover:popover-open pre")`)
		p.Wait(inside)
	}
	var journal struct {
		Requests []struct {
			Status  int
			Body    string
			Headers map[string]string
		}
	}
	w.Get(t, "/admin/requests").Decode(t, &journal)
	if len(journal.Requests) != 2 || journal.Requests[1].Status != 201 ||
		journal.Requests[1].Headers["X-Client"] != "shop" ||
		strings.Join(strings.Fields(journal.Requests[0].Body),
			"") != strings.Join(strings.Fields(journal.Requests[1].Body), "") {
		t.Errorf("the fetch sent %+v", journal.Requests)
	}
}

// TestControlsShowTheirCurl opens every </> of every view, and checks that each is a curl command
// for this sandbox that does not show the key.
func TestControlsShowTheirCurl(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.AdminKey = "secret-key" })
	w.Must(t, Post("/admin/faults", `{"status": 503, "times": 1}`).WithKey("secret-key"))
	w.Must(t, Post("/admin/faults", `{"status": 503, "probability": 0}`).WithKey("secret-key"))
	w.Must(t, Put("/admin/snapshots/lesson-1", "").WithKey("secret-key"))
	create(t, w, "Rex")
	p := browsertest.Open(t, w.URL+"/#key=secret-key")
	p.WaitText(".request", "503")
	p.Press("`")
	for view, c := range map[string]struct {
		ready string
		least int
	}{
		"requests&id=1": {".detail", 2}, "data": {"tbody tr", 15}, "data&open=1": {".editor input", 4},
		"faults": {".rule", 11},
		"time":   {".of-operations", 7}, "snapshots": {".snapshots:has(.snapshot) [aria-labelledby=files] .row + .row", 5},
		"sandboxes&q=default": {"tbody tr", 1},
	} {
		p.Open(w.URL + "/?view=" + view)
		p.Wait(`document.querySelector("` + c.ready + `") && document.querySelector(".drawer")`)
		shown := browsertest.Eval[[]string](p, `(async () => {
			const shown = []
			for (const mark of document.querySelectorAll("main .call:not([data-label='send again'])")) {
				do {
					(mark.previousElementSibling ?? mark.nextElementSibling).dispatchEvent(new PointerEvent("pointerover", {bubbles: true}))
					await new Promise((soon) => setTimeout(soon, 10))
				} while (document.querySelector(".drawer .control h3").textContent !== mark.dataset.label)
				shown.push(document.querySelector(".drawer .control pre").textContent)
			}
			return shown
		})()`)
		if len(shown) < c.least {
			t.Errorf("%s shows %d commands, want %d at least: %q", view, len(shown), c.least, shown)
		}
		for _, command := range shown {
			if !strings.HasPrefix(command, "curl -s") ||
				!strings.HasPrefix(command[strings.LastIndex(command, " '"):], " '"+w.URL+"/admin") ||
				!strings.Contains(command, "-H 'Authorization: Bearer ••••••'") {
				t.Errorf("%s shows %s", view, command)
			}
		}
	}
	p.Open(w.URL + "/?view=data")
	p.Choose("Status of Rex", "sold")
	for _, part := range []string{"-X PATCH", `{"status":"sold"}`} {
		p.WaitText(".drawer .done pre", part)
	}
	p.Wait(`!document.querySelector(".drawer .done pre").innerText.includes("If-Match")`) // so that it can run again
	p.WaitText(".drawer .done li", "Status of pet 1 without If-Match Copy")
	p.Wait(`[...document.querySelectorAll(".drawer .done .in-string")].some(({innerText}) => innerText === "'{\"status\":\"sold\"}'")`)
	p.Wait(`(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)(document.querySelector(".drawer .done pre"))`)
	p.Wait(`document.querySelector(".toast").getBoundingClientRect().bottom <= document.querySelector(".pager").getBoundingClientRect().top`)
	p.In(".drawer").Click("button", "Python")
	p.WaitText(".drawer .done pre", "import requests")
}

// TestDrawerMarksFailedCalls checks that a refused call is marked and is left out of the script.
func TestDrawerMarksFailedCalls(t *testing.T) {
	t.Parallel()
	p := show(t, newWorld(t), "/?view=faults")
	p.Allow("status of 400")
	p.Press("`")
	p.Click("button", "New rule…")
	p.Fill("textbox", "Response status", "99")
	p.Click("button", "Add")
	p.WaitText(".drawer .done li", "Add the rule failed: 400")
	p.Wait(`!document.querySelector(".drawer .done").innerText.includes("Copy as a script")`)
	p.Fill("textbox", "Response status", "503")
	p.Click("button", "Add")
	p.WaitText(".drawer .done", "Copy as a script")
}

// TestDrawerKeepsItsHeight changes the height of the drawer with the keyboard and the pointer, and
// checks that another page opens with that height.
func TestDrawerKeepsItsHeight(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/")
	p.Press("`")
	p.Wait(`document.querySelector(".drawer")?.offsetHeight === 272`)
	_ = browsertest.Eval[any](p, `void document.querySelector(".grip").focus()`)
	p.Press(browsertest.Up)
	p.Wait(`document.querySelector(".drawer").offsetHeight === 296`)
	x, y := browsertest.Eval[float64](p, `innerWidth / 2`), browsertest.Eval[float64](p, `innerHeight - 296`)
	p.Do(chromedp.MouseEvent(chromedp.MousePressed, x, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, x, y-100,
			chromedp.ButtonLeft), chromedp.MouseEvent(chromedp.MouseReleased, x, y-100, chromedp.ButtonLeft))
	p.Wait(`document.querySelector(".drawer").offsetHeight === 396`)
	p.Open(w.URL + "/?view=data")
	p.Wait(`document.querySelector(".drawer")?.offsetHeight === 396`)
}

// TestListKeepsItsWidth changes the width of the list beside a request with the keyboard and the
// pointer, and checks that another page opens with that width.
func TestListKeepsItsWidth(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "Rex")
	p := show(t, w, "/")
	p.Resize(1280, 800)
	p.In("#request-1").Click("option", "")
	p.WaitText(".detail", "POST /pets")
	const width = `document.querySelector(".list-side").offsetWidth`
	p.Wait(width + " === 538") // 42 %
	_ = browsertest.Eval[any](p, `void document.querySelector(".grip").focus()`)
	p.Press(browsertest.Right)
	p.Wait(width + " === 562")
	p.Do(chromedp.MouseEvent(chromedp.MousePressed, 562, 400, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, 700, 400, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseReleased, 700, 400, chromedp.ButtonLeft))
	p.Wait(width + " === 700")
	p.Wait(`document.querySelector(".detail").getBoundingClientRect().left === 700`) // the list does not cover its line
	p.Open(w.URL + "/?id=1")
	p.Wait(width + " === 700")
	p.Resize(1000, 800)
	p.Wait(width + " === 560") // so that the request can be read
}

// TestCopyAsTest copies one request, and several selected requests, as tests of each kind.
// add_copied_tests in .ci/recipes.sh runs them.
func TestCopyAsTest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "Rex")
	create(t, w, "")
	w.Get(t, "/categories")
	p := show(t, w, "/?id=2")
	p.Click("button", "Copy as a test…")
	p.Wait(`document.activeElement.innerText === "Copy the test"`)
	text := func(kind, want string) string {
		t.Helper()
		p.In("dialog").Click("button", kind)
		p.WaitText(".copied pre", want)
		return browsertest.Eval[string](p, `document.querySelector(".copied pre").textContent`)
	}
	text("vitest", "test('POST /pets 400', async ({ pets }) => {")
	p.WaitText(".copied pre .in-string", "'vitest'")
	text("Playwright", "toMatchObject({ code: 'validation_failed', details: [{ field: '/name' }] })")
	text("pytest", `assert body["code"] == "validation_failed"`)
	text("JUnit", `assertTrue(response.body().contains("\"code\":\"validation_failed\""), response.body());`)
	source := text("Go", "func TestPostPets400(t *testing.T) {")
	if formatted, err := format.Source([]byte(source)); err != nil || string(formatted) != source {
		t.Errorf("gofmt: %v\n%s", err, source)
	}
	if !strings.Contains(source, "`{\"name\": \"\", \"categoryId\": 1}`") {
		t.Errorf("the test does not send the body:\n%s", source)
	}
	p.Press(browsertest.Escape, browsertest.Escape)

	p.Press("j", "x", "k", "x")
	p.WaitText(".picks", "2 selected")
	p.Wait(`document.querySelector(".request").offsetWidth === document.querySelector(".list").clientWidth`)
	p.Wait(`[...document.querySelectorAll(".request[aria-checked=true]")].map(({id}) => id).join() === "request-2,request-1"`)
	p.In(".picks").Click("button", "Copy as…")
	p.Wait(`document.querySelector(".picks pre")?.innerText.split("curl").length === 3`)
	p.Press(browsertest.Escape)
	p.Click("button", "Select all 3")
	p.In(".picks").Click("button", "Copy as a test…")
	if all := text("pytest", "def test_post_pets_201_and_2_more(pets):"); strings.Count(all, "requests.request(") != 3 {
		t.Errorf("the test has not three requests:\n%s", all)
	}
	p.Press(browsertest.Escape)
	p.Click("button", "Select none")
	p.Wait(`!document.querySelector(".picks, .request[aria-checked=true]")`)

	p.Wait(`document.querySelector(".request").dispatchEvent(
		new PointerEvent("pointerdown", { bubbles: true, pointerType: "touch" }))`)
	p.WaitText(".picks", "1 selected")
	p.Resize(375, 800)
	p.Wait(`(document.querySelector("#request-2").dispatchEvent(
		new MouseEvent("click", { bubbles: true, shiftKey: true })), true)`)
	p.WaitText(".picks", "2 selected")
	p.Wait(`document.querySelector(".picks").offsetHeight < 70`) // one line
	saving(p)
	p.Fill("combobox", "Search the requests", "nowhere") // hides them
	p.WaitText(".picks", "2 selected 2 not shown")
	p.In(".picks").Click("button", "HAR")
	p.WaitText(".toasts", "Saved 2 requests as default-2-selected-2")
	p.Fill("combobox", "Search the requests", "")
	p.Wait(`![...document.querySelectorAll(".filters .har")].some((one) => one.checkVisibility())`)
	p.In(".picks").Click("button", "Copy as…")
	p.Wait(`document.querySelector(".picks pre")?.innerText.split("curl").length === 3`)
	p.Press(browsertest.Escape)
	p.Wait(`document.querySelector(".request[aria-checked=true] .pick").checkVisibility()`)
	p.Resize(1280, 800)
	p.Wait(`document.querySelector("#request-1").dispatchEvent(
		new MouseEvent("click", { bubbles: true, shiftKey: true }))`)
	p.WaitText(".picks", "3 selected")
	p.Wait(`document.querySelector(".filters .har:disabled")`)
	p.Wait(`document.querySelector("#request-1").ariaSelected === "true"`) // it has the focus ring
	p.Press(browsertest.Escape)
	p.Wait(`!document.querySelector(".picks")`)

	w.Must(t, Patch("/pets/7", `{"name": "Bello", "status": "sold"}`))
	p.Open(w.URL + "/?id=4")
	p.Click("button", "Copy as a test…")
	p.In("dialog").Click("button", "vitest")
	p.WaitText(".copied", "The request is on line 51. The lines before make the data.")
	p.Resize(1280, 400)
	p.In("dialog").Click("button", "Playwright")
	p.WaitText(".copied", "The request is on line 50.")
	p.Wait(`document.querySelector(".copied pre").scrollTop > 50`)
}

// TestStoreAtRequest goes from a request to the data at that request, steps through the writes,
// forks there and returns to the present.
func TestStoreAtRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Get(t, "/pets") // request 1
	create(t, w, "First")
	create(t, w, "Second")
	create(t, w, "")             // request 4, which is refused
	w.Must(t, Delete("/pets/7")) // First
	p := show(t, w, "/?id=2")
	p.Click("link", "Store as of this request")
	p.WaitText(".rewind", "The store just after POST /pets, ")
	p.WaitText(".tables", "Pets 6 Categories 3")
	p.WaitText("tr.was-added", "7 First available Dogs #1 added") // without controls for changes
	p.WaitText(".records thead", "By this request")
	p.Miss("button", "Add a pet")
	shows := func(at, text string) {
		t.Helper()
		p.WaitText(".table-scroll", text)
		p.Wait(`new URLSearchParams(location.search).get("at") === "` + at + `"`)
	}
	p.Press(browsertest.Right)
	shows("3", "8 Second")
	p.Click("button", "Changed by this request 1")
	shows("3", "added Second")
	p.Miss("button", "Revert pet 8")
	p.WaitText(".filters h2", "Pets: 1 added")
	p.Wait(`document.querySelector(".tables [aria-current] i").title === "By this request"`)
	p.Click("button", "Next write")
	shows("5", "7 removed First")
	p.Wait(`document.querySelector("[aria-label='Next write']").disabled`)
	p.Press(browsertest.Left, browsertest.Left)
	shows("2", "added First")
	p.Click("button", "Changed by this request 1")
	p.Click("button", "7")
	p.WaitText(".editor .facts", "Name First")
	p.Wait(`document.querySelector(".editor pre").textContent.includes('"name": "First"')`)
	p.In(".editor").Click("button", "Close")
	w.Must(t, Patch("/pets/1", `{"name": "Max"}`))
	p.Open(w.URL + "/?view=data&at=6&open=1")
	p.WaitText(".editor", "changed")
	p.WaitText(".editor .facts", "Name Rex → Max")
	p.WaitText("tr.was-changed .since", "name Rex → Max")

	p.Click("button", "Back to now")
	p.WaitText(".table-scroll", "Second")
	p.Wait(`!document.querySelector(".rewind") && !document.querySelector(".table-scroll").innerText.includes("First")`)
	p.Open(w.URL + "/?view=data&at=2")
	p.Click("button", "Fork from here…")
	p.In("dialog").Click("button", "Fork")
	p.Wait(`location.pathname === "/sandboxes/default-at-2/" && !location.search.includes("at=")`)
	p.WaitText(".table-scroll", "First")
	w.Get(t, "/sandboxes/default-at-2/pets?name=First").ExpectHeader(t, "X-Total-Count", "1")
}

// TestRewindFollowsChange checks that the store as of a write shows the record that it changed, also on
// another page and in another table, and that a step to another write goes there.
func TestRewindFollowsChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Post("/admin/reset", `{"pets": 120}`))
	create(t, w, "Last")
	w.Must(t, Post("/store/orders", `{"petId": 2, "quantity": 1}`))
	w.Must(t, Delete("/pets/121"))
	p := show(t, w, "/?id=1")
	p.Click("link", "Store as of this request")
	p.WaitText("tr.was-added[aria-selected=true]", "121 Last")
	p.WaitText(".pager", "101 to 121 of 121")
	p.WaitText(".rewind", ", which added pet 121")
	p.Click("button", "Next write")
	p.WaitText(".rewind", ", which added order ")
	p.WaitText(".tables [aria-current]", "Orders")
	p.WaitText("tr.was-added[aria-selected=true]", "#2")
	p.Click("button", "Next write")
	p.WaitText(".editor header", "Last #121 removed")
	p.WaitText("tr.was-removed[aria-selected=true]", "121 Last")
	p.WaitText(".pager", " of 121, 1 of them removed")
	p.WaitText(".editor .facts", "Last")
	p.Open(w.URL + "/?view=data&at=3&table=categories")
	p.WaitText(".rewind", ", which removed pet 121")
	p.WaitText(".tables [aria-current]", "Categories") // as the address says
	p.Resize(375, 800)
	p.WaitText(".rewind p", "Read-only after DELETE /pets/121")
	p.Wait(`document.querySelector(".rewind").offsetHeight < 110`) // three lines
	p.Resize(1280, 800)
	p.Open(w.URL + "/?view=data&at=1&open=121")
	p.WaitText(".pager", "101 to 121 of 121")
}

// TestMissingState checks that the page explains why a state is missing, or that it is too
// large to be shown.
func TestMissingState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "First")
	for i := range 101 {
		w.Must(t, Patch("/pets/1", `{"name": "`+strconv.Itoa(i)+`"}`))
	}
	p := show(t, w, "/?view=data&at=1")
	p.Allow(`status of 4\d\d`)
	p.WaitText(".empty", "The data as of request 1 is no longer kept.")
	p.Open(w.URL + "/?view=data&at=999")
	p.WaitText(".empty", "There is no request 999 in the journal.")
	p.Wait(`document.querySelectorAll(".rewind :disabled").length === 3`) // both steps, and the fork
	p.Open(w.URL + "/?view=data&at=x")
	p.WaitText(".empty", "“0” is no request.")

	w.Must(t, Post("/admin/reset", `{"pets": 80000}`))
	w.Get(t, "/pets/1")
	p.Open(w.URL + "/")
	openNewest(p)
	p.Click("link", "Store as of this request")
	p.WaitText(".empty", "This state is too large for a page")
}

// TestSaveHAR saves the requests as a file for the network panel of a browser.
func TestSaveHAR(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "Rex")
	p := show(t, w, "/")
	p.Wait(`document.querySelector(".request")`)
	saved := saving(p)
	named := func(start string) string { // with the time of saving
		return "/^" + start + `-20\d\d-\d\d-\d\dT\d\d-\d\d-\d\d\.har$/.test(window.name)`
	}
	p.Wait(`document.querySelector(".har").title.startsWith("Save 1 request as an HTTP Archive")`)
	p.Click("button", "HAR")
	p.Wait(saved + `?.log.entries.length === 1 && ` + named("default"))
	p.WaitText(".toasts", "Saved 1 request as default-2")
	for _, name := range []string{"", "Max", ""} {
		create(t, w, name)
	}
	w.Get(t, "/pets/999")
	holds := func(path, name, ids, curl, note string) {
		t.Helper()
		p.Open(w.URL + path)
		p.Wait(`document.querySelector(".request, .groups td")`)
		saved := saving(p)
		p.Click("button", "HAR")
		p.Wait(saved + `?.log.entries.map(({_id}) => _id).join() === "` + ids + `" && ` + named("default"+name))
		calls(p, "the requests as an HTTP Archive", "/admin/requests?"+curl+"'")
		p.WaitText(".drawer .control", note)
	}
	holds("/", "", "1,2,3,4,5", "format=har&limit=1000", "")
	holds("/?class=4xx", "-4xx", "2,4,5", "format=har&limit=1000&status=4xx", "")
	holds("/?class=4xx&op=createPet", "-4xx-createPet", "2,4",
		"format=har&limit=1000&operationId=createPet&status=4xx", "")
	holds("/?class=2xx&q=max", "-2xx-max", "3", "format=har&limit=1000&status=2xx",
		"The API has no filter by text, so this command gets more than the button saves.")
	holds("/?q=code:validation_failed+field:%2Fname", "-validation_failed-name", "2,4", "format=har&limit=1000",
		"The API has no filter by error code, field at fault,")
	holds("/?op=createp", "-createp", "1,2,3,4", "format=har&limit=1000", "The API has no filter by a part of a name,")
	holds("/?q=status:40", "-40", "2,4,5", "format=har&limit=1000", "The API has no filter by a part of a status,")
	w.Get(t, "/nowhere")
	holds("/?op=none", "-none", "6", "format=har&limit=1000", "The API has no filter by the lack of an operation,")
	holds("/?group=1", "-errors", "2,4,5,6", "format=har&limit=1000", "The API has no filter by several statuses,")
	holds("/?group=1&class=4xx", "-4xx", "2,4,5,6", "format=har&limit=1000&status=4xx", "")
	p.Open(w.URL + "/?from=1&to=9999999999999")
	p.Wait(`document.querySelector(".request")`)
	p.Click("button", "HAR")
	p.WaitText(".toasts", "Saved 6 requests as default-1970-01-01T00-00-00-to-2286-11-20T17-46-39.har.")
}
