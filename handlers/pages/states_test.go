package pages_test

import (
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// busy returns a world with data for every view.
func busy(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	create(t, w, "Bello")
	create(t, w, "")
	w.Get(t, "/pets/1")
	w.Get(t, "/nowhere")
	w.Get(t, "/messages")
	w.Must(t, Put("/admin/snapshots/lesson-1", ""))
	w.Must(t, Post("/admin/faults", `{"match": {"operationId": "listPets"}, "times": 1, "status": 503}`))
	w.Get(t, "/pets")
	w.Must(t, Post("/admin/faults", `{"probability": 0.1, "delay": {"fixedMs": 200, "jitterMs": 600}}`))
	w.Must(t, Put("/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`))
	w.Must(t, Put("/admin/sandboxes/ada", ""))
	return w
}

// states returns the states of the pages that should be reviewed.
func states() []browsertest.State {
	shows := func(name, address, says string, change ...func(*handlers.Config)) browsertest.State {
		return state("dashboard-"+name, func(t *testing.T) *page {
			p := browsertest.Open(t, newWorld(t, change...).URL+address)
			p.Allow(`status of 40[14]`)
			p.WaitText("main", says)
			return p
		})
	}
	at := func(name, address, selector string, steps ...func(*page)) browsertest.State {
		return state("dashboard-"+name, func(t *testing.T) *page {
			p := show(t, busy(t), address)
			p.Allow(`status of 4\d\d`)
			p.Wait(`document.querySelector("` + selector + `")`)
			return p
		}, steps...)
	}
	return []browsertest.State{
		shows("empty", "/", "No requests yet"),
		shows("key", "/", "This page needs a key", func(c *handlers.Config) { c.AdminKey = "secret-key" }),
		shows("nobody", "/sandboxes/nobody/", "There is no sandbox “nobody”"),
		at("requests", "/", ".request"),
		at("request", "/?id=2", ".detail .why"),
		at("picked", "/", ".request", func(p *page) {
			p.Press("j", "x", "j", "x")
			p.WaitText(".picks", "2 selected")
		}),
		at("copied-test", "/?id=2", ".detail .why", func(p *page) {
			p.Click("button", "Copy as a test…")
			p.WaitText(".copied pre", "petstore-sandbox/vitest")
		}),
		at("groups", "/?group=1", ".groups tbody tr"),
		at("data", "/?view=data", "tbody tr"),
		at("record", "/?view=data&open=1", ".editor input"),
		at("conflict", "/?view=data&open=1", ".editor input", func(p *page) {
			p.Fill("textbox", "Name", "Mine")
			browsertest.Eval[bool](p, `fetch("admin/data/pets/1", {
				method: "PATCH", headers: {"Content-Type": "application/json"}, body: '{"name": "Theirs", "status": "sold"}'
			}).then(() => true)`)
			p.WaitText(".question", "Theirs Theirs")
		}),
		at("selected", "/?view=data", "tbody tr", func(p *page) {
			p.Click("checkbox", "Select pet 1")
			p.Click("checkbox", "Select pet 3")
			p.WaitText(".picks", "2 selected")
		}),
		at("refused", "/?view=data&open=new", ".editor input", func(p *page) {
			p.Click("button", "Add")
			p.WaitText(".editor", "Required")
		}),
		at("changed", "/?view=data&changed=1", "tbody tr"),
		at("past", "/?view=data&at=1", "tbody tr", func(p *page) {
			browsertest.Eval[bool](p, `fetch("pets", {
				method: "POST", headers: {"Content-Type": "application/json"}, body: '{"name": "Max", "categoryId": 2}'
			}).then(() => true)`)
			p.Click("button", "Next write")
			p.Wait(`document.querySelector("tr.was-added")`)
		}),
		at("past-changes", "/?view=data&at=2&changed=1", ".past .empty"),
		at("past-gone", "/?view=data&at=99", ".past .empty"),
		at("faults", "/?view=faults", ".rule"),
		at("rule", "/?view=faults", ".rule", func(p *page) {
			p.Click("button", "New rule…")
			p.Wait(`document.querySelector("dialog input")`)
		}),
		at("wrong-rule", "/?view=faults", ".rule", func(p *page) {
			p.Click("button", "New rule…")
			p.Fill("textbox", "Response status", "99")
			p.Click("button", "Add")
			p.WaitText("dialog", "must be from 200 to 599")
		}),
		at("time", "/?view=time", ".lane"),
		at("snapshots", "/?view=snapshots", ".snapshot"),
		at("file", "/?view=snapshots", "label.drop", func(p *page) {
			dropped(p, "lesson.json",
				`{"format": 1, "baseline": {"categories": [{"id": 1, "name": "Dogs"}]}, "state": {}}`)
			p.WaitText("dialog", "Replace “default” with “lesson.json”?")
		}),
		at("sandboxes", "/?view=sandboxes", "tbody tr"),
		at("palette", "/", ".request", func(p *page) {
			p.Click("button", "Find a command: Ctrl K")
			p.Fill("combobox", "Command", "br pet")
			p.WaitText(".palette", "Break createPet")
		}),
		at("calls", "/?view=time", ".lane", func(p *page) {
			p.Click("button", "+1 day")
			p.WaitText(".toasts", "A day later")
			calls(p, "+1 h", "/admin/clock")
		}),
	}
}

func TestScreenshots(t *testing.T) { browsertest.Screenshots(t, states()) }

func TestAxe(t *testing.T) { browsertest.Axe(t, states()) }
