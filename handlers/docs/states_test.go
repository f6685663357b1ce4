package docs_test

import (
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
)

// states are the states of the documentation page.
var states = []browsertest.State{
	{Name: "docs", Show: func(t *testing.T) *browsertest.Page { return openDocs(t, newWorld(t), "/docs/") }},
	{Name: "docs-deprecated", Show: func(t *testing.T) *browsertest.Page {
		p := openDocs(t, newWorld(t), "/docs/#/Pets/getPet")
		p.WaitText(".note.deprecation", "left")
		return p
	}, Look: toOpen},
	{Name: "docs-no-testing", Show: func(t *testing.T) *browsertest.Page {
		p := openDocs(t, newWorld(t), "/docs/#/Store/listOrders")
		p.WaitText(".note", "Interactive testing is disabled")
		return p
	}, Look: toOpen},
	{Name: "docs-trying", Show: func(t *testing.T) *browsertest.Page {
		p := openDocs(t, newWorld(t), "/docs/#/Pets/createPet")
		p.Click("button", "Execute")
		p.WaitText(".live-response", "201")
		return p
	}, Look: toOpen},
	{Name: "docs-groups", Show: func(t *testing.T) *browsertest.Page { return openDocs(t, newWorld(t), "/docs/") }, Look: func(p *browsertest.Page) {
		browsertest.Eval[any](p, `void document.querySelector("#operations-tag-Pets").scrollIntoView({behavior: "instant"})`)
	}},
	{Name: "docs-refused", Show: func(t *testing.T) *browsertest.Page {
		p := openDocs(t, newWorld(t), "/docs/#/Pets/createPet")
		p.Allow("status of 400")
		p.Fill("textbox", "Request body", `{"name": ""}`)
		p.Click("button", "Execute")
		p.WaitText(".live-response", "400")
		return p
	}, Look: toOpen},
	{Name: "docs-all-open", Show: func(t *testing.T) *browsertest.Page {
		p := openDocs(t, newWorld(t), "/docs/#/Pets/createPet")
		p.Wait(`(document.querySelectorAll("summary").forEach((summary) => summary.parentElement.open = true), document.querySelectorAll(".response .details").length > 10)`)
		return p
	}, Look: toOpen},
	{Name: "docs-admin", Show: func(t *testing.T) *browsertest.Page { return openDocs(t, newWorld(t), "/docs/?document=admin") }},
}

// toOpen scrolls to the open operation.
func toOpen(p *browsertest.Page) {
	browsertest.Eval[any](p, `void document.querySelector(".opblock-body").closest(".opblock").scrollIntoView({behavior: "instant"})`)
}

// openDocs opens the documentation page and waits until it shows a document.
func openDocs(t *testing.T, w *world, path string) *browsertest.Page {
	t.Helper()
	p := browsertest.Open(t, w.URL+path)
	p.Wait(`document.querySelectorAll(".opblock").length > 10 && document.querySelector("#clock").textContent !== "…"`)
	return p
}

func TestScreenshots(t *testing.T) {
	t.Parallel()
	browsertest.Screenshots(t, states)
}

func TestAxe(t *testing.T) {
	t.Parallel()
	browsertest.Axe(t, states)
}
