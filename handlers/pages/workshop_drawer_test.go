package pages_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestTileOpened checks that the drawer of an attendee shows the true number of repeated requests, those before
// them, and the header that a refusal is about. The strip of attendees who need the teacher stays visible. An error
// made by a fault neither makes an attendee stuck nor ends that, but a delayed response does. An attendee who repeats
// the refusal of an exercise is stuck.
func TestTileOpened(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	ada, _ := join(t, w, "Ada")
	bob, _ := join(t, w, "Bob")
	w.Get(t, ada+"/pets?limit=3")
	for range 25 {
		w.Do(t, Patch(ada+"/pets/1", `{"status": "sold"}`).With("If-Match", `"old"`))
	}
	kim, _ := join(t, w, "Kim")
	w.Must(t, teacher(Post(kim+"/admin/faults", `{"delay": {"fixedMs": 1}}`)))
	for range 3 {
		w.Get(t, kim+"/pets/999")
	}
	for id := range 3 {
		w.Get(t, ada+"/pet/"+strconv.Itoa(id))
		w.Get(t, bob+"/pet/"+strconv.Itoa(10+id))
	}
	eve, _ := join(t, w, "Eve")
	w.Must(t, teacher(Post(eve+"/admin/faults", `{"match": {}, "status": 503}`)))
	for range 3 {
		w.Get(t, eve+"/pets")
	}
	p := openWall(t, w)
	p.See("button", "3 stuck")
	w.Must(t, teacher(Put(kim+"/admin/faults", `[{"match": {}, "status": 503}]`)))
	w.Get(t, kim+"/pets")
	p.WaitText(".stuck:has([title=kim]) .reason + .last", "503 GET /pets fault")
	p.WaitText(".tile:has([title=eve]) .last", "503 GET /pets ×3 fault")
	p.WaitText(".tile:has([title=eve]) .unusual", "all fail")
	w.Must(t, teacher(Put(eve+"/admin/faults", `[{"probability": 0.3, "status": 500}]`)))
	p.WaitText(".tile:has([title=eve]) .unusual", "30 % fail")
	p.Click("checkbox", "Select Eve")
	p.Wait(`[...document.querySelectorAll(".acts [aria-pressed=true]")].map((e) => e.innerText).join() === "Fail 30 %"`)
	p.Press(browsertest.Escape)
	w.Must(t, teacher(Delete(kim+"/admin/faults")))
	p.Wait(`(({left, bottom}) => document.elementFromPoint(left + 20, bottom - 20).matches(".look"))` + // all of it opens
		`(document.querySelector(".tile").getBoundingClientRect())`)
	p.WaitText(".need b", "Ada, Bob") // before Kim, who has waited longer
	p.WaitText(".need .why", "404 GET /pet/{id}")
	p.Click("button", "Time lost")
	p.WaitText(".costs", "404 GET /pet/{id}")
	p.WaitText(".costs", "there is nothing at …;")
	p.In(".wall").Click("button", "Ada")
	p.WaitText(".side", "×25 ")
	p.WaitText(".side .sent", "If-Match: \"old\"")
	p.WaitText(".side", "GET /pets?limit=3")
	for _, width := range []int64{768, 1280} {
		p.Resize(width, 800)
		p.Wait(`document.querySelector(".side").getBoundingClientRect().top >= ` +
			`document.querySelector(".above").getBoundingClientRect().bottom`)
	}
	zoe, _ := join(t, w, "Zoe")
	p.Click("button", "3 stuck")
	p.Wait(`document.querySelectorAll(".tile").length === 3`)
	p.Click("button", "3 stuck")
	w.Get(t, zoe+"/pets")
	for _, ask := range [][2]string{{eve, "Why?"}, {zoe, "Why?"}, {kim, "Where?"}} { // who asks first is named first
		w.Must(t, teacher(Post(ask[0]+"/admin/data/messages", `{"message": "✋ `+ask[1]+`"}`)))
	}
	p.Wait(`getComputedStyle(document.querySelector(".hand:has(+ .alarm) .word")).display === "none"`)
	p.Resize(1016, 800) // where three have room, or all four
	p.Wait(`document.querySelectorAll(".need").length === 3`)
	for _, name := range []string{"Mia", "Tom"} { // so that not all are visible
		join(t, w, name)
	}
	p.Resize(700, 640) // where two have room: raised hands
	p.Wait(`[...document.querySelectorAll(".need b")].map((e) => e.firstChild.textContent).sort().join() === ` +
		`"Eve, Zoe,Kim"`) // Eve and Zoe ask the same
	p.Click("button", "5 need you")
	p.Wait(`document.querySelectorAll(".look").length === 5`)
	p.Click("button", "Show all")
	const same = `([...document.querySelectorAll(".need")].find((e) => e.innerText.includes("Why?")).click(), true)`
	p.Wait(same)
	p.Wait(`[...document.querySelectorAll(".look")].map((e) => e.innerText).sort().join() === "Eve,Zoe"`)
	p.Wait(same) // shows all
	w.Must(t, teacher(Post(kim+"/admin/data/messages", `{"message": "💬 I am on my way."}`)))
	p.WaitText(".need.is-alert b", "Ada, Bob")
	p.Click("button", "5 need you")
	p.Wait(`document.querySelector(".tile:last-child .look").innerText === "Kim"`) // who is helped
	p.Click("button", "Show all")
	p.Click("button", "Say to all")
	p.See("checkbox", "Lower 3 hands (1 being helped)")
	p.Wait(`!document.querySelector(":popover-open [type=checkbox]").checked`)
	p.Press(browsertest.Escape)
	w.Must(t, teacher(Post(ada+"/admin/reset", "")))
	p.Wait(`!document.querySelector(".side .requests-of")`)
	p.See("button", "1 stuck")
	for range 4 { // an exercise asks for the first of these refusals
		w.Do(t, Post(zoe+"/pets", `{"name": "", "categoryId": 9999}`))
		w.Get(t, zoe+"/pets/3") // does not solve the problem
	}
	p.See("button", "2 stuck")
	p.Click("button", "Time lost")
	p.WaitText(".causes", "1 attendee · 3 times") // as the wall counts them
	w.Must(t, teacher(Post(kim+"/admin/reset", "")))
	p.Wait(`document.querySelectorAll(".tile .hand").length === 2`)
	browsertest.Eval[any](p, `void location.reload()`)
	p.WaitText(".live", "live")
	p.Click("button", "Settings")
	p.Click("button", "End the day…")
	p.Allow("status of 404") // for what the wall asked of the stores
	p.In("dialog").Click("button", "End without saving")
	p.WaitText(".day", "Kim: Where?") // although the reset took the message
}

// TestActsInDrawer sends a message to one attendee in the drawer, which keeps an unsent text. It resets the attendee's
// data, which keeps the message, and undoes that. The drawer says what the reset does to the exercises and to the
// raised hand, and lists unusual settings beside the button that returns them to normal.
func TestActsInDrawer(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	ada, _ := join(t, w, "Ada")
	join(t, w, "Bob")
	w.Get(t, ada+"/pets?status=sold")
	p := openWall(t, w)
	p.Click("button", "Ada")
	const written = `document.querySelector(".side textarea").value`
	const normal = `[...document.querySelectorAll(".side button")].some((e) => e.innerText === "Back to normal")`
	p.In(".side").Click("button", "Say something")
	p.Wait(`document.activeElement.matches(".side textarea") && !document.querySelector(":popover-open")`)
	p.In(".side").Click("button", "Cancel")
	p.Wait(`document.activeElement.matches(".side")`)
	p.In(".side").Click("button", "Say something")
	p.WaitText(".side .field .note", "Enter sends it")
	p.Fill("textbox", "Message", "Well done")
	p.Press(browsertest.Escape)
	p.Wait(`document.activeElement.matches(".side") && !document.querySelector(".side textarea")`)
	p.In(".side").Click("button", "Say something")
	p.Wait(written + ` === "Well done"`)
	p.Press(browsertest.Escape)
	p.Press(browsertest.Escape)
	p.Wait(`!document.querySelector(".side")`)
	p.Click("button", "Bob")
	p.In(".side").Click("button", "Say something")
	p.Wait(written + ` === ""`)
	p.In(".side").Click("button", "Previous attendee")
	p.WaitText(".side h2", "Ada")
	p.In(".side").Click("button", "Say something")
	p.Wait(written + ` === "Well done"`)
	p.In(".side").Click("button", "Send")
	p.WaitText(".side .talked", "You said: Well done")
	p.In(".side").Click("button", "Say something")
	p.Wait(written + ` === ""`)
	p.In(".side").Click("button", "Cancel")
	p.WaitText(".side .talked", "s ago")
	later := openWall(t, w) // gets it from the store
	later.Click("button", "Ada")
	later.WaitText(".side .talked", "s ago")
	later.Allow("status of 404") // its drawer sends requests to Ada's store until it learns that the store is deleted
	w.Must(t, teacher(Post(ada+"/admin/data/messages", `{"message": "✋ Why?"}`)))
	p.WaitText(".side", "hand up")
	p.In(".side").Miss("button", "Reset data") // beside what is done for everybody
	p.In(".side").Click("button", "More")
	p.WaitText(".others", "Fail 30 % Three of ten requests answer 503 Service Unavailable")
	p.WaitText(".others", "Reset data Returns to the data at the start. Exercises stay done")
	const even = `new Set([...document.querySelectorAll(".others > .pair > button")].map((e) => e.offsetWidth)).size === 1`
	p.Wait(even)
	hold(p, "GET", "/sandboxes/ada/admin/data/messages?sort=-id&limit=20")
	p.In(".side").Click("button", "Reset data")
	p.WaitText(".toasts", "Data reset for Ada, 1 hand lowered.")
	p.In(".side").Miss("button", "Reset data")
	p.Resize(1280, 800)
	p.Wait(`(({left, right, top}) => top > innerHeight - 52 && Math.abs(left + right - innerWidth) < 20)(` +
		`document.querySelector(".toasts").getBoundingClientRect())`) // below the tiles
	p.In(".side").See("button", "Say something")
	p.Wait(`document.querySelectorAll(".side .is-done").length === 1`)
	p.WaitText(".side .talked", "You said: Well done")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Undid")
	p.Wait(`window.arrive && (window.arrive(), true)`) // what the wall began to read before that
	p.WaitText(".side", "hand up")
	p.WaitText(".side .talked", "You said: Well done")
	p.Wait("!" + normal)
	for _, r := range []Request{
		Put(ada+"/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`),
		Post(ada+"/admin/faults", `{"match": {}, "status": 503}`),
		Put(ada+"/admin/operations/getPet", `{"sunset": "2028-08-08"}`),
	} {
		w.Must(t, teacher(r))
	}
	p.WaitText(".side", "Clock frozen at 2031-01-01 Lifecycle of getPet changed All fail")
	p.In(".side").Click("button", "Back to normal")
	p.WaitText(".toasts", "Back to normal for Ada.")
	p.Wait("!" + normal)
	p.Wait(`document.activeElement.matches(".side")`) // the button had the focus, and has disappeared
	w.Must(t, teacher(Put("/admin/template", `{"from": "default"}`)))
	p.In(".side").Click("button", "More")
	p.In(".side").Click("button", "Freeze clock")
	p.WaitText(".toasts", "Clock frozen for Ada.")
	p.WaitText(".side [aria-pressed=true]", "Freeze clock")
	p.Wait(`document.activeElement.innerText === "Freeze clock"`)
	p.WaitText(".others", "Reset data Returns to the template's data. Exercises stay done")
	p.Wait(even)
	p.In(".side").See("button", "Load data…")
	p.In(".side").Click("button", "Fail 30 %")
	p.WaitText(".side .unusual", "30 % fail")
	p.In(".side").Click("button", "Freeze clock")
	p.WaitText(".toasts", "Clock runs again for Ada.")
	p.Wait(`!document.querySelector(".side .unusual").innerText.includes("Clock")`)
	p.Press(browsertest.Escape)
	p.In(".side").Miss("button", "Load data…")
	p.WaitText(".toasts", "Clock runs again for Ada.")
	p.In(".side").Click("button", "Next attendee")
	p.WaitText(".side h2", "Bob")
	p.Wait(`!document.querySelector(".toast")`) // would cover Bob's drawer
	p.In(".side").Click("button", "Previous attendee")
	p.WaitText(".side h2", "Ada")
	p.In(".side").Click("button", "More")
	p.In(".side").Click("button", "Remove from the room…")
	p.WaitText("dialog", "the report does not name Ada")
	calls(p, "remove from the room", "/admin/sandboxes/ada")
	p.Allow("status of 404") // for what the wall asked of the store
	p.In("dialog").Click("button", "Remove")
	p.WaitText(".toasts", "Removed Ada.")
	p.Wait(`!document.querySelector(".side") && document.querySelectorAll(".tile").length === 1`)
	p.Click("button", "Settings")
	p.Click("button", "End the day…")
	p.In("dialog").Click("button", "End without saving")
	p.WaitText(".figures", "took part 0 of 1")
}

// TestReloadOpensDrawer checks that a wall that is loaded again opens the drawer, until it is closed.
// A request of the drawer opens in a new tab.
func TestReloadOpensDrawer(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	ada, _ := join(t, w, "Ada")
	w.Get(t, ada+"/pets")
	p := openWall(t, w)
	p.Click("button", "Ada")
	p.In(".side").See("link", "GET /pets")
	p.Wait(`document.querySelectorAll(".side a[title$='in a new tab'][target=_blank]").length === 1`)
	p.Wait(`location.search === "?side=%40ada"`)
	browsertest.Eval[any](p, `void location.reload()`)
	p.WaitText(".live", "live")
	p.WaitText(".side h2", "Ada")
	p.Press(browsertest.Escape)
	p.Wait(`!document.querySelector(".side") && location.search === ""`)
}

// TestRemovedStaysAway removes an attendee while an older list of the attendees is still on its way.
func TestRemovedStaysAway(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	join(t, w, "Ada")
	p := openWall(t, w)
	p.Click("button", "Ada")
	p.See("button", "More")
	hold(p, "GET", "admin/sandboxes?limit=1000")
	join(t, w, "Bob")
	p.Wait(`window.arrive`)
	p.In(".side").Click("button", "More")
	p.In(".side").Click("button", "Remove from the room…")
	p.Allow("status of 404") // for what the wall asked of the store
	p.In("dialog").Click("button", "Remove")
	p.WaitText(".toasts", "Removed Ada.")
	browsertest.Eval[any](p, `void window.arrive()`)
	p.WaitText(".tile", "Bob")
	p.Click("button", "Settings")
	p.Click("button", "End the day…")
	p.In("dialog").Click("button", "End without saving")
	p.WaitText(".figures", "took part 0 of 1")
}

// TestDrawerWalks checks that the drawer continues with the next attendee who needs the teacher if one of them was
// opened from the strip, even when the first of them no longer does, and with the next of all if a tile was opened. The
// wall shows whom the teacher helps until the attendee's next request, or until that is undone. A double click shows it
// once.
func TestDrawerWalks(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	ada, _ := join(t, w, "Ada")
	bob, _ := join(t, w, "Bob")
	eve, _ := join(t, w, "Eve")
	for range 3 {
		w.Get(t, bob+"/order")
	}
	w.Must(t, teacher(Post(eve+"/admin/data/messages", `{"message": "✋ Why?"}`)))
	p := openWall(t, w)
	p.Resize(1280, 800)
	p.WaitText(".need", "Eve")
	browsertest.Eval[any](p, `void document.querySelector(".need").click()`)
	p.WaitText(".side header", "1 of 2 who need you")
	p.In(".side").Click("button", "Lower hand")
	p.In(".side").See("button", "Say something")
	p.WaitText(".side header", "1 left who need you")
	p.Press("j")
	p.WaitText(".side h2", "Bob")
	p.WaitText(".side header", "1 of 1 who need you")
	p.WaitText(".need[aria-pressed=true]", "Bob") // who is open
	p.WaitText(".stuck-by .facts + .acts-of .primary", "Say something")
	p.WaitText(".side header p", "On exercise 1 of 5")
	p.In(".side").Miss("heading", "Other requests") // the block has it
	p.WaitText(".stuck-by .requests-of", "404 GET /order ×3")
	const twice = `void [...document.querySelectorAll(".side button")].find((e) => e.innerText === "On my way")` +
		`.dispatchEvent(new MouseEvent("click", {bubbles: true, detail: 2}))`
	p.In(".side").Click("button", "On my way")
	p.WaitText(".side [aria-pressed=true]", "On my way")
	p.Wait(`document.activeElement.innerText === "On my way"`)
	browsertest.Eval[any](p, twice)
	p.In(".side").Click("button", "On my way")
	p.WaitText(".side .talked", "You said: I am not on my way yet.")
	p.WaitText(".need:not(.coming)", "Bob")
	openWall(t, w).WaitText(".need:not(.coming)", "Bob")
	if talk := string(w.Must(t, teacher(Get(bob+"/admin/data/messages"))).Body); strings.Count(
		talk, "💬 ") != 2 {
		t.Errorf("the messages are %s", talk)
	}
	p.In(".side").Click("button", "On my way")
	p.WaitText(".side .talked", "You said: I am on my way.")
	p.WaitText(".side .stuck-by.coming .alarm", "on the way")
	for _, wall := range []*page{p, openWall(t, w)} { // the second gets it from the store
		wall.WaitText(".need.coming", "on the way")
		wall.WaitText(".tile.stuck.coming .alarm", "on the way")
		wall.Wait(`((tile) => tile.querySelector(".pips").offsetWidth > 0 && // beside the exercise
			tile.querySelector(".progress .note").scrollWidth <= tile.querySelector(".progress .note").clientWidth
		)(document.querySelector(".tile.coming"))`)
		if wall != p {
			wall.Click("button", "Bob")
		}
		wall.WaitText(".side .talked .row:first-child", "You said: I am not on my way yet.")
		wall.WaitText(".side .talked .row + .row:last-child", "You said: I am on my way.")
	}
	w.Get(t, bob+"/order")
	p.WaitText(".need:not(.coming)", "Bob")
	p.Wait(`!document.querySelector(".coming")`)
	w.Must(t, teacher(Post(bob+"/admin/data/messages", `{"message": "✋ Why?"}`)))
	p.WaitText(".side", "hand up")
	p.In(".side").Click("button", "On my way")
	p.Wait(`getComputedStyle(document.querySelector(".side .raised.coming")).backgroundColor === "rgba(0, 0, 0, 0)"`)
	p.In(".side").Click("button", "Reply")
	p.Fill("textbox", "Message", "Read line 1")
	p.In(".side").Click("button", "Send, and lower the hand")
	p.WaitText(".tile.stuck.coming:not(.raised) .alarm", "messaged")
	w.Get(t, bob+"/order")
	p.Wait(`!document.querySelector(".coming")`)
	p.Click("button", "Say to all")
	p.Fill("textbox", "Message", "Five minutes left")
	p.In(":popover-open").Click("button", "Send")
	p.WaitText(".side .talked", "You said to all: Five minutes left")
	p.Wait(`!document.querySelector(".coming")`)
	for _, name := range []string{"Ada", "Bob"} {
		p.Click("checkbox", "Select "+name)
	}
	p.Click("button", "Say to 2")
	p.Fill("textbox", "Message", "Four minutes left")
	p.In(":popover-open").Click("button", "Send")
	p.WaitText(".side .talked", "Four minutes left")
	p.WaitText(".tile.stuck.coming .alarm", "messaged") // Bob, but not those to whom all is said
	w.Get(t, bob+"/order")
	p.Wait(`!document.querySelector(".coming")`)
	for _, message := range []string{"✋ Why?", "💬 I am on my way."} {
		w.Must(t, teacher(Post(eve+"/admin/data/messages", `{"message": "`+message+`"}`)))
	}
	p.WaitText(".need.coming", "Eve")
	browsertest.Eval[any](p, `void document.querySelector(".need").click()`)
	p.WaitText(".side header", "1 of 2 who need you") // in the order of the strip
	p.Press(browsertest.Escape)
	p.Click("button", "Eve")
	p.WaitText(".side header", "3 of 3 attendees")
	p.Press(browsertest.Escape)
	p.Click("button", "1 stuck")
	p.In(".wall").Click("button", "Bob")
	p.WaitText(".side header", "1 of 1 stuck")
	for range 3 {
		w.Get(t, ada+"/order")
	}
	p.WaitText(".side header", "1 of 2 stuck")
	w.Get(t, bob+"/pets")
	p.WaitText(".side header", "1 left stuck")
	w.Get(t, ada+"/pets")
	p.WaitText(".side header", "none left stuck")
}

// TestDrawerSaysHowSomebodyIs checks that the drawer says of those without trouble how they are, too.
func TestDrawerSaysHowSomebodyIs(t *testing.T) {
	t.Parallel()
	config, pass := Movable(func(c *handlers.Config) { c.Workshop, c.AdminKey = true, "teacher" })
	w := NewWorld(t, config)
	ada, _ := join(t, w, "Ada")
	bob, _ := join(t, w, "Bob")
	join(t, w, "Eve")
	w.Get(t, ada+"/pets?status=sold")
	w.Get(t, bob+"/pets?status=sold&id=1")
	w.Must(t, Post(bob+"/pets", `{"name": "Rex", "categoryId": 1}`))
	w.Do(t, Post(bob+"/pets", `{"name": ""}`))
	tag := w.Get(t, bob+"/pets/1").Header.Get("ETag")
	w.Must(t, Patch(bob+"/pets/1", `{"status": "sold"}`).With("If-Match", tag))
	p := openWall(t, w)
	p.Click("button", "Ada")
	p.WaitText(".side header p", "On exercise 2 of 5")
	p.Wait(`!document.querySelector(".side header p").innerText.includes("idle")`)
	pass(3 * time.Minute)
	w.Must(t, teacher(Post(ada+"/admin/reset?only=clock", ""))) // is no request of Ada
	p = openWall(t, w)
	p.Click("button", "Ada")
	p.WaitText(".side header p", "On exercise 2 of 5 · idle 3 min")
	w.Must(t, teacher(Post(ada+"/admin/data/messages", `{"message": "✋ Why?"}`)))
	p.Wait(`document.querySelector(".side header p").innerText === "On exercise 2 of 5"`) // the hand says enough
	p.Press("j")
	p.WaitText(".side h2", "Bob")
	p.Wait(`document.querySelector(".side header p").innerText === "All done"`)
	p.Press("j")
	p.WaitText(".side header p", "Not started · joined 3 min ago")
}

// TestDrawerShowsWhatWasSent checks that JSON that was sent has a line for each member, unless it fits in one, and that
// a long text is shown whole when that is asked for.
func TestDrawerShowsWhatWasSent(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	ada, _ := join(t, w, "Ada")
	w.Do(t, Post(ada+"/pets", `{"name":"Rex"}`))
	w.Do(t, Post(ada+"/pets", `{"name":"`+strings.Repeat("Rex ", 200)+`","status":"gone","notes":"last"}`))
	p := openWall(t, w)
	p.Click("button", "Ada")
	p.Wait(`document.querySelector(".side li:last-child .sent pre").innerText === '{"name":"Rex"}'`)
	const start = `document.querySelector(".side .sent pre").innerText`
	p.Wait(start + `.startsWith('{\n  "name": "Rex') && !` + start + `.includes("last")`)
	p.In(".side").Click("button", "Show all")
	p.Wait(start + `.endsWith('\n  "status": "gone",\n  "notes": "last"\n}')`)
	p.In(".side").Click("button", "Show less")
	p.Wait("!" + start + `.includes("last")`)
}
