package docs_test

import (
	"strconv"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// to the request on the dashboard.
func TestPageExplainsRefusal(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Pets/createPet")
	p.Allow("status of 400")
	p.Fill("textbox", "Request body", `{"name": ""}`)
	p.Click("button", "Execute")
	p.WaitText(".live-response .line", "400 Bad Request")
	p.WaitText(".live-response .reason", "/name must be 1 to 255 characters long")
	p.Hover("#operations-Pets-createPet .primary")
	p.Wait(`(({backgroundColor, borderTopColor}) => backgroundColor === borderTopColor)(
		getComputedStyle(document.querySelector(".primary:hover")))`)
	p.Fill("textbox", "Request body", `{"status": "x", `+strings.Repeat("\n", 9)+`"name": ""}`)
	p.Wait(`document.querySelector("textarea").rows === 11`)
	p.Click("button", "Execute")
	p.Wait(`/^.status .*.name /s.test(document.querySelector(".live-response .reason").textContent)`) // as in the body
	p.Wait(`(({bottom}) => document.querySelector("#operations-Pets-createPet .console")
		.getBoundingClientRect().top >= bottom)(
		document.querySelector("#operations-Pets-createPet .opblock-summary").getBoundingClientRect())`)
	p.Click("link", "See it on the dashboard")
	p.WaitText("main", "must be 1 to 255 characters long")
}

// the rule's own, and deletes it.
func TestPageLinksFaultRule(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Post("/admin/faults", `{"match": {"operationId": "listPets"}, "status": 503}`))
	w.Must(t, Post("/admin/faults",
		`{"match": {"operationId": "getPet"}, "status": 503, "code": "restarting", "message": "soon back"}`))
	p := openDocs(t, w, "/docs/#/Pets/listPets")
	p.Allow("status of 503")
	p.Click("button", "Execute")
	p.WaitText(".live-response", "Fault rule 1 returned status 503, so the operation did not run. Open rule Delete rule")
	p.Wait(`document.querySelectorAll(".reason").length === 1 &&
		!document.querySelector(".live-response details").open`)
	p.Click("link", "Open rule")
	p.WaitText("main h1, main h2", "Faults")
	p.Open(w.URL + "/docs/#/Pets/getPet?petId=1")
	p.Click("button", "Execute")
	p.WaitText(".live-response", "soon back Fault rule 2 applied to this request.")
	p.Wait(`document.querySelector(".live-response .line a").search === "?view=faults&rule=2"`)
	p.In(".live-response").Click("button", "Delete rule")
	p.WaitText(".live-response", "Fault rule 2 is deleted.")
	p.Click("button", "Execute")
	p.WaitText(".live-response .status", "200")
	p.Open(w.URL + "/docs/?document=admin#/Faults/createFault")
	p.Click("button", "Execute")
	p.WaitText(".live-response dl", "Location /admin/faults/3")
	p.Wait(`!document.querySelector(".live-response dl a")`) // no operation reads one rule
}

// TestPageLinksBrokenRequest checks that a broken connection leads to its request, and hides the example.
func TestPageLinksBrokenRequest(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Post("/admin/faults", `{"match": {"operationId": "createPet"}, "abort": "reset"}`))
	p := openDocs(t, w, "/docs/#/Pets/createPet")
	p.Allow("net::ERR_")
	p.Click("button", "Execute")
	p.WaitText(".live-response", "No response Fault rule 1 broke the connection. Open rule Delete rule")
	p.Wait(`!document.querySelector(".console .sample")`)
	p.Click("link", "See it on the dashboard")
	p.WaitText("main", "rule 1, which is on: createPet breaks the connection.")
}

// the body, a position in invalid JSON, and a parameter.
func TestPageMarksInvalidFields(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Pets/createPet")
	p.Allow("status of 400")
	send := func(body string) {
		t.Helper()
		p.Fill("textbox", "Request body", body)
		browsertest.Eval[any](p,
			`void document.querySelector("textarea").dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", `+
				`ctrlKey: true, bubbles: true}))`)
	}
	selected := func(want string) {
		t.Helper()
		p.Wait(`(({value, selectionStart, selectionEnd}) => value.slice(selectionStart, selectionEnd) === ` +
			strconv.Quote(want) + `)(document.activeElement)`)
	}
	send(`{"name": "Rex", "categoryId": 1, "status": "gone"}`)
	p.Wait(`(({textContent, offsetHeight}) => offsetHeight > 0 && textContent === 'must be available, ` +
		`pending or sold, not "gone"')(document.querySelector(".fields .wrong"))`)
	p.Click("button", "/status")
	selected(`"gone"`)
	p.Press(`"`, "s", "o", "l", "d", `"`)
	p.Wait(`!document.querySelector(".body [aria-invalid=true], ` +
		`.fields .wrong") && document.querySelector(".reason .mended")`)
	send(`{"name": "Rex",
"status"
}`)
	p.Click("button", "line 3, column 1")
	selected("}")
	p.Wait(`document.querySelector("textarea[aria-invalid=true]") && !document.querySelector(".fields .wrong")`)
	p.WaitText(".body > .wrong", "line 3, column 1: ")
	p.Wait(`document.querySelector("textarea").style.background.includes("2 * 1.5em")`) // the third line
	p.Press("x")
	p.Wait(`!document.querySelector(".body > .wrong") &&
		!document.querySelector("textarea").style.background.includes("gradient")`)

	browsertest.Eval[any](p, `void (location.hash = "#/Pets/listPets")`)
	p.Fill("textbox", "limit", "0")
	browsertest.Eval[any](p, `void document.querySelector("#operations-Pets-listPets .primary").click()`)
	p.Click("button", "limit")
	p.Wait(`document.activeElement.matches("[name='query.limit'][aria-invalid=true]")`)
	p.Wait(`document.querySelector(".parameters .wrong").offsetHeight > 0`)
	p.Fill("textbox", "limit", "1")
	p.Wait(`!document.querySelector(".parameters [aria-invalid=true]")`)
}
