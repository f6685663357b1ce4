package pages_test

import (
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestReasonOfRefusal checks the page's main purpose: it shows why a request was refused.
func TestReasonOfRefusal(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/")
	p.WaitText("main", "No requests yet")
	p.WaitText("main", "curl -s '"+w.URL+"/pets?limit=2'")
	create(t, w, "")
	p.WaitText(".request", "400 POST /pets")
	p.WaitText(".request", "name: must be 1 to 255 characters long, not 0")
	openNewest(p)
	p.WaitText(".detail", "400 Bad Request")
	p.WaitText(".detail .why", "validation_failed · 1 error in the body")
	p.In(".detail").Click("button", "More")
	p.Wait(`document.querySelector(".detail-head a").href.endsWith("/docs/#/Pets/createPet")`)
	p.Press(browsertest.Escape)
	p.WaitText(".detail .line.bad", `"name": "", must be 1 to 255 characters long, not 0`)
	p.Click("button", "Fix and send…")
	p.WaitText("dialog .why", "/name must be 1 to 255 characters long, not 0")
	p.Wait(`document.activeElement.matches("dialog textarea") && document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd) === '""'`)
	p.Fill("textbox", "Headers", "Accept: */*\n{\"name\": 1}")
	p.Click("button", "Send")
	p.WaitText("dialog .wrong", "Headers, line 2: write it as Name: value")
	p.Wait(`document.activeElement.ariaInvalid === "true"`)
	// Not sent.
	p.Wait(`!document.querySelector("dialog .error-note") && document.querySelectorAll(".request").length === 1`)
	p.Press(browsertest.Escape)
	p.Wait(`!document.querySelector("dialog")`)
	p.In("[aria-label=Request].message").Click("button", "Raw")
	p.WaitText(".detail", `{"name": "", "categoryId": 1}`)
	const back = `!document.querySelector(".detail") && document.activeElement.getAttribute("aria-activedescendant") === "request-1"`
	p.Press(browsertest.Escape)
	p.Wait(back)
	p.Press(browsertest.Enter)
	p.Click("button", "Close")
	p.Wait(back)
	p.Fill("combobox", "Search the requests", "categoryid")
	p.WaitText(".request .reason", "name: must be 1 to 255 characters long, not 0 {\"name\": \"\", \"categoryId\": 1}")
	p.Wait(`document.querySelector(".request mark").innerText === "categoryId"`)
}

// TestChangesOfWrite checks that a write shows what it changed, with a link to the record, and that
// errors of different fields are different groups.
func TestChangesOfWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "Bello")
	w.Must(t, Patch("/pets/7", `{"name": "Bella"}`))
	p := show(t, w, "/")
	openNewest(p)
	p.WaitText(".effect", "changed pet 7 name Bello → Bella")
	p.See("button", "Undo")
	p.Press("j")
	p.WaitText(".effect", "added pet 7 Bello")
	p.Wait(`!document.querySelector(".effect-of button")`) // a later write comes first
	// It moved nothing.
	p.Wait(`document.querySelector(".effect").offsetHeight === parseFloat(getComputedStyle(document.querySelector(".effect")).minHeight)`)
	p.Wait(`document.querySelector(".actions").offsetHeight < 40`) // in one line
	p.In(".effect").Click("link", "pet 7")
	p.Wait(`document.querySelector(".editor input").value === "Bella"`)
	w.Must(t, Post("/admin/faults", `{"delay": {"fixedMs": 1}}`))
	create(t, w, "")
	w.Do(t, Post("/pets", `{"name": "Rex"}`))
	p.Click("link", "Requests")
	p.WaitText(".request", "POST /pets categoryId: is required rule 1")
	p.Wait(`(document.querySelector(".request").click(), true)`)
	p.Wait(`/Took [\d.]+ ms under rule 1, which is on: every request waits 1 ms\./.test(
		document.querySelector(".why .row").innerText)`)
	w.Must(t, Put("/admin/faults", `[{"status": 503}, {"id": 1, "delay": {"fixedMs": 1}}]`))
	p.WaitText(".detail .why", "which is on, but “Down” comes before it: every request waits 1 ms.")
	w.Must(t, Put("/admin/faults", `[{"id": 1, "delay": {"fixedMs": 1}}]`))
	p.WaitText(".detail .why", "which is on: every request waits 1 ms.")
	p.Click("button", "Delete rule 1")
	p.WaitText(".detail .why", "under rule 1, since deleted.")
	p.Wait(`!document.querySelector(".why a[href*=rule]")`)
	p.Press(browsertest.Escape)
	p.WaitText(`.request:has(.s-2xx)`, "set name of pet 7")
	p.Fill("combobox", "Search the requests", "bell")
	p.Wait(`[...document.querySelectorAll(".request mark")].map(({innerText}) => innerText).join() === "Bell,Bell"`)
	p.Fill("combobox", "Search the requests", "requ")
	p.WaitText(".request .reason mark", "requ") // categoryId: is required
	p.Fill("combobox", "Search the requests", "bell sta")
	p.Wait(`document.querySelector(".searchbox input").list.options[2].value === "bell status:4xx"`)
	p.Click("button", "Show all")
	p.Click("button", "Group errors")
	p.Wait(`document.querySelectorAll(".groups tbody tr").length === 2`)
	p.In(".groups").Click("link", "categoryId: is required")
	p.WaitText(".detail-head", "400 Bad Request POST /pets") // the one request
	p.WaitText(".list", "categoryId: is required")
	p.Wait(`document.querySelectorAll(".request").length === 1`)
	p.Fill("combobox", "Search the requests", "fault:7")
	p.Click("button", "Filter (1)")
	p.Click("button", "fault:7")
	p.Wait(`document.querySelector(".searchbox input").value === ""`)
}

// TestFixParameter opens the refusal of a parameter: the parameter is marked, and its value is selected to be fixed.
// In a window without room for the list, the controls of the list are hidden.
func TestFixParameter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Get(t, "/pets?offset=0&limit=abc&status=lost")
	p := show(t, w, "/")
	openNewest(p)
	p.WaitText(".why", "invalid_parameter · 2 errors limit must be an integer such as 7, not \"abc\" status must be")
	p.Wait(`[...document.querySelectorAll(".detail-head mark")].map((e) => e.innerText).join() ===
		"limit=abc,status=lost"`)
	p.See("button", "Filter")
	p.Resize(768, 1024)
	p.Wait(`!document.querySelector(".filters, .strip").checkVisibility()`)
	p.Click("button", "Fix and send…")
	p.Wait(`document.activeElement.ariaLabel === "Path" && getSelection().toString() === "abc"`)

	w.Get(t, "/pets/findByTags?tags=a") // the parameter is in the path
	p = show(t, w, "/?id=2")
	p.Wait(`[...document.querySelectorAll(".detail-head mark")].map((e) => e.innerText).join() === "findByTags"`)
	p.WaitText(".why", "There is no /pets/findByTags here, so this was read as /pets/{petId}. Try GET /pets.")
	p.Wait(`!/Deprecated. Its|\bdeprecated\b/.test(document.querySelector(".split").innerText)`) // getPet is
	p.Click("button", "Fix and send…")
	p.Wait(`document.activeElement.ariaLabel === "Path" && getSelection().toString() === "findByTags"`)
	p.Wait(`(document.activeElement.setSelectionRange(0, 0), true)`)
	p.In("dialog").Click("button", "petId")
	p.Wait(`document.activeElement.ariaLabel === "Path" && getSelection().toString() === "findByTags"`)
	p.Miss("textbox", "Headers") // until it is needed
	p.In("dialog").Click("button", "Headers")
	p.Wait(`document.activeElement.matches("dialog textarea")`)
}

// TestFixHeader opens the refusals of headers: the header is marked, and its value is selected to be fixed.
func TestFixHeader(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Do(t, Patch("/pets/1", `{"name": "Mine"}`).With("If-Match", `"old"`))
	w.Do(t, Post("/messages", `{"message": "Hi"}`).WithKey("wrong"))
	w.Must(t, Patch("/pets/2", `{"name": "Later"}`))
	w.Must(t, Patch("/pets/1", `{"name": "Rex"}`)) // unchanged
	w.Must(t, Patch("/pets/1", `{"name": "Newer"}`))
	p := show(t, w, "/?id=1")
	marked := func(name string) {
		t.Helper()
		p.Wait(`[...document.querySelectorAll("[aria-label=Request] details[open] .bad dt")].map((e) => e.innerText).join() === "` + name + `"`)
		p.Wait(`!document.querySelector(".why .note")`) // the message says it all
		p.Wait(`!document.querySelector("[aria-label=Response] details[open]")`)
	}
	fix := func(value string) {
		t.Helper()
		p.Click("button", "Fix and send…")
		p.Wait(`(({value, selectionStart, selectionEnd}) => value?.slice(selectionStart, selectionEnd) === ` +
			"`" + value + "`" + `)(document.activeElement)`)
	}
	marked("If-Match")
	fix(`"old"`)
	p.WaitText("dialog .why", "does not match the current ETag, which is")
	p.WaitText("dialog .why", "It has changed again since: its ETag is now "+w.Get(t, "/pets/1").Header.Get("ETag"))
	p.Wait(`(document.querySelector("dialog .why button").click(), true)`)
	p.Wait(`!document.querySelector("dialog .why button")`) // it is used
	p.Click("button", "Send")
	p.See("button", "Send again")
	p.WaitText("dialog h2", "Sent") // and not refused again
	p.Press(browsertest.Escape)
	p.Open(w.URL + "/?id=2")
	marked("Authorization")
	p.Click("button", "Fix and send…")
	p.Click("button", "Use Authorization: Bearer demo-key")
	p.Wait(`document.querySelectorAll("dialog textarea")[1].value.endsWith("Authorization: Bearer demo-key")`)
	p.Wait(`(document.activeElement.blur(), document.activeElement === document.body)`)
	p.Wait(`document.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true }))`)
	p.WaitText("dialog", "Response 201 Created")
	p.Open(w.URL + "/?id=4")
	p.WaitText("#request-4", "no change to pet 1")
	p.WaitText(".effect", "Nothing changed.")
	p.Miss("button", "Undo")
}

// TestEffectWaits checks that an open write reads no states while others write, and offers no Undo until they stop.
func TestEffectWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Patch("/pets/1", `{"name": "Theirs"}`))
	p := browsertest.Open(t, "about:blank")
	eachDocument(t, p, `{
		const timeout = setTimeout
		window.held = []
		window.setTimeout = (call, ms, ...rest) => (ms === 1000 ? held.push(call) : timeout(call, ms, ...rest))
	}`)
	p.Open(w.URL + "/?id=1")
	const (
		reads  = `performance.getEntriesByType("resource").filter((e) => e.name.includes("/admin/state")).length`
		button = `document.querySelector(".effect-of button")`
	)
	p.Wait(button)
	before := browsertest.Eval[int](p, `(window.held = [], `+reads+`)`)
	for range 3 {
		w.Must(t, Patch("/pets/2", `{"name": "Later"}`))
		p.Wait(`!` + button + ` && held.length > 0`)
	}
	if after := browsertest.Eval[int](p, reads); after != before {
		t.Errorf("it read states %d times, and then %d times", before, after)
	}
	p.Wait(`(held.forEach((call) => call()), !` + button + `)`)
}

// TestEffectOfUndoneWrite checks that an undone write is marked on every page, also after a reload, and shows what it
// changed as long as the page knows it. An older write names the one that comes first, and links to the store before
// it. The undo of the user's own write needs no confirmation.
func TestEffectOfUndoneWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Patch("/pets/3", `{"name": "First"}`))
	w.Must(t, Patch("/pets/1", `{"name": "Mine"}`).With("User-Agent", "Mozilla/5.0"))
	w.Must(t, Patch("/pets/2", `{"name": "Later"}`))
	other, p := show(t, w, "/?id=2"), show(t, w, "/")
	other.WaitText(".effect-of", "1 later request must be undone first: PATCH /pets/2. See the store before this request.")
	openNewest(p)
	p.WaitText(".effect", "changed pet 2 name Misty → Later")
	p.In(".effect-of").Click("button", "Undo")
	p.WaitText("dialog", "PATCH /pets/2 by")
	p.In("dialog").Click("button", "Undo it")
	p.WaitText(".effect-of", "Undone changed pet 2 name Misty → Later")
	p.WaitText("#request-3.reverted", "undone: set name of pet 2")
	p.Wait(`!document.querySelector(".effect-of button")`)
	p.WaitText(".detail", "Undone, so no store as of this request is kept.")
	other.WaitText("#request-3.reverted", "undone: set name of pet 2")
	other.Wait(`!document.querySelector(".effect-of").innerText.includes("later")`)
	p.Open(w.URL + "/?id=3")
	p.WaitText(".effect-of", "Undone. The values before are not kept. changed pet 2 name set to Later")
	p.Press("j")
	p.WaitText(".effect", "changed pet 1 name Rex → Mine")
	p.In(".effect-of").Click("button", "Undo")
	p.WaitText(".toasts", "Undone: PATCH /pets/1.")
	p.WaitText(".effect-of", "Undone changed pet 1 name Rex → Mine")
	p.Wait(`document.querySelectorAll(".request.reverted").length === 2`)
	if name := pet(t, w, "1").Name; name == "Mine" {
		t.Error("pet 1 is still as the write left it")
	}
	w.Must(t, Put("/admin/snapshots/now", ""))
	w.Must(t, Post("/admin/snapshots/now/restore", ""))
	p.Press("j")
	p.WaitText(".effect", "changed pet 3 name")
	p.Wait(`!document.querySelector(".effect-of").innerText.includes("must be undone")`) // the data is the same
	w.Must(t, Patch("/admin/data/pets/4", `{"name": "Of a page"}`))
	p.WaitText(".effect-of", "A later edit, restore or import must be undone first.")
	p.Open(w.URL + "/?view=data&at=3")
	p.Allow("status of 410")
	p.WaitText(".past", "Request 3 was undone, and the data as it left it is not kept.")
}

// TestStoreBeforeWrite checks that an older write links to the store right before it: to its record if that was there,
// on its page of the table, or else to the table.
func TestStoreBeforeWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Post("/admin/reset", `{"pets": 120}`))
	create(t, w, "Last")
	w.Must(t, Post("/store/orders", `{"petId": 2, "quantity": 1}`))
	w.Must(t, Delete("/pets/121"))
	w.Must(t, Patch("/pets/5", `{"name": "Later"}`))
	p := show(t, w, "/?id=3")
	p.WaitText(".effect", "removed pet 121") // the link knows the record
	p.Click("link", "the store before this request")
	p.WaitText(".rewind p", "The store just before DELETE /pets/121")
	p.WaitText("tr[aria-selected=true]", "121 Last")
	p.WaitText(".editor header", "Last #121")
	p.WaitText(".pager", "101 to 121 of 121")
	p.Click("button", "Next write")
	p.WaitText(".rewind", "just after DELETE /pets/121")
	p.Open(w.URL + "/?id=2")
	p.WaitText(".effect", "added order ")
	p.Click("link", "the store before this request")
	p.WaitText(".rewind p", "The store just before POST /store/orders")
	p.WaitText(".tables [aria-current]", "Orders")
}

// TestChangesOfLostWrite checks that a request shows what it changed where a fault rule
// replaced the response of its operation.
func TestChangesOfLostWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t,
		Post("/admin/faults", `{"match": {"operationId": "createPet"}, "when": "after", "status": 503, "times": 1}`))
	w.Get(t, "/pets") // since there is no data as of the request before the first one
	w.Do(t, Post("/pets", `{"name": "Rex", "categoryId": 1}`))
	p := show(t, w, "/?id=2")
	p.WaitText(".request.is-5xx .reason", "rule 1: 503 after the operation ran (201)")
	p.WaitText("[aria-label='What it changed']", "The operation ran, and the client was not told. added pet 7")
}

// TestFirstCallUsesServiceKey checks that the call that an empty list offers asks for a key of
// the pet store, if the page's key is another.
func TestFirstCallUsesServiceKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.APIKeys, c.AdminKey = []string{"shop-key"}, "secret-key" })
	p := browsertest.Open(t, w.URL+"/#key=secret-key")
	p.WaitText("main", `curl -s \ -H 'Authorization: Bearer YOUR-KEY' \ '`+w.URL+"/pets?limit=2'")
	p.Fill("textbox", "With a key that the server has as --api-key", "shop-key")
	p.WaitText("main", `curl -s \ -H 'Authorization: Bearer shop-key' \ '`+w.URL+"/pets?limit=2'")
}

// TestRefusedServiceKey checks that the editor invents no key in place of the redacted one, says so, and has a field
// for the key that the server requires.
func TestRefusedServiceKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.APIKeys = []string{"shop-key"} })
	w.Do(t, Post("/pets", `{}`).WithKey("shop-key").With("Api_key", "secret"))
	p := show(t, w, "/?id=1")
	p.Allow(`status of 4\d\d`)
	p.Click("button", "Fix and send…")
	p.WaitText("dialog .cut", "The journal does not keep secrets. Not in the headers below: Api_key, Authorization.")
	p.Wait(`!/demo-key|redacted/.test(document.querySelectorAll("dialog textarea")[1].value)`)
	p.Click("button", "Send")
	p.WaitText("dialog .why", "401 Unauthorized a key is required; this takes one of the server's --api-key values")
	p.Wait(`sessionStorage.length === 0`)
	p.Wait(`document.activeElement.labels?.[0].innerText === "Key"`)
	p.Fill("textbox", "Key", "shop-key")
	p.Click("button", "Send")
	p.WaitText("dialog .why", "400 Bad Request /name is required")
	p.Click("button", "/name")
	p.Wait(`document.activeElement.labels?.[0].innerText === "Body"`)
	p.Wait(`!document.querySelector("dialog .why input") && sessionStorage.length === 1`)
}

func TestSendAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Do(t, Post("/pets", `{"name": "Rex", "categoryId": 1}`).With("X-Client", "web"))
	p := show(t, w, "/")
	openNewest(p)
	p.Click("button", "Send again")
	p.WaitText(".toasts", "Sent again: 201")
	p.In(".toasts").Click("button", "Open")
	p.Wait(`location.search === "?id=2"`)
	p.In(".effect-of").Click("button", "Undo") // without a question, because the page sent it
	p.WaitText(".toasts", "Undone: POST /pets.")
	w.Get(t, "/admin/data/pets/8").Expect(t, 404, "not_found")
	p.Click("button", "Edit and send…")
	p.Fill("textbox", "Body", `{"name": "", "categoryId": 1}`)
	p.Allow(`status of 4\d\d`)
	p.Click("button", "Send")
	p.WaitText("dialog .why", "400 Bad Request /name must be 1 to 255 characters long")
	var journal struct {
		Requests []struct {
			Status  int               `json:"status"`
			Body    string            `json:"body"`
			Headers map[string]string `json:"headers"`
		} `json:"requests"`
	}
	w.Get(t, "/admin/requests").Decode(t, &journal)
	if len(journal.Requests) != 3 {
		t.Fatalf("the journal has %d requests", len(journal.Requests))
	}
	for i, want := range []int{201, 201, 400} {
		if got := journal.Requests[i]; got.Status != want || got.Headers["X-Client"] != "web" {
			t.Errorf("request %d = %+v, want %d of the client web", i, got, want)
		}
	}
	p.Fill("textbox", "Path", "/pets/1")
	p.Choose("Method", "GET")
	p.Fill("textbox", "Body", "")
	p.Click("button", "Send")
	p.WaitText("dialog", "Response 200 OK")
	p.Wait(`document.activeElement.innerText === "Done"`)
	p.Click("button", "Done")
	p.WaitText(".detail-head", "200 OK GET /pets/1")
	p.WaitText(".request[aria-selected=true]", "200 GET /pets/1") // the list shows it
	p.Click("button", "Send again")
	p.WaitText(".toasts", "Sent again: 200")
	id := browsertest.Eval[string](p, `location.search`)
	p.In(".toasts").Click("button", "Open")
	p.Wait(`location.search !== "` + id + `"`)
	p.Click("button", "Edit and send…")
	p.Fill("textbox", "Path", "/pets/../admin")
	p.Click("button", "Send")
	p.WaitText("dialog .error-note", "“..” cannot be a part of an address.")
	p.Choose("Method", "POST")
	p.Fill("textbox", "Body", "{}")
	p.Choose("Method", "GET")
	p.Click("button", "Send")
	p.WaitText("dialog .error-note", "A browser sends no body with GET.")
	if first, second := journal.Requests[0].Body, journal.Requests[1].Body; first != second {
		t.Errorf("sent again: %s, want %s", second, first)
	}
}

func TestFaultFromRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "Rex")
	p := show(t, w, "/")
	openNewest(p)
	p.In(".detail").Click("button", "More")
	p.Click("menuitem", "Fail the next one (503)")
	p.WaitText(".toasts", "Rule 1 now applies to createPet.")
	p.WaitText(".chips", "1 fault")
	create(t, w, "Rex")
	p.Press(browsertest.Escape)
	p.WaitText(".request", "503 POST /pets")
	p.WaitText(".request", "rule 1")
	p.Wait(`(document.querySelector(".request.is-5xx").click(), true)`)
	p.Wait(`document.querySelector(".detail .primary").innerText.trim() === "Send again"`) // there is nothing to fix
	p.Click("button", "Undo")
	p.WaitText(".detail", "Failed by rule 1, since deleted.")
	p.Wait(`document.querySelector(".chips").innerText.trim() === ""`)
	if rules := faults(t, w); len(rules) != 0 {
		t.Errorf("rules after Undo = %v", rules)
	}
}

// TestResponsesOfEditedRequest checks that a response that breaks off replaces the older error, and that the
// status of a long response is in sight.
func TestResponsesOfEditedRequest(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/")
	p.Allow("Failed to load resource")
	create(t, w, "")
	p.WaitText(".request", "400 POST /pets")
	openNewest(p)
	p.Click("button", "Fix and send…")
	p.WaitText("dialog .why", "/name must be")
	w.Must(t, Put("/admin/faults", `[{"abort": "truncate"}]`))
	p.Click("button", "Send")
	p.WaitText("dialog .error-note", "The connection was broken off.")
	p.Wait(`!document.querySelector("dialog .why")`)
	w.Must(t, Put("/admin/faults", `[]`))
	p.Choose("Method", "GET")
	p.Fill("textbox", "Path", "/pets?limit=50")
	p.Fill("textbox", "Body", "")
	p.Click("button", "Send")
	p.WaitText("dialog", "Response 200 OK")
	p.Wait(`document.activeElement.innerText === "Done" && document.querySelector("dialog").scrollTop === 0`)
	p.Wait(`(({scrollHeight, clientHeight}) => scrollHeight === clientHeight)(document.querySelector("dialog"))`)
}
