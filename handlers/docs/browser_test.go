package docs_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// TestSearchFindsNamesFirst checks that Enter opens an operation of that name before those whose text
// has the word, that the search finds parameters and the chapters of the guide, that the word is marked in
// the results, and that operations with the same sentence are folded below it.
func TestSearchFindsNamesFirst(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/?document=admin")
	p.Fill("searchbox", "Search operations", "reset")
	p.Press(browsertest.Enter)
	p.Wait(`location.hash === "#/Admin/resetSandbox"`)
	p.Open(w.URL + "/docs/")
	for word, hit := range map[string]string{
		"idempotency": "Place an order", "sort": "List pets", "sunset": "Lifecycle", "503": "Rehearse failure",
		"x-sandbox": "Sandboxes",
	} {
		p.Fill("searchbox", "Search operations", word)
		p.Wait(`[...document.querySelectorAll(".side li")].some((item) => item.textContent.includes("` + hit + `"))`)
	}
	p.Fill("searchbox", "Search operations", "--rate-limit") // which each operation has in common with the others
	p.WaitText(".side .none", "server's --rate-limit allows")
	p.WaitText(".side .none mark", "rate-limit")
	p.In(".side").Miss("link", "GET List pets")
	browsertest.Eval[any](p, `void document.querySelector(".side .none + details summary").click()`)
	p.In(".side").See("link", "GET List pets")
	p.Fill("searchbox", "Search operations", "operation_sunset")
	p.WaitText(".side .none", "operation_sunset, 410: ")
	p.Fill("searchbox", "Search operations", "id order") // with the sentence that has the words
	p.WaitText(".side", "All pets in id order, a page at a time.")
	p.WaitText(".side", "A list is a bare array in id order.") // of the guide
	p.Fill("searchbox", "Search operations", "cation")         // a part of words such as Location
	p.WaitText(".side .none", "Nothing matches.")
	p.Fill("searchbox", "Search operations", "first steps")
	p.Wait(`document.querySelectorAll(".side li").length === 1`)
	p.Press(browsertest.Enter)
	p.Wait(`document.activeElement.id === "guide/first-steps" && document.activeElement.textContent === "First steps"`)
	p.Wait(`location.hash === "#guide/first-steps" && document.querySelector("[type=search]").value === ""`)
	p.Fill("searchbox", "Search operations", "webhook")
	p.Press(browsertest.Down, browsertest.Escape)
	p.Wait(`document.activeElement.matches("[type=search]")`)
	p.Click("link", "Search the Admin API")
	p.In(".side").See("link", "GET List webhooks")
	p.Wait(`document.activeElement.matches("[type=search]") && document.activeElement.value === "webhook"`)
	p.Fill("searchbox", "Search operations", "deliverytry")
	p.In(".side").Click("link", "DeliveryTry")
	p.Wait(`document.getElementById("/components/schemas/DeliveryTry").open`)
}

// TestChaptersHaveAddresses checks that each chapter of the guide has an address, that the list marks the chapter or
// the operation of the address alone, and that a phone opens the guide for it.
func TestChaptersHaveAddresses(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/#guide/errors")
	const marked = `[...document.querySelectorAll(".side a[aria-current]")].map((a) => a.hash).join()`
	p.Wait(`document.activeElement.id === "guide/errors" && ` + marked + ` === "#guide/errors"`)
	p.Wait(`document.title === "Errors – The API of default – Petstore"`)
	entries := browsertest.Eval[int](p, "history.length")
	p.In(".side").Click("link", "GET List pets")
	p.Wait(`location.hash === "#/Pets/listPets" && document.title.startsWith("List pets – The API")`)
	p.Wait(marked + ` === "#/Pets/listPets"`)
	p.In(".side").Click("link", "Lifecycle")
	p.Wait(marked + ` === "#guide/lifecycle" && location.hash === "#guide/lifecycle" && ` +
		`!document.querySelector(".is-current")`)
	p.In(".chapter:last-child").Click("link", "Find a pet by id")
	p.Wait(marked + ` === "#/Pets/getPet"`)
	if after := browsertest.Eval[int](p, "history.length"); after != entries { // so that Back leaves the docs
		t.Errorf("the history has %d entries, not %d", after, entries)
	}
	p.Open("about:blank")
	p.Resize(375, 800)
	p.Open(w.URL + "/docs/")
	p.Wait(`document.querySelector(".guide:not([open])")`)
	browsertest.Eval[any](p, `void (location.hash = "#guide/errors")`)
	p.Wait(`document.querySelector(".guide").open && document.activeElement.id === "guide/errors"`)
}

// TestGuideExamplesWork sends the example of each chapter, as the page shows it. Those about failures fail.
func TestGuideExamplesWork(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	fails := map[string]int{"Errors": 400, "Rehearse failure": 503}
	for _, address := range []string{"/openapi.json", "/admin/openapi.json"} {
		var document struct{ Info struct{ Description string } }
		w.Must(t, Get(address)).Decode(t, &document)
		_, guide, _ := strings.Cut(document.Info.Description, "\n## ")
		for chapter := range strings.SplitSeq(guide, "\n## ") {
			title, text, _ := strings.Cut(chapter, "\n")
			_, example, _ := strings.Cut(text, "\n```http\n")
			head, body, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(example), "\n```"), "\n\n")
			lines := strings.Split(head, "\n")
			method, target, _ := strings.Cut(lines[0], " ")
			r := must.Get(http.NewRequestWithContext(t.Context(), method, w.URL+target, strings.NewReader(body)))(t)
			if body != "" {
				r.Header.Set("Content-Type", "application/json")
			}
			for _, line := range lines[1:] {
				name, value, _ := strings.Cut(line, ": ")
				r.Header.Set(name, value)
			}
			answer := must.Get(w.Client.Do(r))(t)
			answer.Body.Close() // of the events too, which have no end
			want := cmp.Or(fails[title], answer.StatusCode)
			if answer.StatusCode != want || fails[title] == 0 && want >= 300 {
				t.Errorf("%s, %s: the example of %q returns %d", address, lines[0], title, answer.StatusCode)
			}
		}
	}
}

// TestListFollowsPage scrolls through the page: the list marks the section in view, and shows its mark.
func TestListFollowsPage(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/?document=admin")
	p.Resize(1280, 800)
	p.WaitText(".side summary[aria-current]", "Guide")
	browsertest.Eval[any](p, `void document.getElementById("operations-tag-Webhooks").scrollIntoView()`)
	p.Wait(`((mark, list) => mark?.textContent === "Webhooks" && mark.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom)(
		document.querySelector(".side summary[aria-current]"), document.querySelector(".side .list"))`)
	p.Wait(`document.querySelectorAll(".side [aria-current]").length === 1`)
}

// TestPageBehindAPrefix opens the page of a sandbox behind a proxy with a path prefix.
func TestPageBehindAPrefix(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Put("/admin/sandboxes/ada", `{}`))
	w.Must(t, Put("/sandboxes/ada/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`))
	backend := must.Get(url.Parse(w.URL))(t)
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

// TestPageOfUnknownSandbox checks that the page of an unknown sandbox reports this and does not create
// the sandbox.
func TestPageOfUnknownSandbox(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := browsertest.Open(t, w.URL+"/sandboxes/nobody/docs/")
	p.Allow("status of 404")
	p.WaitText("#trouble", `There is no sandbox "nobody"; the first request to the service creates it`)
	if asked := browsertest.Eval[[]string](p,
		`performance.getEntriesByType("resource").map((e) => new URL(e.name).pathname).filter((path) => path.includes("/admin"))`); !slices.Equal(asked, []string{"/sandboxes/nobody/admin"}) {
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
			blocks := browsertest.Eval[[]string](p, `[...document.querySelectorAll(".opblock")].map(({id}) => id)`)
			for _, id := range blocks { // one evaluation each, because all together take long on a busy machine
				if height := browsertest.Eval[float64](p, fmt.Sprintf(`(async () => {
					const block = document.getElementById(%q)
					const frame = () => new Promise(requestAnimationFrame)
					block.querySelector("button").click()
					while (!block.querySelector(".response")) await frame()
					const height = block.offsetHeight
					block.querySelector("button").click()
					while (block.querySelector(".response")) await frame()
					return height
				})()`, id)); height > c.height {
					t.Errorf("%s, %d pixels wide: %s: %g", address, c.width, id, height)
				}
			}
		}
	}
}

// TestPageShowsFirstTasks follows a task of each document, and checks that the list shows the operations
// of all groups, and that what replaces all data is as red as what deletes.
func TestPageShowsFirstTasks(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/")
	p.Wait(`document.querySelectorAll(".tasks a").length === 6 && !document.querySelector(".side details:not([open])")`)
	p.Click("link", "Prevent a lost update PATCH /pets/{petId}")
	p.Wait(`document.activeElement.id === "operations-Pets-updatePet"`)
	p.Open(w.URL + "/docs/?document=admin")
	p.Wait(`document.querySelectorAll(".tasks a").length === 6 && !document.querySelector(".side details:not([open])")`)
	p.Click("link", "Make an operation slow, or let it fail POST /admin/faults")
	p.Wait(`document.activeElement.id === "operations-Faults-createFault"`)
	const colour = `getComputedStyle(document.querySelector(".is-current .primary")).backgroundColor`
	usual := browsertest.Eval[string](p, colour)
	p.Click("link", "Begin each test with the same data POST /admin/reset")
	p.Wait(`document.querySelector("#operations-Admin-resetSandbox.is-current")`)
	if reset := browsertest.Eval[string](p, colour); reset == usual {
		t.Errorf("the buttons of a reset and of a new rule are both %s", reset)
	}
}

// TestPageMarksOneOperation opens a second operation from the list: both stay open, and only the
// second has the colour of a selection.
func TestPageMarksOneOperation(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Pets/createPet")
	p.See("textbox", "Request body")
	p.Click("link", "GET Find a pet by id")
	p.Wait(`document.querySelectorAll(".is-open").length === 2`)
	p.Wait(`(([one, two]) => one !== two)([...document.querySelectorAll(".is-open .opblock-summary-control")].map((head) => getComputedStyle(head).backgroundColor))`)
	p.Wait(`[...document.querySelectorAll(".is-current")].map(({id}) => id).join() === "operations-Pets-getPet"`)
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

// TestPageShowsSandboxURL checks that the base URL of a sandbox is shown whole, and that of the introduction only the
// first call scrolls sideways on a phone.
func TestPageShowsSandboxURL(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Put("/admin/sandboxes/ada-lovelace-of-the-first-row", `{}`))
	p := openDocs(t, w, "/sandboxes/ada-lovelace-of-the-first-row/docs/")
	for _, width := range []int64{1280, 375} {
		p.Resize(width, 740)
		p.Wait(`[...document.querySelectorAll(".introduction :not(pre)")].every(({scrollWidth, clientWidth, ` +
			`clientHeight}) => !clientHeight || scrollWidth <= clientWidth + 1)`)
	}
	if high := browsertest.Eval[float64](p, `document.querySelector(".bar").offsetHeight`); high > 48 {
		t.Errorf("the bar of a phone is %g pixels high", high)
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

// TestPageShowsCommonHeadersOnce checks that common headers are described only once,
// and that the guide links to its schemas.
func TestPageShowsCommonHeadersOnce(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Pets/listPets")
	p.Wait(`(document.querySelectorAll("summary").forEach((summary) => summary.parentElement.open = true), ` +
		`document.querySelectorAll(".response .details").length > 10)`)
	if times := browsertest.Eval[int](p,
		`[...document.querySelectorAll("dt")].filter((name) => name.textContent === "X-Request-Id").length`); times != 1 {
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
	p.In(".guide").Click("link", "Error")
	p.Wait(`document.getElementById("/components/schemas/Error").querySelector(".fields")`)
}

// TestGuideLinksToOperations follows links from requests in the text, to an operation of the same document and of the
// other one.
func TestGuideLinksToOperations(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/")
	p.In(".guide").Click("link", "POST /pets")
	p.Wait(`location.hash === "#/Pets/createPet" && document.querySelector("#operations-Pets-createPet .opblock-body")`)
	for from, want := range map[string][2]string{
		".introduction": {"POST /admin/reset", "Admin-resetSandbox"}, ".guide": {"PUT /admin/clock", "Clock-setClock"},
	} {
		p.In(from).Click("link", want[0])
		p.Wait(`document.querySelector("#operations-` + want[1] + ` .opblock-body")`)
		p.Wait(`location.search + location.hash === "?document=admin#/` + strings.Replace(want[1], "-", "/", 1) + `"`)
		p.Click("link", "Pet store")
		p.WaitText(".introduction h2", "sandbox API")
	}
}

// TestPageLinksBack goes back to the page that opened the docs, and as an attendee to the
// exercises, with and without the key. On a phone, others have the dashboard there.
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
		browsertest.Eval[any](p,
			`void document.querySelector("#operations-Pets-`+operation+` .opblock-summary-control").click()`)
		p.Wait(`location.hash === "#/Pets/` + operation + `"`)
	}
	browsertest.Eval[any](p, `void document.querySelector('.side a[href="#/Store/createOrder"]').click()`)
	p.Wait(`location.hash === "#/Store/createOrder"`)
	// After the evaluation, which the navigation would abort.
	browsertest.Eval[any](p, `void setTimeout(() => history.back())`)
	p.Wait(`location.pathname === "/sandboxes/ada/"`)
	p.Click("link", "Docs")
	p.Wait(`document.querySelector(".bar #exercises span").offsetWidth > 0 &&
		!document.querySelector(".away[href='../']").offsetWidth`)
	p.Click("link", "Exercises")
	p.Wait(`location.pathname === "/join" && document.querySelector(".exercises")`)

	lost := openDocs(t, w, "/sandboxes/ada/docs/")
	lost.Wait(`document.getElementById("exercises").pathname === "/join"`)
	lost.Resize(375, 800)
	lost.Open(w.URL + "/docs/")
	lost.Wait(`document.querySelector(".away[href='../']").offsetWidth > 0`)
}

// TestPageIsWholeWhereNarrow checks that the bar names the sandbox in one line on a tablet, beside the clock, and that
// the effect of a fault rule has the width of a phone.
func TestPageIsWholeWhereNarrow(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Put("/admin/clock", `{"now": "2031-01-01T00:00:00Z"}`))
	w.Must(t, Post("/admin/faults", `{"match": {"operationId": "listPets"}, "status": 503}`))
	p := openDocs(t, w, "/docs/#/Pets/listPets")
	p.Allow("status of 503")
	p.Resize(768, 1024)
	p.WaitText("#clock", "2031-01-01 00:00 UTC, set")
	p.Wait(`(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)(document.querySelector(".own")) && ` +
		`document.querySelector(".brand").offsetHeight < 30`)
	p.Click("button", "Execute")
	p.WaitText(".live-response .reason", "Fault rule 1")
	p.Fill("textbox", "limit", "3")
	p.WaitText(".live-response .chip", "Of an earlier request")
	p.Wait(`!document.querySelector(".live-response .line > .time").offsetWidth`) // so that the status has room
	p.Resize(375, 800)
	p.Wait(`document.querySelector(".reason .grow").offsetWidth > 250`)
}
