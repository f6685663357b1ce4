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

// TestWall checks that the wall shows the attendees and which of them are stuck, including events
// before it was open, and ends the day.
func TestWall(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	ada, _ := join(t, w, "Ada")
	join(t, w, "Bob")
	w.Get(t, ada+"/pets?limit=3")
	for range 2 {
		w.Do(t, Post(ada+"/pets", `{}`))
	}
	p := openWall(t, w)
	p.WaitText(".tile", "400 POST /pets")
	p.WaitText(".tile", "200 GET /pets?limit=3")
	p.See("image", "0 of 5 exercises done")
	p.Wait(`document.querySelectorAll(".tile").length === 2 && !document.querySelector(".stuck")`)
	w.Do(t, Post(ada+"/pets", `{}`))
	p.WaitText(".tile.stuck .reason", "name, categoryId: is required")
	p.WaitText(".tile.stuck", "stuck ")
	p.Click("button", "1 stuck")
	p.Wait(`document.querySelectorAll(".tile").length === 1`)
	p.Click("button", "1 stuck")
	p.Wait(`document.querySelectorAll(".tile").length === 2`)
	w.Must(t, teacher(Put(ada+"/admin/clock", `{"frozen": true}`)))
	p.See("image", "Clock frozen at 12:00")
	late, _ := join(t, w, "Late")
	w.Get(t, late+"/pets?status=sold")
	p.Wait(`document.querySelectorAll(".tile").length === 3`)

	p.Click("button", "Ada")
	p.WaitText(".side .requests-of", "400")
	p.Click("button", "Door")
	p.Wait(`!document.querySelector(".side")`) // an attendee's errors are not for the room
	p.WaitText(".entrance", w.URL+"/join")
	p.Wait(`!document.querySelector(".in, .tile")`) // the door says how many are in
	p.Wait(`document.querySelector(".entrance img").naturalWidth > 0`)
	p.Wait(`document.querySelectorAll(".names li").length === 3`)
	p.Resize(1280, 800)
	p.Wait(`parseFloat(getComputedStyle(document.querySelector(".names li")).fontSize) > 36`)
	p.Miss("button", "Time lost") // which name attendees with their errors
	p.Wait(`((main, names) => {
		names.append(...Array.from({length: 300}, () => names.firstElementChild.cloneNode(true)))
		const fits = main.scrollHeight === main.clientHeight && names.scrollHeight > names.clientHeight
		while (names.childElementCount > 3) names.lastElementChild.remove()
		return fits
	})(document.querySelector("main"), document.querySelector(".names"))`)
	p.Click("button", "Settings")
	p.Fill("textbox", "Title of the room", "APIs for designers")
	p.Fill("spinbutton", "How many can join", "0")
	calls(p, "title and number", `{"title":"APIs for designers","limit":0}`)
	p.Fill("spinbutton", "How many can join", "3")
	p.Click("button", "Save")
	p.WaitText(".side form", "Saved.")
	p.See("heading", "APIs for designers")
	p.WaitText(".entrance", "3 of 3 are in")
	p.WaitText(".way-in", "All seats are taken The teacher can make room.")
	p.Fill("spinbutton", "How many can join", "-3")
	p.Wait(`!document.querySelector(".side form").innerText.includes("more than")`)
	p.Fill("spinbutton", "How many can join", "2")
	p.WaitText(".side form", "3 are in, the limit is 2")
	p.Click("button", "Save")
	p.WaitText(".entrance", "3 are in, the limit is 2")
	p.WaitText(".side", "Full: 3 are in, the limit is 2.")
	p.Fill("spinbutton", "How many can join", "")
	p.Click("button", "Save")
	p.WaitText(".side form", "At least 1.")
	p.Click("button", "Raise the limit")
	p.Wait(`document.activeElement.type === "number"`)
	p.Press(browsertest.Escape)
	p.Wait(`!document.querySelector(".side") && document.activeElement.innerText === "Settings"`)
	p.Miss("button", "Close the door") // on the screen that the room sees
	p.Click("button", "Settings")
	p.Wait(`document.querySelector(".side input[type=number]").value === ""`) // as it was left
	p.Fill("spinbutton", "How many can join", "2")
	p.Wait(`[...document.querySelectorAll("button")].find((b) => b.innerText === "Save").disabled`)
	p.Click("button", "Close the door")
	p.In(".entrance").See("button", "Open the door")
	p.WaitText(".way-in", "The door is closed Those who are in go on.")
	p.Wait(`!document.querySelector(".way-in :is(.qr, .where)")`)
	p.Press(browsertest.Escape)
	p.Wait(`!document.querySelector(".side")`)
	p.Press(browsertest.Escape)
	p.Click("button", "Ada")
	p.WaitText(".side .requests-of", "×3")
	p.WaitText(".side .sent", "{}")
	p.WaitText(".side .stuck-by", "name, categoryId: is required")
	p.WaitText(".side [aria-current=step]", "List the sold pets")
	p.Wait(`document.querySelector(".side .requests-of a").href.includes("/sandboxes/ada/?id=")`)
	p.Press("j")
	p.WaitText(".side h2", "Bob")
	p.Press("k")
	p.WaitText(".side h2", "Ada")
	p.Click("button", "Time lost")
	p.WaitText(".side .costs", "400 POST /pets") // the second and the third refusal: no exercise asked for them
	p.In(".side").Click("button", "Ada")
	p.WaitText(".side header", "1 of 1")
	p.Click("button", "Settings")
	p.Click("button", "End the day…")
	p.In("dialog").See("button", "Copy the report")
	p.WaitText("dialog", "1 stuck: Ada")
	p.Wait(`!document.querySelector("dialog").innerText.includes("door")`) // it is closed already
	p.Wait(`!document.querySelector("dialog").innerText.includes("latecomers")`)
	p.In("dialog").Click("button", "End without saving")
	p.WaitText("main", "The day is over")
	p.WaitText(".costs", "400 POST /pets")
	p.Click("button", "Settings")
	p.See("textbox", "Title of the room")
	p.Miss("button", "End the day…")
	p.Miss("button", "Print codes")
	w.Get(t, ada+"/pets").Expect(t, 404, "unknown_sandbox")

	p.Allow("status of 404")
	p.Open(w.URL + ada + "/") // to the page of an attendee who has gone, and back
	p.Click("link", "Workshop")
	p.WaitText(".costs", "400 POST /pets") // after a reload too, although the stores are gone
	p.WaitText(".day", "Did not start: Bob")
	p.Wait(`document.querySelector(".figures").innerText.startsWith("took part\n2 of 3\ndid all 5 exercises\n0 of 2\nrequests\n5\n")`)
	p.WaitText(".results tfoot", "1 of 2") // of those who sent a request: Bob has no row
	p.Miss("button", "Time lost")          // which are visible
	p.Miss("button", "Door")
	p.Wait(`!document.querySelector(".in, .live")`) // no count of attendees, and no state of the stream
	p.Wait(`document.querySelector(".results").innerText.includes("Refusal")`)
	p.Resize(375, 800)
	p.Wait(`document.querySelector(".results th.number").offsetWidth > 0 && ` +
		`document.querySelector(".results td").offsetWidth > 100`) // a name has room
	p.Wait(`document.querySelector(".bar h1").offsetLeft < document.querySelector(".bar button").offsetLeft`)
	p.Resize(1280, 400)
	p.Wait(`document.querySelector(".over > footer").offsetTop >= ` +
		`(({offsetTop, offsetHeight}) => offsetTop + offsetHeight)(document.querySelector(".day"))`) // not over it
	p.Click("button", "Begin another day")
	p.WaitText("dialog", "neither copied nor saved")
	p.In("dialog").Click("button", "Cancel")
	const saved = `(async () => {
		const blob = new Promise((done) => { URL.createObjectURL = (blob) => (done(blob), "#") })
		HTMLAnchorElement.prototype.click = function () { window.named = this.download }
		;[...document.querySelectorAll("button")].find((b) => b.innerText.trim() === "Save as a file").click()
		const text = await (await blob).text()
		return window.named + " " + text
	})()`
	text := browsertest.Eval[string](p, saved)
	p.See("button", "Saved")
	for _, part := range []string{".md # APIs for designers 20", "400 POST /pets name, categoryId: is required",
		"- Late: 1 of 5 (List)", "Did not start: Bob"} {
		if !strings.Contains(text, part) {
			t.Errorf("the file of the day has no %q: %s", part, text)
		}
	}
	p.Wait(`(sessionStorage.clear(), true)`) // as in another tab
	p.Open(w.URL + "/workshop")
	p.Fill("textbox", "Admin key", "teacher")
	p.Click("button", "Sign in")
	p.WaitText(".costs", "400 POST /pets")
	p.Click("button", "Begin another day")
	p.WaitText(".in", "the door is open")
	p.Wait(`!document.querySelector(".day")`)
}

// TestEndSaves ends the day with its report saved as a file. The report explains what is marked, and a browser that has
// none offers another day at once. A cause of one attendee selects nobody.
func TestEndSaves(t *testing.T) {
	t.Parallel()
	config, pass := Movable(func(c *handlers.Config) { c.Workshop, c.AdminKey = true, "teacher" })
	w := NewWorld(t, config)
	ada, _ := join(t, w, "Ada")
	w.Get(t, ada+"/pets/9999")
	pass(30 * time.Second)
	for range 2 {
		w.Get(t, ada+"/order")
	}
	ask := func(words string) {
		w.Must(t, teacher(Post(ada+"/admin/data/messages", `{"message": "✋ `+words+`"}`)))
	}
	ask("Why?")
	ask("Thank you.")
	pass(6 * time.Minute)
	p := openWall(t, w)
	ask("And now?")
	p.WaitText(".tile .about", "And now?")
	p.Click("button", "Time lost")
	p.WaitText(".side .costs", "5+ min lost by each attendee, on average")
	p.WaitText(".causes [title^=Somebody]", "5+ min")
	p.Wait(`[...document.querySelectorAll(".causes .share")].map((bar) => bar.style.getPropertyValue("--part")).join() ===
		"1,0.1"`)
	p.Wait(`new Set([...document.querySelectorAll(".causes .share")].map((bar) => bar.offsetWidth)).size === 1`)
	p.WaitText(".causes + .note", "request, 5 min at most.")
	p.In(".side").See("button", "Ada")
	p.In(".side").Miss("button", "Select 1")
	p.Click("button", "Settings")
	p.Wait(`[...document.querySelectorAll(".side h3")].map((e) => e.innerText).join() ===
		"Door,Codes to cut out,End of the day"`)
	p.Click("button", "End the day…")
	p.Wait(`/save it as workshop-\d{4}-\d\d-\d\d\.md in/.test(document.querySelector("dialog").innerText)`)
	leaves(p, "End the day?")
	p.Click("button", "End the day…")
	p.Wait(`(URL.createObjectURL = (blob) => (window.saved = blob, "#"), HTMLAnchorElement.prototype.click = () => {}, true)`)
	p.In("dialog").Click("button", "Save the report and end")
	p.WaitText("main", "The day is over")
	text := browsertest.Eval[string](p, `window.saved.text()`)
	for _, part := range []string{"5+ min: 404 GET /order", "(1 attendee, 2 times: Ada)",
		"· 6 min first join to end · 5+ min average time lost", "- Ada: Why?\n- Ada: And now?\n"} {
		if !strings.Contains(text, part) {
			t.Errorf("the file of the day has no %q: %s", part, text)
		}
	}
	p.WaitText(".day", "What attendees asked Ada: Why? Ada: And now?")
	p.Wait(`getComputedStyle(document.querySelector(".figures dd")).fontVariantNumeric === "proportional-nums"`)
	p.Open(w.URL + "/join")
	p.WaitText("main", "is over")
	p.Wait(`(localStorage.clear(), true)`) // as in another browser
	p.Open(w.URL + "/workshop")
	p.WaitText(".day", "the report is in the browser")
	p.Wait(`document.querySelector(".over > footer").getBoundingClientRect().top - ` +
		`document.querySelector(".day").getBoundingClientRect().bottom < 24`)
	p.Click("button", "Begin another day")
	p.WaitText(".in", "the door is open")
	p.Click("button", "Settings")
	p.Click("button", "End the day…")
	p.In("dialog").See("button", "End the day")
	p.In("dialog").Miss("button", "Save the report and end") // there is no report without attendees
	p.WaitText("dialog", "End the day? The door closes. End the day")
	p.In("dialog").Click("button", "Cancel")
	p.Click("button", "Close the door")
	p.WaitText(".side", "It is closed.")
	p.Click("button", "End the day…")
	p.WaitText("dialog", "End the day? The join page says that the workshop is over. End the day")
	p.In("dialog").Click("button", "End the day")
	p.WaitText(".day", "The day is over")
	p.Click("button", "Show the door")
	p.WaitText(".entrance", "The day is over")
	p.Wait(`!document.querySelector(".who")`) // there are no attendees
}

// TestWallTilesDoNotMove checks that neither requests, unused seats nor a selection move a tile or the
// counts above them, that the actions add no scroll bar, and that a filter puts the longest wait first.
// The dialog that ends the day names what was done for latecomers.
func TestWallTilesDoNotMove(t *testing.T) {
	t.Parallel()
	config, pass := Movable(func(c *handlers.Config) { c.Workshop, c.AdminKey = true, "teacher" })
	w := NewWorld(t, config)
	for _, name := range []string{"Ada", "Bob", "Eve"} {
		join(t, w, name)
	}
	p := openWall(t, w)
	p.Allow("status of 404")
	p.Wait(`document.querySelectorAll(".tile").length === 3`)
	p.Resize(1280, 720)
	p.Wait(`((tile, card) => card.top - tile.bottom < 16 && card.bottom <= innerHeight)(` +
		`...[".tile", ".invitation"].map((name) => document.querySelector(name).getBoundingClientRect()))`)
	const places = `JSON.stringify([...document.querySelectorAll(".tile, ` +
		`.count")].map((e) => Object.values(e.getBoundingClientRect().toJSON())))`
	before := browsertest.Eval[string](p, places)
	for _, name := range []string{"eve", "ada"} {
		for range 3 {
			w.Get(t, "/sandboxes/"+name+"/pet/7")
		}
		pass(time.Minute)
	}
	// The wall looks again.
	w.Must(t, teacher(Put("/admin/workshop", `{"title": "APIs"}`)))
	p.WaitText(".tile.stuck .reason", "there is nothing at /pet/7")
	p.See("button", "2 stuck")
	p.Wait(`new Set([...document.querySelectorAll(".tile.stuck, .need")].map((e) =>
		getComputedStyle(e).backgroundColor)).size === 1`) // all who wait look alike
	p.Click("checkbox", "Select all")
	p.WaitText(".tile.unstarted", "joined 2 min ago not started") // that of Bob
	p.WaitText(".work", " and latecomers")
	if after := browsertest.Eval[string](p, places); after != before {
		t.Errorf("the tiles and counts were at %s, and are at %s", before, after)
	}
	p.Wait(`(({scrollHeight, clientHeight}) => scrollHeight === clientHeight)(document.querySelector("main"))`)
	p.Press(browsertest.Escape)
	p.Wait(`!document.querySelector(".work, .marked")`)
	p.Click("button", "2 stuck")
	p.Wait(`[...document.querySelectorAll(".look")].map((e) => e.innerText).join() === "Eve,Ada"`)
	p.Click("button", "2 stuck")
	p.WaitText(".need b", "Eve, Ada") // one cause
	p.WaitText(".need .why", "404 GET /pet/7")
	p.Wait(`(document.querySelector(".need").click(), true)`)
	p.Wait(`[...document.querySelectorAll(".look")].map((e) => e.innerText).join() === "Eve,Ada"`)
	p.WaitText(".need .why", "there is nothing at /pet/7")
	p.Press(browsertest.Escape)
	p.Wait(`document.querySelectorAll(".tile").length === 3`)
	p.Wait(`(document.querySelector(".need").click(), true)`)
	p.WaitText(".need .age", "Show all")
	p.Click("checkbox", "Select 2")
	p.WaitText(".marks", "Ada, Eve")
	p.Wait(`(document.querySelector(".need").click(), true)`)
	p.Wait(`document.querySelectorAll(".tile").length === 3`)
	w.Must(t, teacher(Post("/sandboxes/eve/admin/data/messages", `{"message": "💬 I am on my way."}`)))
	p.WaitText(".need:not(.coming) b", "Ada")
	p.WaitText(".need.coming b", "Eve") // no longer in one card with Ada
	p.WaitText(".need.coming .why", "on the way · 404 GET /pet/7 there is nothing at /pet/7")
	p.Wait(`((e) => e.backgroundColor === "rgba(0, 0, 0, 0)")(getComputedStyle(` +
		`document.querySelector(".tile.stuck:not(.coming) .s-4xx")))`) // red on red
	p.Click("button", "1 being helped")
	p.Wait(`[...document.querySelectorAll(".look")].map((e) => e.innerText).join() === "Eve"`)
	p.Click("button", "1 stuck")
	p.Wait(`[...document.querySelectorAll(".look")].map((e) => e.innerText).join() === "Ada"`)
	for _, name := range []string{"eve", "ada"} {
		w.Get(t, "/sandboxes/"+name+"/pets")
	}
	p.Wait(`document.querySelectorAll(".tile").length === 3 && !document.querySelector(".count[aria-pressed=true]")`)
	p.Click("checkbox", "Select all")
	p.Click("button", "Freeze clock")
	p.WaitText(".toasts", "Clock frozen for all.")
	p.Click("button", "Settings")
	p.Click("button", "End the day…")
	p.WaitText("dialog", "What you did for latecomers is forgotten.")
}

// TestWallGrows checks that the wall of a large window is that of a small one, only larger, also below what a button
// opens; that 12 fill three rows; that a drawer covers no tile, and moves none to another row; and that 24 have room.
func TestWallGrows(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	for i := range 12 {
		join(t, w, fmt.Sprint("a", i))
	}
	p := openWall(t, w)
	const places = `[...document.querySelectorAll(".top button, .tile, .tile .look, .tile .progress")].map((e) =>
		Object.values(e.getBoundingClientRect().toJSON()).map((px) => Math.round(1280 * px / innerWidth)))`
	p.Resize(1280, 720)
	p.Wait(`document.querySelectorAll(".tile").length === 12 && ` + // in their places
		`[...document.querySelectorAll(".tile")].every((e) => e.getBoundingClientRect().bottom <= innerHeight)`)
	small := browsertest.Eval[[][]int](p, places)
	p.Resize(2560, 1440)
	p.Wait(`document.querySelector(".tile").getBoundingClientRect().height > 330`)
	large := browsertest.Eval[[][]int](p, places)
	for i := range small {
		for j, px := range small[i] {
			if px-large[i][j] > 9 || large[i][j]-px > 9 { // a brand with its word, and a bar as wide as before
				t.Errorf("place %d was %d, and is %d", i, small[i], large[i])
				break
			}
		}
	}
	const columns = `new Set([...document.querySelectorAll(".tile")].map((e) => e.getBoundingClientRect().left)).size`
	if n := browsertest.Eval[int](p, columns); n != 4 {
		t.Errorf("12 tiles stand in %d columns", n)
	}
	const tops = `[...document.querySelectorAll(".tile")].map((e) => e.getBoundingClientRect().top).join()`
	before := browsertest.Eval[string](p, tops)
	for _, name := range []string{"a0", "a11", "a1"} { // in the first, the last and the second column
		p.Click("button", name)
		p.Wait(`((side) => [...document.querySelectorAll(".tile")].every((e) =>
			e.getBoundingClientRect().right <= side?.getBoundingClientRect().left))(document.querySelector(".side"))`)
		if got := browsertest.Eval[string](p, tops); got != before {
			t.Errorf("beside the drawer of %s, the tops of the tiles are %s, were %s", name, got, before)
		}
		p.Press(browsertest.Escape)
		p.Wait(`!document.querySelector(".side")`)
	}
	p.Click("button", "Say to all")
	p.Wait(`((button, box) => Math.abs(box.top - button.bottom) < 9 && Math.abs(box.right - button.right) < 2 &&
		box.width > 640)(...["[popovertarget]:has(+ :popover-open)", ":popover-open"].map((name) =>
		document.querySelector(name)?.getBoundingClientRect() ?? {}))`)
	p.Press(browsertest.Escape)
	for i := range 12 {
		join(t, w, fmt.Sprint("b", i))
	}
	p.Wait(`((main, tiles) => tiles.length === 24 && main.scrollHeight === main.clientHeight &&
		tiles[5].getBoundingClientRect().left === tiles[0].getBoundingClientRect().left)` +
		`(document.querySelector("main"), document.querySelectorAll(".tile"))`)
}

// TestWallKeepsItsColumns checks that a row of the wall has as many tiles when others join, that Shift selects a range
// of tiles, and that a click on a tile with Ctrl selects it.
func TestWallKeepsItsColumns(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	for i := range 14 {
		address, _ := join(t, w, fmt.Sprint("a", i))
		w.Get(t, address+"/pets")
	}
	p := openWall(t, w)
	p.Resize(1280, 800)
	const columns = `document.querySelectorAll(".tile").length + ": " + ` +
		`getComputedStyle(document.querySelector(".wall")).gridTemplateColumns.split(" ").length`
	p.Wait(columns + ` === "14: 5"`)
	p.Wait(`document.querySelector(".tile").offsetHeight > 190`) // three rows fill the window
	for i := range 2 {
		join(t, w, fmt.Sprint("b", i))
	}
	p.Wait(`document.querySelectorAll(".tile").length === 16`)
	p.Wait(`document.querySelector(".tile").offsetHeight === 150`) // four do, above the bar
	if got := browsertest.Eval[string](p, columns); got != "16: 5" {
		t.Errorf("the tiles and columns are %s", got)
	}
	const fill = `getComputedStyle(document.querySelector(".tile")).backgroundColor`
	before := browsertest.Eval[string](p, fill)
	p.Click("checkbox", "Select a0")
	p.Wait(`getComputedStyle(document.querySelector(".tile.marked")).outlineWidth === "3px"`)
	if got := browsertest.Eval[string](p, fill); got != before {
		t.Errorf("the fill of the marked tile is %s, was %s", got, before) // as of a raised hand
	}
	p.WaitText(".hint", "Shift selects a range, Esc selects none.")
	browsertest.Eval[any](p, `void document.querySelectorAll(".mark input")[4].dispatchEvent(`+
		`new MouseEvent("click", {shiftKey: true, bubbles: true, cancelable: true}))`)
	p.WaitText(".marks", "5 selected")
	p.Wait(`document.querySelector(".hint").innerText === "Esc selects none."`)
	browsertest.Eval[any](p, `void document.querySelectorAll(".look")[5].dispatchEvent(`+
		`new MouseEvent("click", {ctrlKey: true, bubbles: true, cancelable: true}))`)
	p.WaitText(".marks", "6 selected")
	p.Wait(`!document.querySelector(".side")`)
	p.Wait(`document.querySelector(".lead input").indeterminate`)
	p.Click("checkbox", "Select all")
	p.Wait(`document.querySelectorAll(".tile.marked").length === 16 && document.querySelector(".lead input").checked`)
	p.Click("checkbox", "Select all")
	p.Wait(`!document.querySelector(".tile.marked, .lead input:checked, .lead input:indeterminate")`)
	p.Resize(700, 400)
	p.Wait(`innerWidth === 700 && document.querySelector(".tile:last-child").getBoundingClientRect().bottom > innerHeight`)
	p.Wait(`(document.querySelector(".tile:last-child .look").click(), true)`) // scrolls to it
	p.Wait(`document.querySelector(".tile:last-child").getBoundingClientRect().bottom <= innerHeight`)
}
