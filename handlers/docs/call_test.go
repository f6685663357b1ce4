package docs_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/extras"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/petstoretest"
)

// TestPageFollowsLocation follows the address of a new record to the operation that reads it, which is filled in.
func TestPageFollowsLocation(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Put("/admin/sandboxes/ada", `{}`))
	p := openDocs(t, w, "/sandboxes/ada/docs/#/Pets/createPet")
	p.WaitText(".introduction .prose", "POST /admin/reset")
	p.Fill("textbox", "Request body", `{"name": "Ada", "categoryId": 1}`)
	p.Click("button", "Execute")
	p.WaitText(".live-response dl", "Location /sandboxes/ada/pets/")
	made := strings.TrimPrefix(p.Text(".live-response dl a"), "/sandboxes/ada/pets/")
	browsertest.Eval[any](p, `void document.querySelector(".live-response dl a").click()`)
	p.WaitText("#operations-Pets-getPet .request-url", "/pets/"+made)
	p.Press(browsertest.Enter) // the focus is on Execute
	p.WaitText("#operations-Pets-getPet .live-response", `"name": "Ada"`)
	p.Wait(`document.querySelector("textarea").value.includes("Ada") && location.hash === "#/Pets/getPet?petId=` +
		made + `"`)
}

// TestPageMarksEarlierResponse reads the next page of a list at once, and marks a response as soon as the form or
// the clock has changed.
func TestPageMarksEarlierResponse(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/#/Pets/listPets")
	p.Fill("textbox", "limit", "2")
	p.Click("button", "Execute")
	p.WaitText(".live-response pre", `"id": 1,`)
	browsertest.Eval[any](p, `void document.querySelectorAll(".relation a")[1].click()`)
	p.WaitText(".live-response pre", `"id": 3,`)
	p.Wait(`!document.querySelector(".live-response .chip")`)
	p.Fill("textbox", "limit", "3")
	p.WaitText(".live-response .chip", "Of an earlier request")
	p.Fill("textbox", "limit", "2")
	p.Wait(`!document.querySelector(".live-response .chip")`)

	p.Open("about:blank")
	p.Allow("status of 410")
	p.Open(w.URL + "/docs/#/Pets/getPet")
	w.Must(t, Put("/admin/operations/getPet", `{"enforceSunset": true}`))
	w.Must(t, Put("/admin/clock", `{"now": "2031-01-01T00:00:00Z"}`))
	p.Click("button", "Execute")
	p.WaitText("#operations-Pets-getPet .badge", "gone") // by the clock that the response had
	p.WaitText("#clock", "2031-01-01")
	p.WaitText(".live-response .status", "410")
	p.Wait(`!document.querySelector(".live-response .chip")`)
	p.Click("button", "Back to now")
	p.WaitText(".live-response .chip", "Of an earlier request")
}

// TestResponseFitsItsPlace checks that the card of a response ends above the end of the window, and that its body
// takes what room there is, whether the response is an object, a refusal or a stream, which stays at its end.
func TestResponseFitsItsPlace(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/?document=admin#/Faults/createFault")
	p.Allow("status of 400")
	p.Resize(1280, 800)
	const fits = `((card) => card && card.scrollHeight <= card.clientHeight + 1 && ` +
		`card.getBoundingClientRect().bottom < innerHeight)(document.querySelector(".live-response"))`
	p.Click("button", "Execute")
	p.Wait(fits)
	browsertest.Eval[any](p, `void (document.querySelector(".live-response details").open = true)`)
	p.Wait(fits)
	p.Open(w.URL + "/docs/#/Pets/listPets")
	p.Fill("textbox", "limit", "x")
	p.Click("button", "Execute")
	p.Wait(`((body) => body && body.scrollHeight === body.clientHeight)(document.querySelector(".live-response pre"))`)

	p.Open("about:blank")
	p.Open(w.URL + "/docs/#/Events/streamEvents")
	p.Click("button", "Execute")
	p.WaitText(".live-response", ": listening")
	w.Must(t, Delete("/admin/faults"))
	create := func(name string) { w.Must(t, Post("/pets", `{"name": "`+name+`", "categoryId": 1}`)) }
	for range 15 {
		create("Rex")
	}
	create("last")
	p.WaitText(".stream", `"last"`)
	p.Wait(`((stream) => stream.scrollHeight > stream.clientHeight && stream.getBoundingClientRect().bottom >= ` +
		`stream.firstChild.lastChild.getBoundingClientRect().bottom)(document.querySelector(".stream"))`)
	browsertest.Eval[any](p, `void document.querySelector(".stream").scrollTo(0, -1e6)`)
	const top = `document.querySelector(".stream p").getBoundingClientRect().top`
	before := browsertest.Eval[float64](p, top)
	create("later")
	p.WaitText(".stream", `"later"`)
	if after := browsertest.Eval[float64](p, top); after != before {
		t.Errorf("what is read went from %g to %g", before, after)
	}
}

// TestPageOffersFilterValues chooses two values of a filter, which is repeated in the call.
func TestPageOffersFilterValues(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Pets/listPets")
	p.Wait(`[...document.querySelectorAll(".checks input")].every((box) => box.offsetWidth === box.offsetHeight)`)
	p.Click("checkbox", "available")
	p.Click("checkbox", "sold")
	p.WaitText("#operations-Pets-listPets .request-url", "/pets?status=available&status=sold")
	p.Wait(`document.querySelector("[name='query.id']").placeholder === "such as 7, 12"`)
	p.WaitText(".parameters", "limit int32, 1 to 1000, default 20")
}

// TestPageOfUntriableOperation checks that listOrders cannot be executed, that a note explains this,
// and that groups contain their sub-groups.
func TestPageOfUntriableOperation(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/#/Store/listOrders")
	p.WaitText("#operations-Store-listOrders .note",
		"Interactive testing is disabled for this operation, so there is no “Execute”. The document says "+
			"x-hideTryItPanel here, to show what that does. Call it from your own client.")
	p.WaitText("#operations-Store-listOrders .request pre", w.URL+"/store/orders")
	p.See("columnheader", "Description") // the rest of the operation is shown
	p.Miss("button", "Execute")
	p.Wait(`["Pets Categories", "Store Inventory"].every((pair) => {
		const [group, sub] = pair.split(" ").map((tag) => document.querySelector("#operations-tag-" + tag).closest(".opblock-tag-section"))
		return group !== sub && group.contains(sub)
	}) && document.querySelectorAll("[id=operations-tag-Categories]").length === 1`)
	browsertest.Eval[any](p,
		`void document.querySelector("#operations-Inventory-listInventory .opblock-summary-control").click()`)
	p.See("button", "Execute")
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
	browsertest.Eval[any](p,
		`void (document.querySelector("main").scrollTop = 1e6, `+
			`document.querySelector("#operations-Pets-getPetPhoto button").click())`)
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
	p.WaitText(".request pre", `requests.request( "GET", "`+w.URL+`/pets?limit=3"`)
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
		const [inputs, call] = [".inputs", ".request details"].map((name) => document.querySelector(name)?.getBoundingClientRect())
		return call?.top >= inputs.bottom && !document.querySelector(".request details").open
	})()`)
	browsertest.Eval[any](p, `void (document.querySelector(".request details").open = true)`)
	p.WaitText(".request pre", `json={"name": "Rex", "categoryId": 1}`)
	browsertest.Eval[any](p,
		`void (([select]) => { select.selectedIndex = 1; select.dispatchEvent(new Event("change", `+
			`{bubbles: true})) })(document.querySelectorAll(".body select"))`)
	p.Wait(`!document.querySelector(".request pre").textContent.includes("Rex")`)
	p.Click("button", "Execute")
	p.Wait(`(({top, bottom}) => top > 0 && bottom <= innerHeight)(document.querySelector(".live-response").getBoundingClientRect())`)

	p.Open("about:blank")
	p.Open(w.URL + "/docs/#/Pets/listPets")
	p.Wait(`document.querySelector("#operations-Pets-listPets .inputs")`)
	browsertest.Eval[any](p, `void (document.querySelector(".inputs > details").open = true)`)
	p.Wait(`(({bottom}) => bottom > innerHeight - 40 && bottom < innerHeight)(document.querySelector(".primary").getBoundingClientRect())`)
	const at = `document.querySelector("#operations-Pets-listPets").getBoundingClientRect().top`
	before := browsertest.Eval[float64](p, at)
	p.Click("button", "Search operations") // over the page, which stays where it is
	p.Wait(
		`document.activeElement.matches("[type=search]") && document.querySelector(".side .list").offsetHeight > 600`)
	p.Click("button", "Close")
	p.Wait(`document.activeElement.id === "find" && !document.querySelector(".over")`)
	if after := browsertest.Eval[float64](p, at); after != before {
		t.Errorf("the operation was at %g, and is at %g", before, after)
	}
	p.Press(browsertest.Enter, "p", "o", "r", "t", "r", "a", "i", "t", browsertest.Enter)
	p.Wait(`document.activeElement.id === "operations-Pets-getPetPhoto" && !document.querySelector(".over")`)
}

// TestCallNamesSandboxInASCII fills in a sandbox whose name is not ASCII. Its call must work in every language, some of
// whose clients do not send such a header, and Execute must use the same sandbox.
func TestCallNamesSandboxInASCII(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/#/Pets/listPets")
	p.Wait(`document.querySelector("#operations-Pets-listPets .inputs")`)
	browsertest.Eval[any](p, `void (document.querySelector(".inputs > details:last-child").open = true)`)
	p.Fill("textbox", "X-Sandbox", "Zoë’s 100%25")
	p.WaitText(".request pre", `-H 'X-Sandbox: Zo%C3%AB%E2%80%99s 100%25'`)
	p.Click("button", "Execute")
	p.WaitText(".live-response .status", "200")
	w.Must(t, Get("/admin/sandboxes/Zo%C3%AB%E2%80%99s%20100%25"))
}

// TestCallHasColours checks which parts of a call have colours, where its longest line fades, and that the body's
// fields are those that a client sends.
func TestCallHasColours(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/#/Store/createOrder")
	const coloured = `[...document.querySelectorAll(".request pre span")].map(` +
		`({className, textContent}) => className + " " + textContent).join("; ")`
	const date = `quoted "2026-03-14T09:30:00Z"; `
	p.Wait(coloured + ` === 'word curl; value 7; value 2; ` + date + `quoted \'` + w.URL + `/store/orders\''`)
	p.Click("button", "Python")
	p.Wait(coloured + ` === 'word import; quoted "POST"; quoted "` + w.URL + `/store/orders"; value 7; value 2; ` +
		strings.TrimSuffix(date, "; ") + `'`)
	p.Wait(`getComputedStyle(document.querySelector(".request pre")).maskImage.includes("gradient")`)
	p.Wait(`[...document.querySelectorAll(".fields .name")].map((name) => name.textContent).join() ` +
		`=== "petId,quantity,shipDate,complete"`)
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

// TestPageShowsWaiting sends a request that takes long: the page says so, with the response before dimmed, until the
// user cancels. Nothing moves.
func TestPageShowsWaiting(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Pets/listPets")
	p.Click("button", "Execute")
	p.WaitText(".live-response .status", "200")
	const place = `(({left, right}) => left + " to " + right)(document.querySelector(".request .primary").getBoundingClientRect())`
	before := browsertest.Eval[string](p, place)
	browsertest.Eval[any](p, `void (document.querySelector(".inputs > details:last-child").open = true)`)
	p.Fill("textbox", "Prefer", "delay=60000")
	for _, cancel := range []func(){
		func() { p.Press(browsertest.Escape) },
		func() { p.Click("button", "Cancel") },
	} {
		p.Click("button", "Execute")
		p.See("button", "Sending…")
		p.Wait(`!document.querySelector(".live-response") || getComputedStyle(document.querySelector(".live-response").parentElement).opacity < 1`)
		if now := browsertest.Eval[string](p, place); now != before {
			t.Errorf("the button went from %s to %s", before, now)
		}
		p.Click("button", "Sending…") // sends nothing more
		cancel()
		p.WaitText(".console .note", "Cancelled before a response came. The operation may have run all the same.")
		p.Wait(`document.activeElement.textContent === "Execute" && !document.querySelector("[aria-busy=true], ` +
			`.live-response")`)
	}
}

// TestPageSendsOptionalBodyOnDemand checks that a body that is not required is empty until an example is chosen.
func TestPageSendsOptionalBodyOnDemand(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/?document=admin#/Admin/resetSandbox")
	p.Wait(`(({value, rows}) => value === "" && rows === 2)(document.querySelector("textarea"))`)
	p.Choose("Example", "Other data, the same amount")
	p.WaitText(".request pre", "seed")
	p.Choose("Example", "No body")
	p.Wait(`!document.querySelector(".request pre").textContent.includes("seed")`)
}

// TestCopyKeepsItsWidth copies the first call: nothing around the button moves.
func TestCopyKeepsItsWidth(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/")
	p.See("button", "Copy")
	const widths = `[...document.querySelectorAll(".introduction .copy")].map(({offsetWidth}) => offsetWidth).join()`
	before := browsertest.Eval[string](p, widths)
	p.In(".introduction .line:nth-child(2)").Click("button", "Copy")
	p.See("button", "Copied")
	if now := browsertest.Eval[string](p, widths); now != before {
		t.Errorf("the buttons were %s and are %s pixels wide", before, now)
	}
}

// TestPageExplainsRefusal checks that the reason stands above the response, with a link
// TestPageLinksFaultRule checks that the response of a fault leads to its rule, with and without a message of
// TestPageStopsStream follows the events, whose one button stops them and leaves those that came, and
// says how long they came. It also checks that the response is dimmed while a required parameter is missing.
func TestPageStopsStream(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/#/Events/streamEvents")
	p.Click("button", "Execute")
	p.WaitText(".live-response", ": listening")
	p.WaitText(".live-response .live", "Live · 0 events")
	w.Must(t, Post("/pets", `{"name": "Rex", "categoryId": 1}`))
	p.WaitText(".live-response .live", "Live · 1 event")
	p.WaitText(".live-response pre strong", "pet.created")
	p.WaitText(".live-response pre .data", `"name":"Rex"`)
	p.Resize(375, 700)
	p.Wait(`document.querySelector(".live-response pre .time").getBoundingClientRect().left > 0`)
	p.Miss("button", "Execute")
	p.Click("button", "Stop")
	p.See("button", "Execute")
	p.WaitText(".live-response .time", "1 event in ")
	p.WaitText(".live-response", ": listening")
	p.Open("about:blank")
	p.Open(w.URL + "/docs/#/Pets/getPet")
	p.Fill("textbox", "petId", "1")
	p.Click("button", "Execute")
	p.WaitText(".live-response .status", "200")
	p.Fill("textbox", "petId", "")
	p.Wait(`getComputedStyle(document.querySelector(".live-response")).opacity < 1`)
}

// TestPageMarksInvalidFields checks that a refusal marks the fields that it names, and leads to them: a value in
