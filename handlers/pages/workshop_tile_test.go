package pages_test

import (
	"fmt"
	"testing"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestWallShowsNamesAndReasons checks that small tiles show whole names, and that the strip above them shows whole
// reasons, on a tablet and on a laptop. The causes name those who have them.
func TestWallShowsNamesAndReasons(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	for i := range 41 {
		address, _ := join(t, w, fmt.Sprint("Ada Lovelace ", i))
		for range 3 * min(1, i%10) {
			w.Do(t, Post(address+"/pets", `{"name": "Rex", "categoryId": 99}`))
		}
		if i%10 == 0 {
			for range 3 {
				w.Do(t, Post(address+"/pets", "{\"name\": \"x\"\n \"b\"}"))
			}
		}
	}
	p := openWall(t, w)
	for _, width := range []int64{768, 1280} {
		p.Resize(width, 1024)
		p.Wait(`document.querySelectorAll(".tile").length === 41 && document.querySelectorAll(".need").length === 2`)
		if cut := browsertest.Eval[[]string](p, `[...document.querySelectorAll(".look bdi, .need :is(bdi, .why)")]
			.filter((e) => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight + 6)
			.map((e) => e.textContent)`); len(cut) > 0 {
			t.Errorf("%d pixels wide, these are cut: %q", width, cut)
		}
		p.Wait(`new Set([".tile", ".need", ".lead > *"].map((name) => Math.max(` +
			`...[...document.querySelectorAll(name)].map((e) => Math.round(e.getBoundingClientRect().right))))).size === 1`)
	}
	p.WaitText(".need bdi", "Ada Lovelace 1, Ada Lovelace 2, Ada Lovelace 3") // whose first names are the same
	p.WaitText(".need", "+32")
	p.Click("button", "Time lost")
	p.WaitText(".costs", "+28")
	p.Click("button", "Select 36")
	p.WaitText(".marks", "36 selected")
	p.Wait(`!document.querySelector(".side")`)
}

// TestTimeLost checks that one mistake of several attendees is one row, although each has another ETag, and that a
// refusal of an attendee who is not stuck costs nothing.
func TestTimeLost(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	for _, name := range []string{"Ada", "Bob", "Kim"} {
		address, _ := join(t, w, name)
		w.Must(t, Patch(address+"/pets/1", `{"name": "`+name+`"}`))
		for range 3 {
			w.Do(t, Patch(address+"/pets/1", `{"status": "sold"}`).With("If-Match", `"old"`))
		}
	}
	eve, _ := join(t, w, "Eve")
	for range 2 {
		w.Get(t, eve+"/pets/999")
	}
	p := openWall(t, w)
	p.WaitText(".need bdi", "Ada, Bob, Kim")
	p.WaitText(".need .why", "the current ETag; read it again")
	p.Click("button", "Time lost")
	p.WaitText(".causes", "3 attendees · 9 times · 3 still stuck Select 3")
	p.WaitText(".causes", "the current ETag; read it again")
	p.Wait(`document.querySelectorAll(".causes li").length === 1`)
}

// TestMarksOfTiles checks, with and without a drawer, that the marks of a tile stand side by side between its text and
// its exercises, and are whole, that a reason is cut only where no line of it has room, and that the ring of the last
// column is whole. What is true of the clocks of all stands above the tiles alone.
func TestMarksOfTiles(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	for i := range 15 {
		address, _ := join(t, w, fmt.Sprint("Ada Lovelace ", i))
		for range 4 * min(1, i%3) { // the first refusal is an exercise
			w.Do(t, Post(address+"/pets", `{"name": "", "categoryId": 9999}`))
		}
	}
	p := openWall(t, w)
	cut := func(state string) {
		t.Helper()
		if places := browsertest.Eval[[]string](p, `[...document.querySelectorAll(".tile")].flatMap((tile) => {
			const bottomOf = (e) => e.getBoundingClientRect().bottom
			const [marks, reason] = [".unusual", ".reason"].map((name) => tile.querySelector(name))
			const texts = [...tile.querySelectorAll(".waits, .about, .reason")]
			const end = (marks ?? tile.querySelector(".progress")).getBoundingClientRect().top
			const endOf = (e) => { // of what is in sight
				const [icon, word] = e.children, range = document.createRange()
				range.selectNodeContents(word)
				return Math.max(...[icon.getBoundingClientRect(), ...range.getClientRects()]
					.filter(({top}) => top < bottomOf(e) - 4).map(({right}) => right))
			}
			const {offsetWidth, clientWidth} = tile.closest("main")
			const right = tile.closest("main").getBoundingClientRect().right - (offsetWidth - clientWidth) / 2
			return [
				texts.some((e) => bottomOf(e) > end + 0.5) && "covered",
				[...tile.children].some((e) => e.matches(".waits + *") && e.getBoundingClientRect().top + 0.5 <
					Math.max(...[...e.previousElementSibling.children].map(bottomOf))) && "crossed",
				bottomOf(tile.querySelector(".progress")) > bottomOf(tile) - 2 && "below",
				marks?.offsetHeight > 19 && "broken",
				[...marks?.children ?? []].some((e) => e.nextElementSibling &&
					e.nextElementSibling.getBoundingClientRect().left - endOf(e) > 11) && "hole",
				reason?.scrollHeight > reason?.clientHeight + 1 && end - bottomOf(reason) > 20 && "room",
				tile.getBoundingClientRect().right + 2 > right && "ring",
			].filter(Boolean)
		})`); len(places) > 0 {
			t.Errorf("%s: %q", state, places)
		}
	}
	p.Wait(`document.querySelectorAll(".tile.stuck .reason").length === 10`)
	cut("plain")
	p.Wait(`document.querySelector(".pips").dispatchEvent(new MouseEvent("click", {bubbles: true, shiftKey: true}))`)
	p.WaitText(".marks", "Ada Lovelace 0")
	p.Click("button", "Select none")
	p.Wait(`document.querySelector(".pips").dispatchEvent(new MouseEvent("click", {bubbles: true}))`)
	p.Wait(`document.querySelector(".side")`)
	for _, r := range []Request{
		Put("/sandboxes/*/admin/clock", `{"now": "2027-01-01T00:00:00Z"}`),
		Post("/sandboxes/*/admin/faults", `{"match": {"operationId": "getPet"}, "status": 503}`),
		Put("/sandboxes/*/admin/operations/getPet", `{"sunset": "2028-08-08"}`),
		Post("/sandboxes/ada-lovelace-4/admin/data/messages",
			`{"message": "✋ Why is it refused, though I have sent a name and a category?"}`),
	} {
		w.Must(t, teacher(r))
	}
	p.Wait(`document.querySelectorAll(".tile .unusual > :nth-child(3)").length === 15`)
	p.Wait(`document.querySelector(".tile.raised .about").clientHeight > 20`) // two lines of the question
	for _, width := range []int64{768, 1280} {
		p.Press(browsertest.Escape)
		p.Resize(width, 800)
		p.Wait(fmt.Sprintf(`innerWidth === %d && !document.querySelector(".side")`, width))
		browsertest.Eval[any](p, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`)
		cut(fmt.Sprintf("with marks, %d pixels wide", width))
		p.Wait(`[...document.querySelectorAll(".tile:not(.raised) .reason")].every((e) => ` + // two lines
			`e.clientHeight > 30)`)
	}
	w.Must(t, teacher(Post("/sandboxes/ada-lovelace-4/admin/data/messages", `{"message": "💬 I am on my way."}`)))
	p.WaitText(".tile.raised.coming .hand", "on the way")
	cut("on the way, with marks")
	w.Must(t, teacher(Put("/sandboxes/*/admin/clock", `{"now": "2027-05-05T00:00:00Z", "frozen": true}`)))
	p.WaitText(".in", "clocks frozen 2027-05-05")
	w.Must(t, teacher(Put("/sandboxes/ada-lovelace-4/admin/clock", `{"now": "2028-01-01T00:00:00Z", "frozen": true}`)))
	p.Wait(`document.querySelectorAll(".tile .unusual > span").length === 31`) // two on each, and a clock that differs
	p.WaitText(".in", "clocks frozen 2027-05-05")
}

// TestWallWithLongName checks that the strip cuts a name only where it has no room without the request, that one takes
// a line in a tile, and that the tile has the ring of its name's focus, or one if it is open. A drawer leaves the marks
// as they are.
func TestWallWithLongName(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	const long = "Zoë Kravitz-Längstrup von Hohenfels"
	for _, path := range []string{"/pat", "/order", "/store", "/orders/8888/of"} {
		address, _ := join(t, w, long)
		for range 3 {
			w.Get(t, address+path)
		}
	}
	for i := range 11 {
		join(t, w, fmt.Sprint("Bob ", i))
	}
	jonas, _ := join(t, w, "Jonas Bergström-Lindqvist")
	w.Get(t, jonas+"/pets?limit=1001")
	w.Get(t, jonas+"/pets")
	p := openWall(t, w)
	p.Resize(1280, 800)
	p.Wait(`((name) => name.textContent.length === 25 && name.scrollWidth <= name.clientWidth)` +
		`(document.querySelector("[title^=jonas] bdi"))`)
	p.Wait(`document.querySelectorAll(".tile").length === 16 && document.querySelectorAll(".need").length === 4`)
	p.Wait(`[...document.querySelectorAll(".need b")].every((e) => ((name) => name.scrollWidth <= name.clientWidth ||
		name.clientWidth > e.clientWidth - 8)(e.querySelector("bdi")))`)
	const level = `new Set([...document.querySelectorAll(".tile")].map((tile) =>
		tile.querySelector(".progress").offsetTop)).size === 1`
	p.Wait(level)
	p.Wait(`document.querySelector(".look bdi").clientHeight < 20`)
	p.Click("button", "Bob 1")
	p.Wait(`document.querySelector(".side") && ` + level)
	p.Wait(`((tile) => getComputedStyle(tile).outlineWidth === "2px" && tile.querySelector(".note").clientWidth > 0)` +
		`(document.querySelector(".looked-at"))`)
	for _, r := range []Request{
		Put("/sandboxes/*/admin/clock", `{"frozen": true}`),
		Post("/sandboxes/*/admin/faults", `{"match": {}, "status": 503}`),
	} {
		w.Must(t, teacher(r))
	}
	p.WaitText(".tile .unusual", "all fail")
	p.Wait(`[...document.querySelectorAll(".tile .word")].every((e) => e.scrollWidth <= e.clientWidth + 1)`)
	p.Press(browsertest.Escape)
	p.Wait(`(document.querySelector(".mark input").focus(), true)`)
	p.Press(browsertest.Tab)
	p.Wait(`((tile) => getComputedStyle(tile).outlineStyle === "solid" &&
		getComputedStyle(document.activeElement).outlineStyle === "none")(document.activeElement.closest(".tile"))`)
}

// TestAgeOfRaisedHand opens the wall some time after a hand was raised in a store whose
// clock is another one, or was frozen at another time.
func TestAgeOfRaisedHand(t *testing.T) {
	t.Parallel()
	config, pass := Movable(func(c *handlers.Config) { c.Workshop, c.AdminKey = true, "teacher" })
	w := NewWorld(t, config)
	ada, _ := join(t, w, "Ada")
	w.Must(t, teacher(Put(ada+"/admin/clock", `{"advance": "72h"}`)))
	bob, _ := join(t, w, "Bob")
	w.Must(t, teacher(Put(bob+"/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`)))
	pass(time.Minute)
	for _, address := range []string{ada, bob} {
		w.Must(t, teacher(Post(address+"/admin/data/messages", `{"message": "✋ I need help."}`)))
	}
	pass(7 * time.Minute)
	p := openWall(t, w)
	p.Wait(`[...document.querySelectorAll(".tile.raised .hand")].map((e) => e.innerText.match(/\d.*/)[0]).join() === "7 min,7 min"`)
}

// TestWallShowsWhoIsDone checks that an attendee who has done all exercises is not shown as idle, that the parts of the
// wall show no numbers but counts, and that a tile has one line for the exercises and the idle time.
func TestWallShowsWhoIsDone(t *testing.T) {
	t.Parallel()
	config, pass := Movable(func(c *handlers.Config) { c.Workshop, c.AdminKey = true, "teacher" })
	w := NewWorld(t, config)
	ada, _ := join(t, w, "Ada")
	bob, _ := join(t, w, "Bob")
	w.Get(t, bob+"/pets")
	w.Get(t, ada+"/pets?status=sold")
	w.Do(t, Post(ada+"/pets", `{"name": "Rex", "categoryId": 1}`))
	w.Do(t, Post(ada+"/pets", `{"name": ""}`))
	w.Do(t, Patch(ada+"/pets/1", `{"status": "sold"}`).With("If-Match", "*"))
	w.Get(t, ada+"/pets?id=1")
	pass(3 * time.Minute)
	p := openWall(t, w)
	p.WaitText(".tile .idle", "idle 3 min")
	p.WaitText(".tile .all-done", "all done")
	p.Wait(`document.querySelectorAll(".tile .idle").length === 1`)
	p.WaitText(".path", "Not started 0 List 1 Create 0 Refusal 0 Change 0 Replace 0 Done 1")
	p.Resize(1280, 800)
	p.Click("button", "Bob")
	p.WaitText(".looked-at .progress", "1 List idle 3 min")
}

// TestTileCountsFaultsDown checks that the mark of a fault rule says how often it can still be applied, and goes when
// it cannot. A line of a reason ends neither in a key nor in a path.
func TestTileCountsFaultsDown(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	ada, _ := join(t, w, "Ada")
	w.Must(t, teacher(Post(ada+"/admin/faults", `{"match": {"operationId": "listPets"}, "status": 503, "times": 3}`)))
	p := openWall(t, w)
	p.WaitText(".tile .unusual", "listPets: all fail · 3 of 3 left")
	w.Get(t, ada+"/pets")
	p.WaitText(".tile .unusual", "listPets: all fail · 2 of 3 left")
	w.Get(t, ada+"/pets")
	p.WaitText(".tile .unusual", "listPets: all fail · 1 of 3 left")
	openWall(t, w).WaitText(".tile .unusual", "listPets: all fail · 1 of 3 left")
	w.Get(t, ada+"/pets")
	p.Wait(`!document.querySelector(".tile .unusual")`)
	p.WaitText(".tile .last", "503 GET /pets ×3 fault")
	p.Click("button", "Ada")
	p.WaitText(".side .requests-of li:has(.by-fault)", "fault")
	p.Wait(`!document.querySelector(".side .requests-of li:has(.by-fault) .why")`)
	p.In(".side header").See("link", "Dashboard")
	w.Do(t, Post(ada+"/messages", `{"message": "Hello"}`))
	p.WaitText(".tile .reason", "a key is required; send Authorization: Bearer demo-key")
	p.Wait(`document.querySelector(".reason .unbroken").innerText === "demo-key"`)
	p.Wait(`[...Array(200).keys()].every((width) => {
		const reason = document.querySelector(".reason")
		reason.style.width = width + 60 + "px"
		const lines = reason.querySelector(".unbroken").getClientRects()
		return lines.length === 1 && lines[0].height < 20
	})`)
}
