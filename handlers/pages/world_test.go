package pages_test

import (
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	"example.com/petstore/handlers/internal/contracttest"
)

// dropped gives a file with the text to the page, as dropping it does.
func dropped(p *browsertest.Page, name, text string) {
	browsertest.Eval[bool](p, `(() => {
		const files = new DataTransfer();
		files.items.add(new File([`+"`"+text+"`"+`], "`+name+`", { type: "application/json" }));
		const area = document.querySelector("label.drop");
		area.dispatchEvent(new DragEvent("dragover", { dataTransfer: files, bubbles: true, cancelable: true }));
		return area.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
	})()`)
}

// TestWorldInThePage takes a sandbox out and in by a file, and shows what is wrong with one
// at its place.
func TestWorldInThePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=snapshots")
	p.See("button", "Save world")
	p.Click("button", "Show the request: the world as a file")
	p.WaitText(".popover:popover-open", "/admin/world")
	p.Press("Escape")

	create(t, w, "New")
	file := string(w.Get(t, "/admin/world").Body)
	w.Must(t, contracttest.Post("/admin/reset", ""))
	dropped(p, "lesson.json", strings.ReplaceAll(file, `\`, `\\`))
	p.WaitText(".toasts", "The sandbox is that of lesson.json.")
	w.Get(t, "/pets?name=New").ExpectHeader(t, "X-Total-Count", "1")

	p.Allow("status of 400")
	dropped(p, "bad.json", `{"format": 1, "draw": 0, "baseline": {}, "snapshots": [{"name": "Not one", "createdAt": "2026-01-01T00:00:00Z"}]}`)
	p.WaitText(".error-note", "/draw")
	p.WaitText(".error-note", "/snapshots/0/name")
	w.Get(t, "/pets?name=New").ExpectHeader(t, "X-Total-Count", "1")
	dropped(p, "words.json", "hello")
	p.WaitText(".error-note", "words.json is not JSON")
}
