package pages_test

import (
	"fmt"
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestPaletteFindsEveryCommand goes to a view, a record and a date by name, and asks before a reset.
func TestPaletteFindsEveryCommand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "New")
	p := show(t, w, "/")
	run := func(text, first string) {
		t.Helper()
		p.Click("button", "Find a command: Ctrl K")
		p.Fill("combobox", "Command", text)
		p.WaitText(".palette [aria-selected=true]", first)
		p.Press(browsertest.Enter)
	}
	run("faults go", "Faults g f")
	p.WaitText("main", "No rules")
	run("pet 1", "Open pet 1")
	p.Wait(`document.activeElement.matches(".editor input") && document.activeElement.value === "Rex"`)
	run("2031-01-01", "Travel to 2031-01-01")
	p.WaitText(".chips", "2031-01-01")
	run("day before", "Travel to the day before getPet's sunset 2030-12-30")
	p.WaitText(".chips", "2030-12-30")
	run("/pets/2", "Open pet 2")
	p.Wait(`location.search.includes("open=2")`)
	run("freeze", "Freeze the clock")
	p.WaitText(".chips", "frozen")
	run("freeze", "Let the clock run")
	p.WaitText(".toasts", "The clock runs.")
	run("410", "Enforce the sunset of getPet")
	p.WaitText(".toasts", "getPet answers 410 after the sunset.")
	run("enforc", "Stop enforcing the sunset of getPet")
	p.WaitText(".toasts", "getPet answers after the sunset too.")
	p.In(".toasts").Click("button", "Undo")
	p.Wait(`fetch("/admin/operations").then((answer) => answer.text())
		.then((all) => all.includes('"enforceSunset":true'))`)
	run("keys", "Show the keys ?")
	p.WaitText("dialog:not(.palette)", "next row")
	p.Press(browsertest.Escape)
	run("create a sandbox", "Create a sandbox…")
	p.WaitText("dialog:not(.palette)", "Start from")
	p.Press(browsertest.Escape)
	run("private", "Sandboxes g b")
	p.WaitText(".boxes", "default")
	run("rex", "Open pet 1, Rex")
	p.Wait(`document.querySelector(".editor input").value === "Rex"`)
	p.Click("button", "Find a command: Ctrl K")
	p.Wait(`[...document.querySelectorAll(".palette [role=group]")].map((group) => group.firstElementChild.innerText).join() === "Recent,Go to,Sandbox,Time,Faults,Page,Break an operation"`)
	p.Fill("combobox", "Command", "fork")
	p.WaitText(".palette [aria-selected=true]", "Fork this sandbox…")
	p.Click("option", "Fork this sandbox…")
	p.Press("b") // the text keeps the focus from the mouse
	p.Wait(`document.querySelector(".palette input").value === "fork b"`)
	p.Press(browsertest.Escape)
	run("theme", "Use dark colours")
	p.Wait(`document.documentElement.dataset.theme === "dark"`)
	p.See("button", "Use light colours")
	p.Wait(`document.querySelector(".theme use").href.baseVal.endsWith("#sun")`)
	run("throttle slow", "Throttle: Slow")
	p.WaitText(".throttle", "Slow")
	p.Click("button", "Find a command: Ctrl K")
	p.Fill("combobox", "Command", "throttle")
	p.Wait(`document.querySelector(".palette [aria-selected=true] b").innerText === "Throttle"`)
	p.Wait(`document.querySelector(".palette [aria-checked=true]")?.innerText === "Throttle: Slow\nWaits 200 to 800 ms"`)
	p.Press(browsertest.Escape)
	run("latency 250", "Delay every response by 250 ms")
	p.WaitText(".toasts", "Every response waits 250 ms.")
	run("clear faults", "Clear all faults")
	run("BELLO", "Find “BELLO” in the requests")
	p.Wait(`document.querySelector(".searchbox input").value === "BELLO"`)
	run("undo", "Undo the last write")
	p.WaitText("dialog:not(.palette)", "POST /pets by")
	leaves(p, "Undo POST /pets by Go-http-client?")
	w.Get(t, "/pets?name=New").ExpectHeader(t, "X-Total-Count", "1")
	run("save snapshot", "Save snapshot")
	p.WaitText(".toasts", "Saved snapshot “snapshot-1”.")
	run("restore", "Restore a snapshot…")
	p.WaitText(".palette [aria-selected=true]", "Restore snapshot “snapshot-1”")
	p.Press(browsertest.Escape)
	browsertest.Eval[any](p, `void (HTMLInputElement.prototype.click = function () { window.chosen = this.type })`)
	run("import", "Import a file…")
	p.Wait(`chosen === "file"`)
	run("break createpet", "Break createPet: fail the next one")
	p.WaitText(".toasts", "The next createPet fails.")
	p.In(".toasts").Click("button", "Undo")
	p.Wait(`fetch("/admin/faults").then((answer) => answer.json()).then((rules) => rules.length === 0)`)
	p.Click("button", "Find a command: Ctrl K")
	p.Fill("combobox", "Command", "createpet")
	p.Wait(`[...document.querySelectorAll(".palette [role=option]")].map((option) => option.innerText).join() ===
		"Find “createpet” in the requests,Break createPet: fail the next one"`)
	p.Press(browsertest.Escape)
	run("reset", "Reset the sandbox…")
	leaves(p, "Reset “default”?")
	w.Get(t, "/pets?name=New").ExpectHeader(t, "X-Total-Count", "1")
	run("reset", "Reset the sandbox…")
	p.In("dialog").Click("button", "Reset 5 parts")
	p.WaitText(".toasts", "Reset “default”.")
	w.Get(t, "/pets?name=New").ExpectHeader(t, "X-Total-Count", "0")
}

// TestPaletteKeepsFirstKeys checks that the palette has what is typed before its module is loaded.
func TestPaletteKeepsFirstKeys(t *testing.T) {
	t.Parallel()
	p := show(t, newWorld(t), "/")
	browsertest.Eval[any](p, `void ["k", "2", "g"].forEach((key) => document.body.dispatchEvent(
		new KeyboardEvent("keydown", {key, ctrlKey: key === "k", bubbles: true, cancelable: true})))`)
	p.Wait(`document.querySelector(".palette input")?.value === "2g"`)
}

// TestCallsOfFilters checks that the drawer shows the call of a filter, and none for a control that makes none.
func TestCallsOfFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "")
	p := show(t, w, "/")
	p.WaitText(".request", "400")
	p.Press("`")
	p.WaitText(".drawer .control", "Point at a control, or move")
	p.WaitText(".drawer .control", "This view")
	p.WaitText(".drawer .control pre", w.URL+"/admin/requests?limit=1000'")
	p.Fill("combobox", "Search the requests", "status:4xx")
	p.WaitText(".drawer .control pre", w.URL+"/admin/requests?limit=1000&status=4xx'")
	p.Fill("combobox", "Search the requests", "")
	p.Hover(".throttle")
	p.WaitText(".drawer .control", "Point at a control, or move the focus to it.")
	p.WaitText(".drawer .control", "This view")
	p.Click("button", "Reset, fork, create or delete a sandbox")
	p.Hover(".picker .menu button:nth-of-type(2)")
	p.WaitText(".drawer .control", "A dialog asks first, and makes this call.")
	p.WaitText(".drawer .control pre", w.URL+"/admin/sandboxes/NAME'")
	p.Press(browsertest.Escape)
	p.Hover(".searchbox input")
	p.WaitText(".drawer .control pre", w.URL+"/admin/requests?limit=1000'")
	p.Hover("[title='Pause and go on ( p )']")
	p.WaitText(".drawer .control", "This view") // the button makes no call
	p.Click("link", "Faults")
	p.WaitText(".drawer .control pre", w.URL+"/admin/faults'")
	p.Click("link", "Sandboxes")
	p.WaitText(".drawer .control pre", w.URL+"/admin/sandboxes'")
}

// TestKeysMoveInRows moves the focus in a table without a cursor of its own.
func TestKeysMoveInRows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/sandboxes/ada", ""))
	w.Must(t, Put("/admin/sandboxes/bob", ""))
	p := show(t, w, "/?view=sandboxes&sort=name")
	p.WaitText("tbody", "bob")
	p.Press("j", "j", "j", "k", "k")
	p.Wait(`document.activeElement.innerText === "ada"`)
	p.Press("k", "j", browsertest.Enter)
	p.Wait(`location.pathname === "/sandboxes/bob/"`)
}

// TestKeySequenceOpensView presses g and the key of a view.
func TestKeySequenceOpensView(t *testing.T) {
	t.Parallel()
	p := show(t, newWorld(t), "/")
	for key, view := range map[string]string{"d": "data", "f": "faults", "t": "time", "s": "snapshots",
		"b": "sandboxes", "r": "requests"} {
		shown := `new URLSearchParams(location.search).get("view") === "` + view + `"`
		for range 9 { // a slow machine may not press two keys within a second
			if p.Press("g", key); browsertest.Eval[bool](p, shown) {
				break
			}
		}
		p.Wait(shown)
	}
}

// TestStripFiltersByTime drags over the newest bars of the strip, and shows all times again.
func TestStripFiltersByTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "New")
	p := show(t, w, "/")
	p.Wait(`document.querySelectorAll(".request").length === 1`)
	p.Wait(`/^\d\d:\d\d:\d\d\s+\d\d:\d\d:\d\d$/.test(document.querySelector(".strip").innerText.trim())`) // its ends
	p.Wait(`document.querySelector(".bucket:has(span)").title.endsWith(" · 1 request, 0 errors")`)
	width := fmt.Sprint(browsertest.Eval[int](p, `document.querySelector(".bars").offsetWidth`))
	drag := func(from, to string) {
		t.Helper()
		p.Wait(`(() => {
			const bars = document.querySelector(".bars"), box = bars.getBoundingClientRect()
			bars.setPointerCapture = () => {}
			for (const [name, at] of [["pointerdown", ` + from + `], ["pointermove", ` + to + `], ["pointerup", ` + to + `]]) {
				setTimeout(() => bars.dispatchEvent(new PointerEvent(name, {bubbles: true, clientX: box.left + at * box.width, clientY: box.top + 9})), {pointerdown: 0, pointermove: 50, pointerup: 100}[name])
			}
			return true
		})()`)
		p.Wait(`new URLSearchParams(location.search).has("from")`)
	}
	drag("0", "0.2")
	p.WaitText(".list", "Nothing came in this part of the time")
	p.Click("button", "Show all times")
	p.Wait(`document.querySelectorAll(".request").length === 1`)
	drag("0", "1")
	p.Wait(`document.querySelectorAll(".request").length === 1`)
	p.Click("button", "Show all times")
	beside := `(document.querySelector(".bucket:has(span)").getBoundingClientRect().left - 10 - box.left) / box.width`
	drag(beside, beside)
	p.WaitText(".strip", " to ")
	p.Wait(`document.querySelector(".bars").offsetWidth === ` + width)
	p.Wait(`document.querySelectorAll(".request").length === 1`)
}
