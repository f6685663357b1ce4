package pages_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestWallBar checks that the bar marks an action that is in effect in some of the selected stores, counts these
// stores, shows what an undo brings back, and has the toasts, without growing. Its actions stand in one row.
func TestWallBar(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	p := c.p
	is := func(button, pressed string) {
		t.Helper()
		p.Wait(`[...document.querySelectorAll(".tools button")].find((b) => b.innerText === "` + button +
			`").getAttribute("aria-pressed") === "` + pressed + `"`)
	}
	const places = `[...document.querySelectorAll(".tools .acts button")]` +
		`.map((e) => e.getBoundingClientRect().left).join()`
	p.Resize(768, 1000)
	p.Click("checkbox", "Select Ada") // frozen
	is("Freeze clock", "true")
	stood := browsertest.Eval[string](p, places)
	p.Click("checkbox", "Select Bob")
	is("Freeze clock", "mixed")
	p.See("button", "Reset data…")
	if stand := browsertest.Eval[string](p, places); stand != stood {
		t.Errorf("the buttons stand at %s, and stood at %s", stand, stood)
	}
	p.WaitText(".marks", "Ada, Bob · 1 frozen")
	const tall = `document.querySelector(".tools").offsetHeight`
	p.Resize(375, 800)
	p.Wait(tall + ` < 160`) // two rows of acts
	p.Wait(`[...document.querySelectorAll(".tools [aria-pressed]")].filter((e) =>
		getComputedStyle(e, "::before").display !== "none").length === 4`) // which look like switches
	p.Resize(768, 1000)
	before := browsertest.Eval[int](p, tall)
	if before > 100 {
		t.Errorf("the bar is %d px tall", before)
	}
	p.Click("button", "Fail 30 %")
	is("Fail 30 %", "true")
	p.WaitText(".marks .toast:last-child", "30 % fail for 2.")
	if after := browsertest.Eval[int](p, tall); after != before {
		t.Errorf("with a toast, the bar is %d px tall, and was %d", after, before)
	}
	p.Click("button", "Back to normal")
	p.WaitText(".toasts", "Back to normal for 2.")
	is("Fail 30 %", "false")
	p.Wait(`[...document.querySelectorAll(".tools button")].find((b) => b.innerText === "Back to normal").disabled`)
	p.In(".toasts div:last-child").Click("button", "Undo")
	p.WaitText(".toasts", "Undid “Back to normal”")
	is("Fail 30 %", "true")
	p.Click("button", "Day after sunset")
	is("Day after sunset", "true")
	is("Freeze clock", "mixed")
	p.WaitText(".marks", "1 frozen · 1 travelled")
	p.Click("button", "Freeze clock")
	is("Freeze clock", "true")
	p.Click("button", "Freeze clock")
	p.WaitText(".marks .toast:last-child", "Clock runs again for 2.")
	is("Freeze clock", "false")
	is("Day after sunset", "true") // it runs on from there
	p.Click("button", "Enforce sunset")
	is("Enforce sunset", "true")
	p.Click("button", "Enforce sunset")
	p.WaitText(".marks .toast:last-child", "Sunset not enforced for 2.")
	is("Enforce sunset", "false")
	p.Wait(`!document.querySelector(".toasts").innerText.includes("Undid")`) // a newer toast replaces it
	p.Click("button", "Fail 30 %")
	is("Fail 30 %", "false")
	p.Click("checkbox", "Select Bob")
	p.Click("button", "Fail 30 %")
	p.WaitText(".marks .toast:last-child", "30 % fail for Ada.")
	p.Click("checkbox", "Select Bob")
	p.WaitText(".marks", "30 % fail for 1")
	p.WaitText(".marks .toasts", "30 % fail for Ada.")
	p.In(".marks .toasts").See("button", "Undo")
	p.Click("button", "Load data…")
	p.Wait(`document.querySelector(".tools :popover-open").getBoundingClientRect().bottom === ` +
		`document.querySelector(".tools").getBoundingClientRect().top - 8`)
	p.WaitText(".load .note", "5 pets, 3 categories, 4 orders. It replaces the data of Ada, Bob. Exercises")
	p.Choose("The store whose data is loaded", "Bob")
	p.WaitText(".load .note", "6 pets, ")
	p.Press(browsertest.Escape)
	p.Click("checkbox", "Select Ada")
	p.In(".marks .toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Undid “Fail 30 %” for Ada.")
	p.Click("button", "Fail 30 %")
	p.WaitText(".marks .toast:last-child", "30 % fail for Bob.")
	p.Click("button", "Say to 1")
	p.Fill("textbox", "Message", "Wait")
	p.Click("button", "Send")
	p.WaitText(".marks .toast:last-child", "Sent to Bob.")
	p.Wait(`document.querySelectorAll(".toast").length === 1`) // the older one would return later
	p.Click("button", "Fail 30 %")
	p.WaitText(".marks .toast:last-child", "Requests no longer fail for Bob.")
	p.Click("button", "Select none")
	p.Wait(`!document.querySelector(".work, .toast")`) // nothing covers a tile
}

// TestWallBarExplains checks that the bar says what a button does that is hovered or has the focus, in the place
// of what was done last, which stays within reach. Its two lines are centred beside the buttons, whatever they
// say, and are not cut.
func TestWallBarExplains(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	join(t, w, "Ada")
	p := openWall(t, w)
	p.Resize(1280, 800)
	p.Click("checkbox", "Select Ada")
	p.WaitText(".hint", "Shift selects a range")
	p.Resize(375, 800)
	p.Wait(`!document.querySelector(".hint")`) // of keys
	p.Wait(`((acts) => acts.length === 7 && acts.every((e) => e.right <= innerWidth && e.height === 44))(` +
		`[...document.querySelectorAll(".acts-row :is(.pair, .acts) > button:not(.code)")].map((e) => ` +
		`e.getBoundingClientRect()))`) // in two rows
	p.Resize(1280, 800)
	p.WaitText(".tools .acts:last-child", "Load data… Reset data") // far from "Say to"
	centred := func(below string) {
		t.Helper()
		p.Wait(`(() => {
			const middle = (...all) => ((boxes) => Math.round((Math.min(...boxes.map(({top}) => top)) +
				Math.max(...boxes.map(({bottom}) => bottom))) / 2))(all.map((e) => e.getBoundingClientRect()))
			const of = (selector) => document.querySelector(selector)
			return middle(of(".marks > p"), of("` + below + `")) === middle(of(".tools .acts button"))
		})()`)
	}
	centred(".hint")
	const below = `(({toast, state, tools}) => toast.top >= state.bottom && toast.bottom <= tools.bottom)` +
		`(Object.fromEntries(["toast", "state", "tools"].map((name) =>
			[name, document.querySelector(".work ." + name).getBoundingClientRect()])))`
	button := func(event string) {
		t.Helper()
		p.Wait(`[...document.querySelectorAll(".tools button:enabled")].filter((e) => e.innerText === "Enforce sunset")` +
			`.map((e) => (e` + event + `, true))[0]`)
	}
	button(`.focus()`)
	p.WaitText(".hint", "After its sunset, getPet answers 410 Gone")
	centred(".hint")
	p.Click("button", "Freeze clock") // which stays under the pointer
	p.WaitText(".marks .toast", "Clock frozen for Ada.")
	p.Wait(`!document.querySelector(".hint")?.checkVisibility()`)
	p.Wait(below)
	button(`.parentElement.dispatchEvent(new MouseEvent("mouseenter"))`)
	p.WaitText(".says", "After its sunset, getPet answers 410 Gone")
	p.Wait(`getComputedStyle(document.querySelector(".toast")).opacity === "0"`)
	button(`.parentElement.dispatchEvent(new MouseEvent("mouseleave"))`)
	p.Wait(`!document.querySelector(".says")`)
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Undid “Freeze clock” for Ada.")
	p.Click("checkbox", "Select all")
	p.Wait(`[...document.querySelectorAll(".lead button")].some((e) => e.innerText === "Say to all" && e.disabled)`)
	p.Click("button", "Enforce sunset")
	p.WaitText(".marks .toast:last-child", "Sunset enforced for all.")
	p.Click("button", "Fail 30 %")
	p.Wait(`((text) => text.innerText === "30 % fail for all." &&
		text.scrollWidth <= text.clientWidth && text.scrollHeight <= text.clientHeight + 4)` +
		`(document.querySelector(".marks .toast:last-child .grow"))`)
	p.Wait(below)
}

// TestWallBarCoversNoTile checks that the bar leaves twelve tiles in sight, at both its heights, and that a message to
// all reaches those who have joined a moment ago, whom the wall's list does not have yet.
func TestWallBarCoversNoTile(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	for i := range 12 {
		join(t, w, fmt.Sprint("a", i))
	}
	p := openWall(t, w)
	p.Click("checkbox", "Select all")
	p.WaitText(".marks", "All 12 and latecomers")
	for _, size := range [][2]int64{{1280, 800}, {768, 1024}} {
		p.Resize(size[0], size[1])
		p.Wait(`innerWidth === ` + fmt.Sprint(size[0]) + ` && document.querySelector(".tile:last-child")` +
			`.getBoundingClientRect().bottom <= document.querySelector(".tools").getBoundingClientRect().top`)
	}
	p.In(".tools").Click("button", "Say to all")
	p.WaitText(".popover:popover-open", "12 attendees will see it until each dismisses it; latecomers will not.")
	p.Fill("textbox", "Message", "Wait")
	browsertest.Eval[any](p, `void Object.defineProperty(document, "hidden", {value: true})`) // the list is not read
	for i := range 3 {
		join(t, w, fmt.Sprint("b", i))
	}
	p.Click("button", "Send")
	p.WaitText(".marks .toast:last-child", "Sent to 15 attendees.")
}

// TestWallBarAfterUndo checks that the bar reads the template again after an undo for all.
func TestWallBarAfterUndo(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	join(t, w, "Ada")
	p := openWall(t, w)
	p.Click("checkbox", "Select all")
	freeze := func(pressed string) {
		t.Helper()
		p.Wait(`[...document.querySelectorAll(".tools [aria-pressed=` + pressed + `]")].` +
			`some((e) => e.innerText === "Freeze clock")`)
	}
	p.Click("button", "Freeze clock")
	freeze("true")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Undid “Freeze clock” for all.")
	freeze("false")
}

// TestWallShowsItsRequests checks that each control shows its request: one for all stores, or one
// for each selected store. The request for the data must work unchanged.
func TestWallShowsItsRequests(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	p := c.p
	shows := func(button string, want ...string) {
		t.Helper()
		if button != "load data" {
			calls(p, button, want...)
			return
		}
		p.Click("button", "Load data…")
		p.Wait(`(document.querySelector(".popover:popover-open details").open = true)`)
		for _, text := range want {
			p.WaitText(".popover:popover-open", text)
		}
		p.Press(browsertest.Escape)
		p.Wait(`!document.querySelector(".popover:popover-open")`)
	}
	p.Click("checkbox", "Select all")
	shows("Freeze clock", `-X PUT`, `--json '{"frozen":true}'`, "/sandboxes/*/admin/clock")
	shows("Fail 30 %", `--json '{"match":{},"probability":0.3,"status":503}'`, "/sandboxes/*/admin/faults")
	shows("Back to normal", "/sandboxes/*/admin/reset?only=clock,faults,lifecycle")
	shows("Enforce sunset", "-X PATCH", `--json '{"enforceSunset":true}'`, "/sandboxes/*/admin/operations/getPet")
	p.Click("checkbox", "Select Ada") // no longer
	shows("Reset data", "/sandboxes/bob/admin/reset?only=data")
	p.Click("checkbox", "Select Ada")
	shows("Day after sunset", `{"now":"2028-08-09T00:00:00.000Z"}`, "/sandboxes/ada/admin/clock",
		"/sandboxes/bob/admin/clock")
	shows("load data", "/admin/state' | curl -s -X PUT", "--json '@-'", "/sandboxes/ada/admin/state'",
		"/sandboxes/bob/admin/state'")
}

// TestWallDropsSnapshotsOnClose checks that closing the page removes the snapshots kept for undo.
func TestWallDropsSnapshotsOnClose(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	c.p.Click("checkbox", "Select Bob")
	c.p.Click("button", "Reset data")
	c.p.WaitText(".toasts", "Data reset for Bob.")
	kept := c.Must(t, teacher(Get("/sandboxes/bob/admin/snapshots"))).Body
	if !strings.Contains(string(kept), `"name":"wall-`) {
		t.Errorf("nothing is kept to take it back: %s", kept)
	}
	c.p.Open(c.URL + "/join")
	c.forgets(t)
}

// TestWallDropsSnapshotsAfterCrash checks that the snapshots kept for undo are also removed after the
// browser has crashed, once they are no longer in use.
func TestWallDropsSnapshotsAfterCrash(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	const record = `localStorage.getItem("petstore.wall /")`
	c.p.Click("checkbox", "Select Bob")
	c.p.Click("button", "Reset data")
	c.p.WaitText(".toasts", "Data reset for Bob.")
	c.p.Wait(`Object.keys(JSON.parse(` + record + `)).length === 1`)
	c.p.Click("button", "Undo")
	c.p.Wait(record + ` === null`)

	for _, name := range []string{"wall-old", "wall-new"} {
		c.Must(t, teacher(Put("/sandboxes/ada/admin/snapshots/"+name, "")))
	}
	_ = browsertest.Eval[bool](c.p,
		`(localStorage.setItem("petstore.wall /", JSON.stringify({"wall-old": 0, "wall-new": Date.now()})), true)`)
	c.p.Wait(`Object.keys(JSON.parse(` + record + `)).join() === "wall-new"`)
	c.forgetsOf(t, "ada", 1)
}

// TestWallNamesRefusingStore checks that the wall names a store that refuses an action, and that
// the other stores apply it.
func TestWallNamesRefusingStore(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	c.p.Allow("status of 507")
	rules := "[" + strings.TrimSuffix(strings.Repeat(`{"status": 500},`, 1000), ",") + "]"
	c.Must(t, teacher(Put("/sandboxes/bob/admin/faults", rules)))
	c.p.Click("checkbox", "Select Ada")
	c.p.Click("checkbox", "Select Bob")
	c.p.Click("button", "Fail 30 %")
	c.p.WaitText(".toasts", "1 store refused, Bob first: a sandbox can have at most 1000 fault rules")
	c.p.WaitText(".toasts", "30 % fail for Ada.")
}

// TestUnusedSeatsOnWall checks that the wall shows seats that were taken but never used, and drops them. It shows how
// long attendees have been idle, whatever the teacher has done since.
func TestUnusedSeatsOnWall(t *testing.T) {
	t.Parallel()
	config, pass := Movable(func(c *handlers.Config) { c.Workshop, c.AdminKey = true, "teacher" })
	w := NewWorld(t, config)
	ada, _ := join(t, w, "Ada")
	for _, name := range []string{"x1", "x2"} {
		join(t, w, name)
	}
	bo, _ := join(t, w, "Bo")
	w.Get(t, ada+"/pets")
	eve, _ := join(t, w, "Eve")
	for range 3 { // without a key, so that the server does not count them as use
		w.Get(t, eve+"/messages")
	}
	const rest = 5 * time.Second // which the wall waits until it reads the list again
	pass(2*time.Minute - rest)
	p := openWall(t, w)
	p.WaitText(".wall", "not started")
	p.Click("button", "Settings")
	p.See("textbox", "Title of the room")
	p.Wait(`!document.querySelector(".vacant-seats")`)
	pass(rest)
	p.WaitText(".vacant-seats", "3 seats not used")
	p.Wait(`document.querySelectorAll(".tile.unstarted").length === 3`)
	const stages = `[...document.querySelectorAll(".path b")].map((e) => e.textContent).join()` // all who are in
	p.Wait(stages + ` === "3,2,0,0,0,0,0"`)
	w.Get(t, bo+"/pets")
	p.WaitText(".tile.stuck", "401 GET /messages")
	p.WaitText(".vacant-seats", "2 seats not used")
	p.Click("button", "Drop unused seats…")
	p.WaitText("dialog", "x1 x2")
	calls(p, "drop unused seats", "/admin/sandboxes/x1", "/admin/sandboxes/x2")
	p.Allow("status of 404") // for what the wall asked of a seat that is dropped
	p.In("dialog").Click("button", "Drop")
	p.WaitText(".toasts", "Dropped 2 seats.")
	p.Wait(`document.querySelectorAll(".tile").length === 3 && !document.querySelector(".unstarted, .vacant-seats")`)
	if names := w.Names(); len(names) != 4 {
		t.Errorf("there are %v", names)
	}
	pass(time.Minute)
	w.Must(t, teacher(Post(ada+"/admin/reset?only=clock", ""))) // is no request of Ada
	openWall(t, w).WaitText(".tile:not(.stuck) .idle", "3 min")
}
