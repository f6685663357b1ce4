package pages_test

import (
	"regexp"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// dropped drops a file with the text on the page.
func dropped(p *browsertest.Page, name, text string) {
	browsertest.Eval[bool](p, `(() => {
		const files = new DataTransfer();
		files.items.add(new File([`+"`"+text+"`"+`], "`+name+`", { type: "application/json" }));
		const area = document.querySelector("main");
		area.dispatchEvent(new DragEvent("dragover", { dataTransfer: files, bubbles: true, cancelable: true }));
		return area.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
	})()`)
}

// aboutRequests matches the parts of an export that depend on requests.
var aboutRequests = regexp.MustCompile(`(?s)\n  "draw": \d+,|"journal".*`)

// TestWorldExportAndImport exports a sandbox to a file and imports it, and checks that the errors of an
// invalid file are shown with their positions.
func TestWorldExportAndImport(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=snapshots")
	p.See("button", "Download everything")
	calls(p, "the world as a file", "/admin/world")

	create(t, w, "New")
	file := string(w.Get(t, "/admin/world").Body)
	w.Must(t, Post("/admin/reset", ""))
	w.Must(t, Put("/admin/snapshots/mine", ""))
	before := string(w.Get(t, "/admin/world").Body)
	pets := func(want string) {
		t.Helper()
		w.Get(t, "/pets?name=New").ExpectHeader(t, "X-Total-Count", want)
	}
	for _, answer := range []string{"Cancel", "Replace"} {
		dropped(p, "lesson.json", strings.ReplaceAll(file, `\`, `\\`))
		p.WaitText("dialog", "Replace “default” with “lesson.json”?")
		p.Wait(`document.activeElement.innerText === "Cancel"`)
		p.WaitText("dialog tbody", "Pets 5 6 ")
		p.WaitText("dialog tbody", "Snapshots 1 0 Fault rules 0 0")
		p.WaitText("dialog", "1 record differs from now.")
		p.WaitText("dialog .curl-line", "--json '@lesson.json'")
		p.WaitText("dialog", "The requests, the deprecated calls and the idempotency keys are cleared. "+
			"You can undo the rest for a minute.")
		pets("0")
		p.Click("button", answer)
		p.Wait(`!document.querySelector("dialog")`)
	}
	p.WaitText(".toasts", "Replaced the sandbox with “lesson.json”. "+
		"Undo does not bring back the requests, the deprecated calls and the idempotency keys.")
	pets("1")
	p.Click("button", "Undo")
	p.WaitText(".toasts", "Undid the import. The requests, the deprecated calls and the idempotency keys are gone.")
	if after := string(w.Get(t, "/admin/world").Body); aboutRequests.ReplaceAllString(after,
		"") != aboutRequests.ReplaceAllString(before, "") {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}

	// The next undo is reported in the same words.
	p.Wait(`(() => {
		document.querySelectorAll(".toasts [aria-label=Dismiss]").forEach((button) => button.click());
		return !document.querySelector(".toasts > div");
	})()`)
	dropped(p, "data.json",
		`{"categories": [{"id": 1, "name": "Dogs"}], "pets": [{"id": 7, "name": "New", "categoryId": 1}]}`)
	p.WaitText("dialog tbody", "Pets 5 1 Categories 3 1 Orders 4 0 Messages 1 0")
	p.Click("button", "Replace")
	p.WaitText(".toasts", "Replaced the data with “data.json”.")
	pets("1")
	p.Click("button", "Undo")
	p.WaitText(".toasts", "Undid the import.")
	pets("0")

	p.Allow("status of 400")
	dropped(p, "bad.json",
		`{"format": 1, "draw": 0, "baseline": {}, "snapshots": [{"name": "Not one", `+
			`"createdAt": "2026-01-01T00:00:00Z", "state": {}}], "state": {}}`)
	p.Click("button", "Replace")
	p.WaitText(".error-note", "draw ")
	p.WaitText(".error-note", "snapshots[0].name ")
	p.WaitText(".error-note", "Nothing was replaced. Correct the file, and choose it again.")
	pets("0")
	p.Wait(`document.querySelector("dialog:modal .error-note")`) // Escape closes it from then on
	p.Press(browsertest.Escape)
	p.Click("link", "Requests")
	dropped(p, "words.json", "hello")
	p.WaitText("dialog", "“words.json” was not imported It is not JSON.")
	p.Wait(`document.querySelector("dialog:modal .error-note")`) // Escape closes it from then on
	p.Press(browsertest.Escape)
	dropped(p, "list.json", "[]")
	p.WaitText(".error-note", "It is neither a whole sandbox nor data: it must be an object.")
	p.Wait(`document.querySelector("dialog:modal .error-note")`) // Escape closes it from then on
	p.Press(browsertest.Escape)
	dropped(p, "half.json", "{\\n\\n]")
	p.WaitText(".error-note", "It is not JSON: line 3 is wrong.")
	p.Wait(`document.querySelector("dialog label input[type=file]")`)
	p.Press(browsertest.Escape)
	dropped(p, "calls.har", `{"log": {"entries": []}}`)
	p.WaitText(".error-note", "It is an HTTP Archive: requests, for the network panel of a browser. Import a sandbox or")
	p.Click("link", "Download one in Snapshots")
	p.Wait(`!document.querySelector("dialog") && location.search === "?view=snapshots"`)
	dropped(p, "list.json", "[]")
	p.WaitText(".error-note", "It is neither a whole sandbox nor data")
	p.In("dialog").Miss("link", "Download one in Snapshots") // it is the view behind the dialog
}

// TestResetAfterImport checks that the question before a reset has what an import has changed, which is no write.
func TestResetAfterImport(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=snapshots")
	create(t, w, "New")
	w.Must(t, Put("/admin/world", string(w.Get(t, "/admin/world").Body)))
	askReset(p, "default")
	p.WaitText(".parts", "Data and ids 6 pets, 4 orders 1 added")
}

// TestUndoImport checks that Undo of an imported file says how many writes there were since before it reverts them.
func TestUndoImport(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=snapshots")
	p.See("button", "Download data")
	dropped(p, "data.json",
		`{"categories": [{"id": 1, "name": "Dogs"}], "pets": [{"id": 7, "name": "New", "categoryId": 1}]}`)
	p.Click("button", "Replace")
	p.WaitText(".toasts", "Replaced the data with “data.json”.")
	w.Must(t, Patch("/pets/7", `{"name": "Later"}`))
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Something else changed since. Undoing now would revert that too: PATCH /pets/7 by ")
	w.Get(t, "/pets?name=Later").ExpectHeader(t, "X-Total-Count", "1")
	p.Click("button", "Undo anyway")
	p.WaitText(".toasts", "Undid the import.")
	w.Get(t, "/pets").ExpectHeader(t, "X-Total-Count", "5")
}
