package pages_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// opening returns a function that creates a world and opens the dashboard at an address.
func opening(newWorld func(t *testing.T) *world, address string) func(t *testing.T) (*world, *page) {
	return func(t *testing.T) (*world, *page) {
		w := newWorld(t)
		return w, show(t, w, address)
	}
}

// openingDocs returns a function that opens the documentation of a busy sandbox at an address.
func openingDocs(address string) func(t *testing.T) (*world, *page) {
	return func(t *testing.T) (*world, *page) {
		w := busy(t)
		p := browsertest.Open(t, w.URL+"/docs/"+address)
		p.WaitText("#swagger-ui", "List pets")
		return w, p
	}
}

// openingWall opens the wall of a workshop in which Ada is stuck and has raised a hand.
func openingWall(t *testing.T) (*world, *page) {
	w := newWorkshop(t)
	ada, _ := join(t, w, "Ada")
	for range 3 {
		w.Do(t, Post(ada+"/pets", `{}`))
	}
	w.Must(t, teacher(Post(ada+"/admin/data/messages", `{"message": "✋ Why?"}`)))
	return w, openWall(t, w)
}

// openingLost opens the dashboard and waits until the server was unreachable for some seconds. Then the
// server responds again, but the page does not know that yet.
func openingLost(t *testing.T) (*world, *page) {
	w := busy(t)
	address, down := behind(t, w, "")
	p := browsertest.Open(t, address+"/")
	p.Allow("net::ERR|status of 50")
	p.WaitText(".live", "live")
	p.See("button", "Throttle: Normal")
	down.Store(true)
	browsertest.Eval[any](p, `void document.querySelector(".live").click()`) // connects anew
	p.Wait(`/in [2-9] seconds/.test(document.querySelector(".band").innerText)`)
	down.Store(false)
	return w, p
}

// openingPath joins a workshop and opens the path of the exercises.
func openingPath(t *testing.T) (*world, *page) {
	w := newWorkshop(t)
	p := browsertest.Open(t, w.URL+"/join")
	p.Fill("textbox", "Your name", "Ada")
	p.Click("button", "Join")
	p.WaitText("main", "0 of 5 done")
	return w, p
}

func unused(t *testing.T) *world { return newWorld(t) }

// moving has the tasks in which something moves by design: the dialog grows by the response, and an
// operation opens in its list.
var moving = []string{"fix and send", "find an operation and send it"}

// TestTasks performs common tasks in each view. It checks that a task takes few actions: clicks, keys, and
// texts and choices in fields. It checks that nothing shifts, except in tasks of [moving].
func TestTasks(t *testing.T) {
	t.Parallel()
	for _, task := range []struct {
		name string
		most int // actions
		open func(t *testing.T) (*world, *page)
		do   func(t *testing.T, w *world, p *page)
	}{
		{"why was it refused", 0, opening(busy, "/"), func(_ *testing.T, _ *world, p *page) {
			p.WaitText("#request-2 .reason", "name: must be 1 to 255 characters long, not 0")
		}},
		{"why, by keys", 7, opening(busy, "/"), func(_ *testing.T, _ *world, p *page) {
			p.Wait(`document.querySelectorAll(".request").length === 6`)
			p.Press("j", "j", "j", "j", "j", browsertest.Enter)
			p.WaitText(".detail", "Fix and send")
			p.Press(browsertest.Escape)
		}},
		{"fix and send", 4, opening(busy, "/"), func(_ *testing.T, _ *world, p *page) {
			p.In("#request-2").Click("option", "")
			p.Click("button", "Fix and send…")
			p.Wait(`document.activeElement.matches("dialog textarea")`)
			p.Press(`"Rex"`)
			p.Click("button", "Send")
			p.WaitText("dialog", "Response 201 Created")
		}},
		{"errors of one client", 3, opening(busy, "/"), func(_ *testing.T, _ *world, p *page) {
			p.Click("button", "Errors")
			p.Wait(`document.querySelectorAll(".request.is-2xx").length === 0`)
			p.Click("button", "Filter (1)")
			p.Choose("Client name", "Go-http-client")
			p.Wait(`document.querySelector(".searchbox input").value === "status:errors client:Go-http-client"`)
		}},
		{"groups of errors", 1, opening(busy, "/"), func(_ *testing.T, _ *world, p *page) {
			p.Click("button", "Group errors")
			p.WaitText(".groups", "POST /pets")
		}},
		{"new requests", 0, opening(busy, "/"), func(t *testing.T, w *world, p *page) {
			for range 5 {
				w.Get(t, "/pets")
			}
			p.Wait(`document.querySelectorAll(".request").length > 8`)
		}},
		{"copy as a test", 3, opening(busy, "/"), func(_ *testing.T, _ *world, p *page) {
			p.In("#request-2").Click("option", "")
			p.Click("button", "Copy as a test…")
			p.Click("button", "Copy the test")
			p.Wait(`[...document.querySelectorAll("dialog button")].some((button) => button.innerText === "Copied")`)
		}},
		{"fork from a request", 4, opening(busy, "/"), func(_ *testing.T, _ *world, p *page) {
			p.In("#request-2").Click("option", "")
			p.Click("link", "Store as of this request")
			p.Click("button", "Fork from here…")
			p.In("dialog").Click("button", "Fork")
			p.Wait(`location.pathname === "/sandboxes/default-at-2/"`)
			p.WaitText(".table-scroll", "Bello")
		}},
		{"retry", 1, openingLost, func(_ *testing.T, _ *world, p *page) {
			p.Click("button", "Retry now")
			p.WaitText(".live", "live")
			p.Miss("button", "Retry now")
		}},
		{"a record", 2, opening(busy, "/?view=data"), func(_ *testing.T, _ *world, p *page) {
			p.Wait(`document.querySelector("tbody tr")`)
			p.Press("j", browsertest.Enter)
			p.Wait(`document.querySelector(".editor input")`)
		}},
		{"undo of a row", 2, opening(busy, "/?view=data"), func(t *testing.T, w *world, p *page) {
			w.Must(t, Patch("/pets/1", `{"status": "sold"}`))
			p.Click("button", "Changed since the baseline 2")
			p.Click("button", "Revert pet 1")
			p.WaitText(".toasts", "Pet 1 is as in the baseline.")
		}},
		{"a fault and its end", 2, opening(busy, "/?view=faults"), func(_ *testing.T, _ *world, p *page) {
			p.Click("button", "Down Responds 503")
			p.WaitText(".preset.on", "Down On for every request")
			p.Click("button", "Stop Down")
			p.Miss("button", "Stop Down")
		}},
		{"throttle", 2, opening(busy, "/?view=data"), func(_ *testing.T, _ *world, p *page) {
			p.Click("button", "Throttle: Normal")
			p.Click("menuitemradio", "Slow Waits 200 to 800 ms")
			p.See("button", "Throttle: Slow")
		}},
		{"travel", 1, opening(busy, "/?view=time"), func(_ *testing.T, _ *world, p *page) {
			p.Click("button", "+1 day")
			p.WaitText(".clock", "2031-01-02")
		}},
		{"a sunset, enforced", 2, opening(unused, "/?view=time"), func(_ *testing.T, _ *world, p *page) {
			p.Click("button", "The day after getPet's sunset")
			p.In(".toasts").Click("button", "Enforce getPet")
			p.WaitText(".toasts", "getPet answers 410 now.")
		}},
		{"a snapshot, restored", 2, opening(unused, "/?view=snapshots"), func(t *testing.T, w *world, p *page) {
			p.WaitText(".snapshots", "No snapshots")
			p.Click("button", "Save snapshot")
			p.WaitText(".snapshot", "no changes")
			create(t, w, "New")
			p.WaitText(".snapshot", "1 pet added")
			p.Click("button", "Restore")
			p.WaitText(".toasts", "Restored “snapshot-1”.")
		}},
		{"reset", 3, opening(busy, "/"), func(_ *testing.T, _ *world, p *page) {
			askReset(p, "default")
			p.In("dialog").Click("button", "Reset 6 parts")
			p.WaitText(".toasts", "Reset “default”.")
		}},
		{"all views", 6, opening(busy, "/"), func(_ *testing.T, _ *world, p *page) {
			for _, view := range []string{"Data", "Faults", "Time", "Snapshots", "Sandboxes", "Requests"} {
				p.Click("link", view)
				p.Wait(`document.querySelector(".views [aria-current]").innerText === "` + view + `"`)
			}
		}},
		{"who is stuck", 0, openingWall, func(_ *testing.T, _ *world, p *page) {
			p.WaitText(".tile.stuck .reason", "name, categoryId: is required")
		}},
		{"raise a hand", 3, openingPath, func(_ *testing.T, _ *world, p *page) {
			p.Click("button", "Raise hand")
			p.Fill("textbox", "What is it about?", "Why 412?")
			p.Click("button", "Raise")
			p.WaitText(".said", "Your hand is up")
		}},
		{"answer a hand", 2, openingWall, func(_ *testing.T, _ *world, p *page) {
			p.Click("button", "Ada")
			p.In(".side").Click("button", "On my way")
			p.WaitText(".side .talked", "You said: I am on my way")
		}},
		{"find an operation and send it", 3, openingDocs(""), func(_ *testing.T, _ *world, p *page) {
			p.Fill("searchbox", "Search operations", "list categories")
			p.Press(browsertest.Enter)
			p.Click("button", "Execute")
			p.WaitText(".live-response .line", "200 OK")
		}},
		{"mend a refusal", 5, openingDocs("#/Pets/createPet"), func(_ *testing.T, _ *world, p *page) {
			p.Fill("textbox", "Request body", `{"name": "Rex", "categoryId": 1, "status": "gone"}`)
			p.Click("button", "Execute")
			p.Click("button", "/status")
			p.Press(`"sold"`)
			p.Click("button", "Execute")
			p.WaitText(".live-response .line", "201 Created")
		}},
	} {
		t.Run(task.name, func(t *testing.T) {
			t.Parallel()
			w, p := task.open(t)
			p.Allow(`status of 4\d\d`)
			acts, begun := p.Acts(), time.Now()
			task.do(t, w, p)
			t.Logf("actions: %d, time: %v", p.Acts()-acts, time.Since(begun).Round(time.Millisecond))
			if n := p.Acts() - acts; n > task.most {
				t.Errorf("the task takes %d actions, want at most %d", n, task.most)
			}
			if !slices.Contains(moving, task.name) {
				expectNoShifts(t, p)
			}
		})
	}
}

// TestNothingShiftsInNarrowWindows checks that the content stays where it is in narrow windows while the page loads,
// and when the last chip goes and the first comes. In Time and Snapshots, one action follows.
func TestNothingShiftsInNarrowWindows(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/")
	unusual := Put("/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`)
	for _, width := range []int64{768, 375} {
		p.Resize(width, 800)
		for _, view := range []string{"requests", "data", "time", "snapshots"} {
			w.Must(t, unusual)
			p.Open(w.URL + "/?view=" + view)
			p.WaitText(".top", "2031-01-01")
			p.WaitText(".live", "live")
			w.Must(t, Delete("/admin/clock"))
			p.Wait(`!document.querySelector(".chip")`)
			w.Must(t, unusual)
			p.WaitText(".top", "2031-01-01")
			switch view {
			case "time":
				p.Click("button", "Real time")
				p.WaitText(".toasts", "It is the machine's time again.")
			case "snapshots":
				p.Click("button", "Save snapshot")
				p.WaitText(".snapshot", "no changes")
				p.Wait(`(([one, two]) => two.getBoundingClientRect().top - one.lastElementChild.getBoundingClientRect().bottom < 40)(` +
					`document.querySelectorAll(".snapshots > section"))`)
				w.Must(t, Delete("/admin/snapshots/snapshot-1"))
			}
			t.Run(fmt.Sprint(view, width), func(t *testing.T) { expectNoShifts(t, p) })
		}
	}
}

// expectNoShifts checks the sum of the layout shifts of the page since it was opened, including those that
// follow a click.
func expectNoShifts(t *testing.T, p *page) {
	t.Helper()
	const most = 0.02
	shifts := browsertest.Eval[[]struct {
		Value float64
		Of    []string
	}](p, `new Promise((soon) => requestAnimationFrame(() => requestAnimationFrame(() => {
		const observer = new PerformanceObserver(() => {})
		observer.observe({type: "layout-shift", buffered: true})
		soon(observer.takeRecords().map(({value, sources}) => (
			{Value: value, Of: sources.map(({node}) => String(node?.className ?? node?.parentElement?.className ?? ""))}
		)))
	})))`)
	sum := 0.0
	for _, shift := range shifts {
		sum += shift.Value
	}
	if sum > most {
		t.Errorf("layout shifts add up to %.3f: %v", sum, shifts)
	}
}
