package pages_test

import (
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
)

// TestNothingShifts performs common actions in each view, and adds up every layout shift from the
// first paint on, including those that follow a click.
func TestNothingShifts(t *testing.T) {
	t.Parallel()
	const most = 0.02
	for _, task := range []struct {
		name, address string
		do            func(w *world, p *page)
	}{
		{"why was it refused", "/", func(w *world, p *page) {
			p.Wait(`document.querySelectorAll(".request").length === 6`)
			p.Press("j", "j", "j", "j", "j", browsertest.Enter)
			p.WaitText(".detail", "Fix and send")
			p.Press(browsertest.Escape)
		}},
		{"search", "/", func(w *world, p *page) {
			p.Click("button", "4xx")
			p.Wait(`document.querySelectorAll(".request.is-2xx").length === 0`)
			p.Click("button", "4xx")
			p.Click("button", "Group errors")
			p.WaitText(".groups", "createPet")
		}},
		{"new requests", "/", func(w *world, p *page) {
			for range 5 {
				w.Get(t, "/pets")
			}
			p.Wait(`document.querySelectorAll(".request").length > 8`)
		}},
		{"a record", "/?view=data", func(w *world, p *page) {
			p.Wait(`document.querySelector("tbody tr")`)
			p.Press("j", browsertest.Enter)
			p.Wait(`document.querySelector(".editor input")`)
		}},
		{"a fault", "/?view=faults", func(w *world, p *page) {
			p.Click("button", "Down Every request gets a 503.")
			p.WaitText(".chips", "3")
		}},
		{"throttle", "/?view=data", func(w *world, p *page) {
			p.Click("button", "Throttle: Normal")
			p.Click("menuitemradio", "Slow 200 to 800 ms")
			p.See("button", "Throttle: Slow")
		}},
		{"travel", "/?view=time", func(w *world, p *page) {
			p.Click("button", "+1 day")
			p.WaitText(".clock", "2031-01-02")
		}},
		{"a snapshot", "/?view=snapshots", func(w *world, p *page) {
			p.WaitText(".snapshot", "nothing")
			create(t, w, "New")
			p.WaitText(".snapshot", "+1")
		}},
		{"all views", "/", func(w *world, p *page) {
			for _, view := range []string{"Data", "Faults", "Time", "Snapshots", "Sandboxes", "Requests"} {
				p.Click("link", view)
				p.Wait(`document.querySelector(".views [aria-current]").innerText === "` + view + `"`)
			}
		}},
	} {
		t.Run(task.name, func(t *testing.T) {
			w := busy(t)
			p := show(t, w, task.address)
			p.Allow(`status of 4\d\d`)
			browsertest.Eval[any](p, `void (window.shifts = [], new PerformanceObserver((list) => {
				for (const e of list.getEntries()) shifts.push([e.value, ...e.sources.map(({node}) => node?.className ?? node?.parentElement?.className ?? "")])
			}).observe({type: "layout-shift", buffered: true}))`)
			task.do(w, p)
			p.Wait(`new Promise((soon) => requestAnimationFrame(() => requestAnimationFrame(() => soon(true))))`)
			sum := browsertest.Eval[float64](p, `shifts.reduce((sum, [value]) => sum + value, 0)`)
			if sum > most {
				t.Errorf("layout shifts add up to %.3f: %v", sum, browsertest.Eval[any](p, `shifts`))
			}
		})
	}
}
