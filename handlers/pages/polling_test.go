package pages_test

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestPagesDoNotPoll checks that each view shows what other clients do, and that no interval of the
// page sends a request.
func TestPagesDoNotPoll(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.Workshop = true })
	p := browsertest.Open(t, "about:blank")
	recorded(t, p)
	p.Open(w.URL + "/?view=faults")
	p.WaitText("main", "No rules")
	w.Must(t, Put("/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`))
	p.WaitText(".chips", "2031-01-01")
	w.Must(t, Post("/admin/faults", `{"status": 503, "times": 2}`))
	p.WaitText(".rules", "503")
	w.Get(t, "/pets")
	p.WaitText(".rules", "1 of 2 hits")
	w.Get(t, "/pets")
	p.Wait(`!document.querySelector(".of-faults")`) // the rule is over
	p.Click("link", "Time")
	w.Get(t, "/pets")
	p.Click("button", "Show all 27 operations")
	p.Wait(`[...document.querySelectorAll("tr")].some((row) => row.innerText.startsWith("listPets") && row.querySelector(".number").innerText === "3")`)
	p.Click("link", "Sandboxes")
	w.Must(t, Put("/admin/sandboxes/ada", ""))
	p.WaitText(".table-scroll", "ada")
	w.Get(t, "/sandboxes/ada/pets/99")
	p.WaitText(".table-scroll", "404 GET /pets/99")
	p.Wait(`sent() === 0`)

	p.Open(w.URL + "/workshop")
	p.WaitText(".wall", "ada")
	w.Must(t, Put("/admin/workshop", `{"title": "Lesson 1", "open": false}`))
	p.WaitText(".bar", "Lesson 1")
	p.WaitText(".bar", "the door is closed")
	w.Must(t, Put("/sandboxes/ada/admin/clock", `{"frozen": true}`))
	p.WaitText(".tile .unusual", "frozen 12:00") // there is room for the time
	w.Must(t, Delete("/admin/sandboxes/ada"))
	p.WaitText("main", "The door is closed Open it, and the code appears here. Open the door")
	p.Wait(`sent() === 0`)
}

// recorded gives each later document of the page a function sent. It runs the callbacks of all
// intervals and returns how many requests they send.
func recorded(t *testing.T, p *page) {
	eachDocument(t, p, `{
		const calls = [], interval = setInterval, fetched = fetch
		let n = 0
		window.setInterval = (call, ms) => (calls.push(call), interval(call, ms))
		window.fetch = (...args) => (n++, fetched(...args))
		window.sent = () => { const before = n; for (const call of calls) call(); return n - before }
	}`)
}

// eachDocument runs a script in each later document of the page, before the document's own scripts.
func eachDocument(t testing.TB, p *page, source string) {
	var script cdppage.ScriptIdentifier
	p.Do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		added, err := cdp.Call(ctx, tab, cdppage.AddScriptToEvaluateOnNewDocument,
			cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: source})
		if err == nil {
			script = added.Identifier
		}
		return err
	}))
	t.Cleanup(func() { // other tests use the tab
		p.Do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
			_, err := cdp.Call(ctx, tab, cdppage.RemoveScriptToEvaluateOnNewDocument,
				cdppage.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: script})
			return err
		}))
	})
}
