package docs_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/extras"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/petstoretest"
)

// TestPageOfDeprecatedOperations checks the lifecycle note of an operation, follows the link to its
// successor by keyboard, and checks the note after changes.
func TestPageOfDeprecatedOperations(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/#/Pets/getPet")
	p.WaitText("#operations-Pets-getPet .note", "Deprecated since 2026-01-01. Sunset on 2030-12-31: 1,644 days left. Use instead: listPets /pets?id={petId}")
	p.WaitText("#operations-Pets-getPet .opblock-summary", "deprecated")
	p.WaitText("#clock", "2026-07-01 12:00 UTC")
	browsertest.Eval[any](p, `void document.querySelector(".note a").focus()`)
	p.Press(browsertest.Enter)
	p.Wait(`document.querySelector("#operations-Pets-listPets .opblock-body") && location.hash === "#/Pets/listPets"`)
	p.Wait(`document.activeElement.closest("#operations-Pets-listPets")`)
	p.Wait(`[...document.querySelectorAll(".side [aria-current]")].map((a) => a.hash).join() === "#/Pets/listPets"`)

	for _, c := range []struct{ clock, lifecycle, want string }{
		{`{"now": "2030-12-30T12:00:00Z", "frozen": true}`, `{"enforceSunset": true}`, "Sunset on 2030-12-31: less than a day left, and answers 410 from then on."},
		{`{"now": "2030-12-31T12:00:00Z", "frozen": true}`, `{}`, "Its sunset was on 2030-12-31, since today. It still answers, because the sunset is not enforced."},
		{`{"now": "2031-01-01T00:00:00Z", "frozen": true}`, `{"enforceSunset": true}`, "Its sunset was on 2030-12-31, 1 day ago. It answers 410."},
		{`{"now": "2026-07-01T00:00:00Z"}`, `{"deprecatedSince": "2026-07-03", "sunset": "", "brownout": 0.25}`,
			"Deprecated from 2026-07-03 on, in 2 days. No sunset date is set. In a brown-out: 25 % of the calls are answered 410."},
		{`{"now": "2026-07-01T00:00:00Z"}`, `{"successor": "/nowhere"}`, "Use instead: /nowhere"},
	} {
		p.Hide(true)
		w.Must(t, Put("/admin/clock", c.clock))
		w.Must(t, Put("/admin/operations/getPet", c.lifecycle))
		p.Hide(false)
		p.WaitText("#operations-Pets-getPet .note", c.want)
	}
	w.Must(t, Put("/admin/operations/getPet", `{"deprecated": false}`))
	p.Hide(false)
	p.Wait(`!document.querySelector("#operations-Pets-getPet .note, #operations-Pets-getPet .badge")`)
}

// TestResponseOfADeprecatedOperation checks that a response shows its headers about the lifecycle, with
// the date in words and the successor as a link.
func TestResponseOfADeprecatedOperation(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Put("/admin/sandboxes/ada", `{}`))
	p := openDocs(t, w, "/sandboxes/ada/docs/#/Pets/getPet")
	p.Fill("textbox", "petId", "1")
	p.Click("button", "Execute")
	p.WaitText(".live-response dl", "Deprecation @1767225600 (2026-01-01)")
	p.WaitText(".live-response dl", `299 - "getPet is deprecated since 2026-01-01`)
	p.Wait(`[...document.querySelectorAll(".live-response dl a")].find((link) => link.textContent.endsWith("/pets?id=1")).hash === "#/Pets/listPets?id=1"`)
}

// TestPageFollowsLocation follows the address of a new record to the operation that reads it, which is filled in.
func TestPageFollowsLocation(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Put("/admin/sandboxes/ada", `{}`))
	p := openDocs(t, w, "/sandboxes/ada/docs/#/Pets/createPet")
	p.WaitText(".introduction .prose", "POST /sandboxes/ada/admin/reset")
	p.Fill("textbox", "Request body", `{"name": "Ada", "categoryId": 1}`)
	p.Click("button", "Execute")
	p.WaitText(".live-response dl", "Location /sandboxes/ada/pets/")
	made := strings.TrimPrefix(p.Text(".live-response dl a"), "/sandboxes/ada/pets/")
	browsertest.Eval[any](p, `void document.querySelector(".live-response dl a").click()`)
	p.WaitText("#operations-Pets-getPet .request-url", "/sandboxes/ada/pets/"+made)
	p.Press(browsertest.Enter) // the focus is on Execute
	p.WaitText("#operations-Pets-getPet .live-response", `"name": "Ada"`)
	p.Wait(`document.querySelector("textarea").value.includes("Ada") && location.hash === "#/Pets/getPet?petId=` + made + `"`)
}

// TestPageOffersFilterValues chooses two values of a filter, which is repeated in the call.
func TestPageOffersFilterValues(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Pets/listPets")
	p.Click("checkbox", "available")
	p.Click("checkbox", "sold")
	p.WaitText("#operations-Pets-listPets .request-url", "/pets?status=available&status=sold")
	p.Wait(`document.querySelector("[name='query.id']").placeholder === "7, 12"`)
}

// TestPageOfStability checks the badges of operations, including those set at run time.
func TestPageOfStability(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/")
	badge := func(operation, want string) {
		t.Helper()
		p.WaitText("#operations-"+operation+" .badge", want)
	}
	badge("Pets-updatePet", "beta")
	badge("Events-streamEvents", "experimental")
	w.Must(t, Put("/admin/operations/listOrders", `{"stability": "experimental"}`))
	w.Must(t, Put("/admin/operations/createOrder", `{"deprecated": true}`))
	p.Hide(false)
	badge("Store-listOrders", "experimental")
	badge("Store-createOrder", "deprecated")
	p.Wait(`document.querySelector("#operations-Store-createOrder.opblock-deprecated")`) // set by the reloaded document
}

// TestPageOfUntriableOperation checks that listOrders cannot be executed, that a note explains this,
// and that groups contain their sub-groups.
func TestPageOfUntriableOperation(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/#/Store/listOrders")
	p.WaitText("#operations-Store-listOrders .note", "Interactive testing is disabled for this operation, so there is no “Execute”. The document says x-hideTryItPanel here, to show what that does. Call it from your own client.")
	p.WaitText("#operations-Store-listOrders .request pre", w.URL+"/store/orders")
	p.See("columnheader", "Description") // the rest of the operation is shown
	p.Miss("button", "Execute")
	p.Wait(`["Pets Categories", "Store Inventory"].every((pair) => {
		const [group, sub] = pair.split(" ").map((tag) => document.querySelector("#operations-tag-" + tag).closest(".opblock-tag-section"))
		return group !== sub && group.contains(sub)
	}) && document.querySelectorAll("[id=operations-tag-Categories]").length === 1`)
	browsertest.Eval[any](p, `void document.querySelector("#operations-Inventory-listInventory .opblock-summary-control").click()`)
	p.See("button", "Execute")
}

// TestPageFillsInTheDemoKey checks that listMessages succeeds with the filled-in demo-key if the
// server accepts it, and that the page fills in no other key.
func TestPageFillsInTheDemoKey(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Messages/listMessages")
	p.Click("button", "Execute")
	p.WaitText(".live-response .status", "200")

	keyed := openDocs(t, NewWorld(t, func(c *handlers.Config) { c.APIKeys = []string{"secret"} }), "/docs/#/Messages/listMessages")
	keyed.Allow("status of 401")
	keyed.Click("button", "Execute")
	keyed.WaitText(".live-response .status", "401")
}

// TestPageFillsInSandboxKey checks that the page uses the key in its address or its tab: for
// the service in a private sandbox, and for the admin API everywhere.
func TestPageFillsInSandboxKey(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.Workshop, c.AdminKey = true, "teacher" })
	w.Must(t, Put("/admin/sandboxes/safe", `{"key": "key-of-safe", "private": true}`).WithKey("teacher"))
	var ada struct{ Key string }
	w.Do(t, Post("/join", `{"name": "Ada"}`)).Decode(t, &ada)

	try := func(p *browsertest.Page, tag, operation string) {
		t.Helper()
		p.Wait(`document.querySelector("#operations-` + tag + `-` + operation + `")`)
		browsertest.Eval[any](p, `void document.querySelector("#operations-`+tag+`-`+operation+` .opblock-summary-control").click()`)
		p.Click("button", "Execute")
		p.WaitText(".live-response .status", "200")
	}
	p := browsertest.Open(t, w.URL+"/sandboxes/safe/docs/#key=key-of-safe")
	try(p, "Messages", "listMessages")
	if address := browsertest.Eval[string](p, "location.href"); strings.Contains(address, "key-of") {
		t.Errorf("the address is %s", address)
	}
	p.Open(w.URL + "/sandboxes/ada/docs/?document=admin#key=" + ada.Key)
	try(p, "Clock", "getClock")
	browsertest.Eval[any](p, `void (sessionStorage.clear(), sessionStorage.setItem("petstore.key /", "teacher"))`)
	p.Open(w.URL + "/sandboxes/safe/docs/")
	try(p, "Pets", "listPets")
}

// TestPageKeepsKey checks that a refused key is marked, and that a typed one outlasts a reload and a
// change of the document, opens the clock, and reaches the dashboard.
func TestPageKeepsKey(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.AdminKey, c.APIKeys = "teacher", []string{"secret"} })
	p := browsertest.Open(t, w.URL+"/docs/?document=admin#/Clock/getClock")
	p.Allow("status of 401")
	p.WaitText(".request pre", "Bearer KEY")
	p.Resize(375, 700)
	p.Click("button", "Execute")
	p.Wait(`document.activeElement.matches(".request .key [aria-invalid=true]")`)
	p.Wait(`(({top, bottom}) => bottom <= innerHeight && top >= document.querySelector(".is-open > .opblock-summary").getBoundingClientRect().bottom)(document.activeElement.getBoundingClientRect())`)
	p.Resize(1280, 800)
	p.In(".request").Fill("textbox", "Key", "teacher")
	p.Wait(`!document.querySelector("[aria-invalid=true]")`)
	p.Click("button", "Execute")
	p.WaitText(".live-response .status", "200")
	p.WaitText("#clock", "2026-07-01 12:00 UTC")
	p.Click("link", "Pet store")
	p.Wait(`document.querySelector(".introduction .panel")?.textContent.includes("Bearer KEY")`)
	p.Fill("textbox", "Key", "secret")
	for document, want := range map[string]string{"?document=admin": "teacher", "": "secret"} {
		p.Open(w.URL + "/docs/" + document)
		p.Wait(`document.querySelector(".introduction .key input")?.value === "` + want + `"`)
	}
	p.Open(w.URL + "/?view=data")
	p.See("link", "Docs")
	p.Wait(`document.querySelector("tbody tr")`)
}

// TestSearchFindsNamesFirst checks that Enter opens an operation of that name before those whose text
// has the word, and that the search finds parameters and the chapters of the guide.
func TestSearchFindsNamesFirst(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/?document=admin")
	p.Fill("searchbox", "Search operations", "reset")
	p.Press(browsertest.Enter)
	p.Wait(`location.hash === "#/Admin/resetSandbox"`)
	p.Open(w.URL + "/docs/")
	for word, hit := range map[string]string{
		"idempotency": "Place an order", "sort": "List pets", "sunset": "Lifecycle", "503": "Rehearse failure", "x-sandbox": "Sandboxes",
	} {
		p.Fill("searchbox", "Search operations", word)
		p.Wait(`[...document.querySelectorAll(".side li")].some((item) => item.textContent.includes("` + hit + `"))`)
	}
	p.Fill("searchbox", "Search operations", "cation") // a part of words such as Location
	p.WaitText(".side .none", "Nothing matches.")
	p.Fill("searchbox", "Search operations", "first steps")
	p.Wait(`document.querySelectorAll(".side li").length === 1`)
	p.Press(browsertest.Enter)
	p.Wait(`document.activeElement.id === "guide" && document.activeElement.textContent.includes("First steps")`)
}

// TestPageBehindAPrefix opens the page of a sandbox behind a proxy with a path prefix.
func TestPageBehindAPrefix(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Put("/admin/sandboxes/ada", `{}`))
	w.Must(t, Put("/sandboxes/ada/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`))
	backend, err := url.Parse(w.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(http.StripPrefix("/shop", &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(backend) },
	}))
	t.Cleanup(proxy.Close)
	p := browsertest.Open(t, proxy.URL+"/shop/sandboxes/ada/docs/#/Pets/getPet")
	p.WaitText("#sandbox", "ada")
	p.WaitText("#clock", "2031-01-01 00:00 UTC, frozen")
	p.WaitText(".note.deprecation", "Its sunset was on 2030-12-31, 1 day ago.")
	p.Click("link", "Admin API")
	p.Wait(`document.title === "Admin API of ada – Petstore" && document.querySelectorAll(".opblock").length > 10`)
	p.Click("link", "Dashboard")
	p.Wait(`location.pathname === "/shop/sandboxes/ada/"`)
}

// TestPageWithoutAnyKey checks that the page works without a key, and says what it adds.
func TestPageWithoutAnyKey(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.AdminKey = "secret" })
	p := browsertest.Open(t, w.URL+"/docs/#/Pets/getPet")
	p.Allow("status of 401")
	p.WaitText(".note.deprecation", "Deprecated. Sunset on 2030-12-31, ")
	p.Wait(`!document.querySelector(".key small")`) // the pet store takes requests without one
	browsertest.Eval[any](p, `void sessionStorage.setItem("petstore.key /", "secret")`)
	p.Open(w.URL + "/docs/?document=admin")
	p.WaitText("#clock", "2026-07-01 12:00 UTC")
	p.Wait(`document.querySelector(".introduction input").value === "secret"`)
}

// TestPageOfUnknownSandbox checks that the page of an unknown sandbox reports this and does not create
// the sandbox.
func TestPageOfUnknownSandbox(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := browsertest.Open(t, w.URL+"/sandboxes/nobody/docs/")
	p.Allow("status of 404")
	p.WaitText("#trouble", `There is no sandbox "nobody"; the first request to the service creates it`)
	if asked := browsertest.Eval[[]string](p, `performance.getEntriesByType("resource").map((e) => new URL(e.name).pathname).filter((path) => path.includes("/admin"))`); !slices.Equal(asked, []string{"/sandboxes/nobody/admin"}) {
		t.Errorf("the page asked for %q", asked)
	}
	w.Get(t, "/sandboxes/nobody/admin").Expect(t, 404, "unknown_sandbox")
	w.Must(t, Put("/admin/sandboxes/nobody", `{}`))
	p.Hide(false)
	p.WaitText("#clock", "UTC")
	p.Wait(`document.querySelector("#trouble").hidden`)
}

// TestPageShowsAddressedOperation checks that the bar does not cover the operation that the address names, and
// that it is open before anything is painted.
func TestPageShowsAddressedOperation(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/")
	for _, width := range []int64{1280, 375} {
		p.Open("about:blank")
		p.Resize(width, 700)
		p.Open(w.URL + "/docs/#/Pets/getPet")
		p.WaitText("#operations-Pets-getPet .note", "Deprecated since")
		p.Wait(`document.querySelector("main").scrollTop > 0`)
		if below := browsertest.Eval[float64](p, `new Promise((settled) => {
			let before, still = 0
			const look = () => {
				const now = document.querySelector("#operations-Pets-getPet").getBoundingClientRect().top - document.querySelector("main").getBoundingClientRect().top
				still = now === before ? still + 1 : 0
				before = now
				still < 30 ? requestAnimationFrame(look) : settled(now)
			}
			look()
		})`); below < -1 || below > 100 {
			t.Errorf("%d pixels wide, the operation is %g pixels below the bar", width, below)
		}
		if shifts := browsertest.Eval[float64](p, `(() => {
			const observer = new PerformanceObserver(() => {})
			observer.observe({type: "layout-shift", buffered: true})
			return observer.takeRecords().reduce((sum, {value}) => sum + value, 0)
		})()`); shifts > 0.02 {
			t.Errorf("%d pixels wide, the layout shifts add up to %g", width, shifts)
		}
	}
}

// TestOpenOperationsAreShort opens each operation alone and checks its height against one and a
// half screens, or three on a phone.
func TestOpenOperationsAreShort(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, c := range []struct {
		width  int64
		height float64
	}{{1280, 1200}, {375, 2400}} {
		for _, address := range []string{"/docs/", "/docs/?document=admin"} {
			p := openDocs(t, w, address)
			p.Resize(c.width, 800)
			for _, tall := range browsertest.Eval[[]string](p, fmt.Sprintf(`(async () => {
				const frame = () => new Promise(requestAnimationFrame)
				const tall = []
				for (const block of document.querySelectorAll(".opblock")) {
					block.querySelector("button").click()
					while (!block.querySelector(".response")) await frame()
					if (block.offsetHeight > %g) tall.push(block.id + ": " + block.offsetHeight)
					block.querySelector("button").click()
					while (block.querySelector(".response")) await frame()
				}
				return tall
			})()`, c.height)) {
				t.Errorf("%s, %d pixels wide: %s", address, c.width, tall)
			}
		}
	}
}

// TestTypingRerendersCallOnly types into a body and a search, which must not rerender the page,
// except the call.
func TestTypingRerendersCallOnly(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Pets/createPet")
	p.See("textbox", "Request body")
	browsertest.Eval[any](p, `void (window.changes = 0,
		new MutationObserver((all) => { changes += all.filter(({target}) => !(target.closest ? target : target.parentElement).closest("textarea, .request")).length }).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true}),
		document.querySelector("textarea").focus())`)
	for range 20 {
		p.Press("x")
	}
	p.Wait(`document.querySelector("textarea").value.split("x").length > 20`)
	if changes := browsertest.Eval[int](p, "changes"); changes > 0 {
		t.Errorf("typing changed %d other things", changes)
	}
	p.Fill("searchbox", "Search operations", "portrait")
	p.Wait(`document.querySelectorAll(".side li").length === 1`)
	if changes := browsertest.Eval[int](p, `[...document.querySelectorAll(".opblock")].length`); changes < 20 {
		t.Errorf("the search leaves %d operations on the page", changes)
	}
	p.Press(browsertest.Enter)
	p.Wait(`document.activeElement.id === "operations-Pets-getPetPhoto" && document.activeElement.querySelector(".opblock-body")`)
	browsertest.Eval[any](p, `void (document.querySelector("main").scrollTop = 1e6, document.querySelector("#operations-Pets-getPetPhoto button").click())`)
	p.Wait(`(({top, bottom}) => top >= 48 && bottom <= innerHeight)(document.querySelector("#operations-Pets-getPetPhoto").getBoundingClientRect())`)
}

// BenchmarkTyping types into a body. It reports the work of the main thread for a key, as the median of
// 20 keys.
func BenchmarkTyping(b *testing.B) {
	p := browsertest.Open(b, petstoretest.Run(b, petstoretest.WithConfig(extras.Add)).URL+"/docs/#/Pets/createPet")
	p.See("textbox", "Request body")
	browsertest.Eval[any](p, `void document.querySelector("textarea").focus()`)
	var sum time.Duration
	for b.Loop() {
		var keys [20]time.Duration
		for i := range keys {
			before := p.Worked()
			p.Press("x")
			p.Wait(`new Promise((soon) => requestAnimationFrame(() => setTimeout(soon, 0, true)))`)
			keys[i] = p.Worked() - before
		}
		slices.Sort(keys[:])
		sum += keys[len(keys)/2]
	}
	b.ReportMetric(float64(sum.Microseconds())/1000/float64(b.N), "ms/key")
}

// TestCallFollowsTheForm fills in a form, whose call must stand beside it and follow it, in the
// language that was chosen last. On a phone the call is folded below the form.
func TestCallFollowsTheForm(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/#/Pets/listPets")
	p.WaitText(".request pre", "curl -s '"+w.URL+"/pets'")
	p.Fill("textbox", "limit", "3")
	p.WaitText(".request-url", "/pets?limit=3")
	p.Click("button", "Python")
	p.WaitText(".request pre", `requests.request("GET", "`+w.URL+`/pets?limit=3"`)
	p.Fill("textbox", "Key", "another")
	p.WaitText(".request pre", "Bearer another")
	p.Wait(`(() => {
		const [inputs, call] = [".inputs", ".console"].map((name) => document.querySelector(name).getBoundingClientRect())
		return call.left > inputs.right && call.top < inputs.top
	})()`)

	p.Open("about:blank")
	p.Resize(375, 800)
	p.Open(w.URL + "/docs/#/Pets/createPet")
	p.Wait(`(() => {
		const [inputs, call] = [".inputs", ".console"].map((name) => document.querySelector(name)?.getBoundingClientRect())
		return call?.top >= inputs.bottom && !document.querySelector(".request details").open
	})()`)
	browsertest.Eval[any](p, `void (document.querySelector(".request details").open = true)`)
	p.WaitText(".request pre", `json={"name": "Rex", "categoryId": 1}`)
	browsertest.Eval[any](p, `void (([select]) => { select.selectedIndex = 1; select.dispatchEvent(new Event("change", {bubbles: true})) })(document.querySelectorAll(".body select"))`)
	p.Wait(`!document.querySelector(".request pre").textContent.includes("Rex")`)
	p.Click("button", "Execute")
	p.Wait(`(({top, bottom}) => top > 0 && bottom <= innerHeight)(document.querySelector(".live-response").getBoundingClientRect())`)
	p.Click("button", "Search operations") // which is above what is scrolled away
	p.Wait(`document.activeElement.matches("[type=search]") && document.querySelector("main").scrollTop === 0`)
}

// TestPageShowsFirstTasks follows a task of each document, and checks that the list of many
// operations shows those of the current group, and of all while it is searched.
func TestPageShowsFirstTasks(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/")
	p.Wait(`document.querySelectorAll(".tasks a").length === 6 && !document.querySelector(".side details:not([open])")`)
	p.Click("link", "Prevent a lost update PATCH /pets/{petId}")
	p.Wait(`document.activeElement.id === "operations-Pets-updatePet"`)
	p.Open(w.URL + "/docs/?document=admin")
	p.Wait(`document.querySelectorAll(".tasks a").length === 6 && !document.querySelector(".side details[open]")`)
	p.Click("link", "Make an operation slow, or let it fail POST /admin/faults")
	p.Wait(`document.activeElement.id === "operations-Faults-createFault"`)
	p.Wait(`[...document.querySelectorAll(".side details[open] h2")].map((name) => name.textContent).join() === "Faults"`)
	p.Fill("searchbox", "Search operations", "snapshot")
	p.Wait(`document.querySelectorAll(".side details[open]").length > 1 && !document.querySelector(".side details:not([open])")`)
}

// TestPageMarksOneOperation opens a second operation from the list: both stay open, and only the
// second has the colour of what is selected.
func TestPageMarksOneOperation(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Pets/createPet")
	p.See("textbox", "Request body")
	p.Click("link", "GET Find a pet by id")
	p.Wait(`document.querySelectorAll(".is-open").length === 2`)
	p.Wait(`(([one, two]) => one !== two)([...document.querySelectorAll(".is-open .opblock-summary-control")].map((head) => getComputedStyle(head).backgroundColor))`)
	p.Wait(`[...document.querySelectorAll(".is-current")].map(({id}) => id).join() === "operations-Pets-getPet"`)
}

// TestPageNamesBodyExample checks that the body's example is not claimed for what was typed.
func TestPageNamesBodyExample(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Pets/createPet")
	const chosen = `document.querySelector(".body select").selectedOptions[0].textContent`
	p.Wait(chosen + ` === "A dog, available by default"`)
	first := browsertest.Eval[string](p, `document.querySelector("textarea").value`)
	p.Fill("textbox", "Request body", "{}")
	p.Wait(chosen + ` === "Edited"`)
	p.Fill("textbox", "Request body", first)
	p.Wait(chosen + ` === "A dog, available by default"`)
}

// TestPageSwitchesDocuments goes to the admin API and back: what is shown stays until the other
// document is there, and nothing is loaded again.
func TestPageSwitchesDocuments(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Pets/createPet")
	p.See("textbox", "Request body")
	browsertest.Eval[any](p, `void (window.empty = 0, window.look = () => {
		if (!document.querySelector(".introduction h2")) empty++
		requestAnimationFrame(look)
	}, look())`)
	p.Click("link", "Admin API")
	p.WaitText(".introduction h2", "Petstore sandbox admin API")
	p.Wait(`document.querySelector("main").scrollTop === 0 && document.title.startsWith("Admin API")`)
	browsertest.Eval[any](p, `void history.back()`)
	p.WaitText(".introduction h2", "Petstore sandbox API")
	p.Wait(`location.hash === "#/Pets/createPet" && document.querySelector("textarea") && document.querySelector("nav [aria-current=page]").textContent === "Pet store"`)
	if empty := browsertest.Eval[int](p, "empty"); empty > 0 { // missing had the page been loaded again
		t.Errorf("the page was empty in %d frames", empty)
	}
}

// TestPageShowsSandboxURL checks that the base URL of a sandbox and its first call are shown whole, and that
// nothing of the introduction is cut off on a phone.
func TestPageShowsSandboxURL(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Put("/admin/sandboxes/ada-lovelace-of-the-first-row", `{}`))
	p := openDocs(t, w, "/sandboxes/ada-lovelace-of-the-first-row/docs/")
	for _, width := range []int64{1280, 375} {
		p.Resize(width, 740)
		p.Wait(`[...document.querySelectorAll(".introduction *")].every(({scrollWidth, clientWidth, clientHeight}) => !clientHeight || scrollWidth <= clientWidth + 1)`)
	}
	p.Wait(`getComputedStyle(document.querySelector("#find")).visibility === "hidden"`)
	browsertest.Eval[any](p, `void (document.querySelector("main").scrollTop = 1000)`)
	p.Wait(`getComputedStyle(document.querySelector("#find")).visibility === "visible"`)
}

// TestPageHasKeysAndTheme goes to an operation by keyboard alone, and chooses dark colours.
func TestPageHasKeysAndTheme(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/")
	p.Press("/")
	p.Wait(`document.activeElement.matches("[type=search]")`)
	p.Press("p", "h", "o", "t", "o", browsertest.Down)
	p.Wait(`document.activeElement.matches("a[href='#/Pets/getPetPhoto']")`)
	p.Press(browsertest.Enter)
	p.Wait(`document.querySelector("#operations-Pets-getPetPhoto .opblock-body")`)
	p.Click("button", "Use dark colours")
	p.Wait(`document.documentElement.dataset.theme === "dark" && localStorage.getItem("petstore.theme") === "dark"`)
}

// TestPageExplainsRefusal checks that the reason stands above the response, with a link
// to the request on the dashboard.
func TestPageExplainsRefusal(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Pets/createPet")
	p.Allow("status of 400")
	p.Fill("textbox", "Request body", `{"name": ""}`)
	p.Click("button", "Execute")
	p.WaitText(".live-response .line", "400 Bad Request")
	p.WaitText(".live-response .reason", "/name must be 1 to 255 characters long")
	p.Click("link", "Its line on the dashboard")
	p.WaitText("main", "must be 1 to 255 characters long")
}

// TestPageMarksInvalidFields checks that a refusal marks the fields that it names, and leads to them: a value in
// the body, a place in what is no JSON, and a parameter.
func TestPageMarksInvalidFields(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Pets/createPet")
	p.Allow("status of 400")
	send := func(body string) {
		t.Helper()
		p.Fill("textbox", "Request body", body)
		browsertest.Eval[any](p, `void document.querySelector("textarea").dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", ctrlKey: true, bubbles: true}))`)
	}
	selected := func(want string) {
		t.Helper()
		p.Wait(`(({value, selectionStart, selectionEnd}) => value.slice(selectionStart, selectionEnd) === ` + strconv.Quote(want) + `)(document.activeElement)`)
	}
	send(`{"name": "Rex", "categoryId": 1, "status": "gone"}`)
	p.Wait(`(() => { // at the side of the response, which says why, the name of the field is marked; below it, the reason stands at the field
		const wrong = document.querySelector(".fields .wrong")
		return wrong?.textContent === 'must be available, pending or sold, not "gone"' && wrong.offsetHeight === 0
	})()`)
	p.Resize(800, 700)
	p.Wait(`document.querySelector(".fields .wrong").offsetHeight > 0`)
	p.Resize(1280, 800)
	p.Click("button", "/status")
	selected(`"gone"`)
	p.Press(`"`, "s", "o", "l", "d", `"`)
	p.Wait(`!document.querySelector(".body [aria-invalid=true], .fields .wrong") && document.querySelector(".reason .mended")`)
	send(`{"name": "Rex",
"status"
}`)
	p.Click("button", "line 3, column 1")
	selected("}")
	p.Wait(`document.querySelector("textarea[aria-invalid=true]") && !document.querySelector(".fields .wrong")`)

	browsertest.Eval[any](p, `void (location.hash = "#/Pets/listPets")`)
	p.Fill("textbox", "limit", "0")
	browsertest.Eval[any](p, `void document.querySelector("#operations-Pets-listPets .primary").click()`)
	p.Click("button", "limit")
	p.Wait(`document.activeElement.matches("[name='query.limit'][aria-invalid=true]")`)
	p.Wait(`document.querySelector(".parameters .wrong").offsetHeight > 0`)
	p.Fill("textbox", "limit", "1")
	p.Wait(`!document.querySelector(".parameters [aria-invalid=true]")`)
}

// TestAdminPageFollowsChanges checks that the page shows what its own requests change, and offers
// the key where one is missing.
func TestAdminPageFollowsChanges(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.AdminKey = "secret" })
	p := openDocs(t, w, "/docs/?document=admin#/Clock/setClock")
	p.Allow("status of 401")
	p.WaitText(".request .key small", "Execute needs the server’s --admin-key or the key of this sandbox.")
	p.WaitText(".introduction .key small", "Execute needs the server’s --admin-key or the key of this sandbox.")
	p.Click("button", "Execute")
	p.WaitText(".live-response .status", "401")
	browsertest.Eval[any](p, `void document.querySelector(".request input").focus()`)
	p.Press("s", "e", "c", "r", "e", "t", browsertest.Enter)
	p.WaitText(".live-response .status", "200")
	p.Wait(`document.querySelector(".live-response .foot a").search === "?view=time"`)

	open := openDocs(t, NewWorld(t), "/docs/?document=admin#/Clock/setClock")
	open.Click("button", "Execute")
	open.WaitText("#clock", "2031-01-01 00:00 UTC, set")
}

// TestPageShowsCommonHeadersOnce checks that common headers are described only once,
// and that the introduction links to its schemas.
func TestPageShowsCommonHeadersOnce(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Pets/listPets")
	p.Wait(`(document.querySelectorAll("summary").forEach((summary) => summary.parentElement.open = true), document.querySelectorAll(".response .details").length > 10)`)
	if times := browsertest.Eval[int](p, `[...document.querySelectorAll("dt")].filter((name) => name.textContent === "X-Request-Id").length`); times != 1 {
		t.Errorf("X-Request-Id is described %d times", times)
	}
	const introduction = `document.querySelector(".introduction .prose").offsetHeight`
	if folded := browsertest.Eval[float64](p, introduction); folded > 60 {
		t.Errorf("the introduction is %g pixels high", folded)
	}
	p.Click("link", "Admin API")
	p.WaitText(".introduction h2", "admin API")
	if folded := browsertest.Eval[float64](p, introduction); folded > 60 {
		t.Errorf("the introduction of the admin API is %g pixels high", folded)
	}
	p.Click("link", "Pet store")
	p.WaitText(".introduction h2", "sandbox API")
	p.Click("button", "Errors")
	p.Click("link", "Error")
	p.Wait(`document.getElementById("/components/schemas/Error").querySelector(".fields")`)
}

// TestPageLinksBack goes back to the page that opened the docs, and as an attendee to the
// exercises.
func TestPageLinksBack(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.Workshop = true })
	var ada struct{ Key string }
	w.Do(t, Post("/join", `{"name": "Ada"}`)).Decode(t, &ada)
	p := browsertest.Open(t, w.URL+"/sandboxes/ada/#key="+ada.Key)
	p.Resize(375, 800)
	p.Click("link", "Docs")
	for _, operation := range []string{"listPets", "createPet"} {
		p.Wait(`document.querySelector("#operations-Pets-` + operation + `")`)
		browsertest.Eval[any](p, `void document.querySelector("#operations-Pets-`+operation+` .opblock-summary-control").click()`)
		p.Wait(`location.hash === "#/Pets/` + operation + `"`)
	}
	browsertest.Eval[any](p, `void setTimeout(() => history.back())`) // after the evaluation, which the navigation would abort
	p.Wait(`location.pathname === "/sandboxes/ada/"`)
	p.Click("link", "Docs")
	p.Click("link", "Exercises")
	p.Wait(`location.pathname === "/join" && document.querySelector(".exercises")`)
}
