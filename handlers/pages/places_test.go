package pages_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestPlacesStay checks that what users look at stays where it is, to one pixel, while they act.
func TestPlacesStay(t *testing.T) {
	t.Parallel()
	ofBusy := func(address string) func(t *testing.T) (*world, *page) {
		return func(t *testing.T) (*world, *page) {
			w := busy(t)
			return w, show(t, w, address)
		}
	}
	scrolled := func(t *testing.T) (*world, *page) {
		w, p := ofBusy("/")(t)
		p.Resize(1280, 300)
		p.Wait(`(document.querySelector(".list").scrollTop = 20) === document.querySelector(".list").scrollTop`)
		return w, p
	}
	low := func(t *testing.T) (*world, *page) {
		w := newWorld(t)
		for range 40 {
			create(t, w, "Rex") // its effect is a note, which is on a second line only beside a detail
		}
		p := show(t, w, "/")
		p.Resize(1280, 800)
		p.Wait(`document.querySelector("#request-25")`)
		return w, p
	}
	openLow := func(_ *world, p *page) {
		p.Wait(`(document.querySelector("#request-25").click(), true)`)
		p.Wait(`document.querySelector("#request-25").offsetHeight === 50`)
	}
	ofWall := func(n int) func(t *testing.T) (*world, *page) {
		return func(t *testing.T) (*world, *page) {
			w := newWorkshop(t)
			for i := range n {
				join(t, w, fmt.Sprint("Ada ", i))
			}
			p := openWall(t, w)
			p.Resize(1440, 900)
			p.Wait(fmt.Sprintf(`document.querySelectorAll(".tile").length === %d && `+
				`document.documentElement.style.getPropertyValue("--scale") === "1.125"`, n))
			return w, p
		}
	}
	late := func(w *world, p *page) {
		join(t, w, "Zoe") // at the same time of the clock, the name decides
		p.WaitText(".wall", "Zoe")
	}
	for _, test := range []struct {
		name   string
		open   func(t *testing.T) (*world, *page)
		places string // selector
		act    func(w *world, p *page)
	}{
		{"tabs", ofBusy("/"), ".views a", func(w *world, p *page) {
			p.Click("link", "Data")
			p.Wait(`document.querySelector(".views [aria-current]").innerText === "Data"`)
		}},
		{"state of the stream", ofBusy("/"), ".bar > :not(.chips)", func(w *world, p *page) {
			p.Hide(true)
			p.WaitText(".live", "paused")
		}},
		{"filter", ofBusy("/"), ".searchbox, .filters button", func(w *world, p *page) {
			p.Click("button", "Filter")
			p.Choose("Client name", "Go-http-client")
			p.Wait(`document.querySelector(".searchbox input").value === "client:Go-http-client"`)
		}},
		{"open request", scrolled, "#request-2, #request-2 :is(.when, .status, .method, .path)",
			func(w *world, p *page) {
				p.Wait(`(document.querySelector("#request-2").click(), true)`)
				p.Wait(`document.querySelector("#request-2").offsetHeight === 50`)
			}},
		{"open request low in the list", low, "#request-25, #request-25 .when", openLow},
		{"closed request", low, "#request-25, #request-25 .when", func(w *world, p *page) {
			openLow(w, p)
			p.Press(browsertest.Escape)
			p.Wait(`document.querySelector("#request-25").offsetHeight === 32`)
		}},
		{"changed since", ofBusy("/?view=data"), ".filters > :is(input, select, button)", func(_ *world, p *page) {
			p.Wait(`(document.querySelector(".filters > [aria-pressed=false]").click(), true)`)
			p.Wait(`document.querySelector(".filters > [aria-pressed=true]")`)
		}},
		{"record", ofBusy("/?view=data"), ".table-side :is(th, td)", func(w *world, p *page) {
			p.Press("j", browsertest.Enter)
			p.Wait(`document.querySelector(".editor input")`)
		}},
		{"request under the pointer", ofBusy("/"), ".request, .request > *", func(w *world, p *page) {
			p.Hover(".request")
		}},
		{"record under the pointer", ofBusy("/?view=data"), "tr *", func(w *world, p *page) { p.Hover("tr select") }},
		{"snapshots", ofBusy("/?view=snapshots"), ".snapshots :is(h2, th), .snapshot td", func(w *world, p *page) {
			create(t, w, "New")
			w.Must(t, Patch("/pets/1", `{"status": "sold"}`))
			w.Must(t, Delete("/pets/3"))
			p.WaitText(".snapshot", "1 pet added, 1 changed, 1 removed")
		}},
		{"wall, one selected", ofWall(2), ".bar > *, .tile, .invitation", func(w *world, p *page) {
			p.Click("checkbox", "Select Ada 0")
			p.Wait(`document.querySelector(".work")`)
		}},
		{"wall, from 2 to 3", ofWall(2), ".tile, .invitation", late},
		{"wall, from 6 to 7", ofWall(6), ".tile", late}, // the invitation disappears
		{"wall, from 13 to 14", ofWall(13), ".tile", late},
		{"wall, from 16 to 17", ofWall(16), ".tile", late}, // the 16th makes the rows shorter: see TestWallKeepsItsColumns
	} {
		t.Run(test.name, func(t *testing.T) {
			w, p := test.open(t)
			p.Allow(`status of 4\d\d`)
			selector, _ := json.Marshal(test.places)
			p.Wait(`(window.places = [...document.querySelectorAll(` + string(selector) + `)]).length > 1`)
			const boxes = `places.map((e) => {
				const {x, y} = e.getBoundingClientRect();
				return {Name: e.tagName + " " + e.className, X: x, Y: y, Gone: !e.isConnected};
			})`
			type box struct {
				Name string
				X, Y float64
				Gone bool
			}
			before := browsertest.Eval[[]box](p, boxes)
			test.act(w, p)
			for i, after := range browsertest.Eval[[]box](p, boxes) {
				if !after.Gone && math.Hypot(after.X-before[i].X, after.Y-before[i].Y) > 1 {
					t.Errorf("%+v moved to %+v", before[i], after)
				}
			}
		})
	}
}

// TestPhoneCutsNothing checks that no element ends beyond the right edge of a phone, except in what scrolls.
func TestPhoneCutsNothing(t *testing.T) {
	t.Parallel()
	w := busy(t)
	w.Must(t, Put("/admin/snapshots/before-the-lesson", ""))
	w.Must(t, Put("/admin/sandboxes/checkout-team-staging-nightly-regression", ""))
	p := show(t, w, "/")
	p.Allow(`status of 4\d\d`)
	p.Resize(375, 812)
	p.Open(w.URL + "/?view=faults")
	p.Click("button", "Reset, fork, create or delete a sandbox")
	p.Click("menuitem", "Use dark colours")
	p.Wait(`document.documentElement.dataset.theme === "dark"`)
	for address, shown := range map[string]string{
		"/": ".request", "/?group=1": ".groups td", "/?view=data": ".records td", "/?view=data&changed=1": ".table-scroll",
		"/?view=data&table=orders": ".records td", "/?view=faults": ".rule", "/?view=time": ".of-operations td",
		"/?view=snapshots": ".snapshot", "/?view=sandboxes": ".boxes td",
	} {
		p.Open(w.URL + address)
		p.Wait(`document.querySelector("` + shown + `")`)
		p.Click("combobox", "Sandbox")
		p.WaitText("[role=listbox]", "regression")
		if cut := browsertest.Eval[[]string](p, `[...document.querySelectorAll(".top *, main *")].filter((e) => {
			const {left, right, width} = e.getBoundingClientRect()
			return width > 0 && left < innerWidth && right > innerWidth &&
				!e.closest(".tables, .data thead, .axis, .now-line, svg")
		}).map((e) => e.tagName + " " + e.className)`); len(cut) > 0 {
			t.Errorf("%s cuts %q", address, cut)
		}
	}
}
