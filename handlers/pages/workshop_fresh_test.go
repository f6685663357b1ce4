package pages_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestOutdatedOffersDisappear checks that the wall does not offer to undo an action that was dropped, replaced or
// already undone, or after the end of the day.
func TestOutdatedOffersDisappear(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	p := c.p
	const neverByItself = `(window.setTimeout = ((later) => (run, ms, ...more) => ms >= 12000 ? 0 : later(run, ms, ` +
		`...more))(window.setTimeout), true)`
	p.Wait(neverByItself)
	p.Click("checkbox", "Select Ada")
	p.Click("button", "Fail 30 %")
	p.WaitText(".toasts", "30 % fail for Ada")
	p.Allow("status of 404") // of the dropped rule
	c.Must(t, teacher(Delete("/sandboxes/ada/admin/faults")))
	p.Click("button", "Undo") // another client has already done this
	p.WaitText(".toasts", "Undid “Fail 30 %” for Ada.")
	p.Miss("button", "Undo")

	p.Click("button", "Freeze clock")
	p.WaitText(".toasts", "Clock runs again") // it was frozen
	p.Click("checkbox", "Select Ada")
	p.Click("checkbox", "Select Bob")
	p.Click("button", "Reset data")
	p.WaitText(".toasts", "Data reset for Bob")
	c.forgetsOf(t, "bob", 1)
	c.Must(t, teacher(Delete("/admin/sandboxes/bob")))
	p.Wait(`!document.querySelector(".toast")`)

	p.Click("checkbox", "Select all")
	p.Click("button", "Freeze clock")
	p.WaitText(".toasts", "Clock frozen for all")
	p.Click("button", "Reset data")
	p.WaitText(".toasts", "Data reset for all")
	p.Click("button", "Undo")
	p.WaitText(".toasts", "Undid “Reset data” for all")
	p.Press(browsertest.Escape)
	p.Wait(`!document.querySelector(".work")`)
	p.Miss("button", "Undo") // of the freeze

	p.Click("checkbox", "Select all")
	p.Click("button", "Fail 30 %")
	p.WaitText(".toasts", "30 % fail for all")
	p.Click("button", "Settings")
	p.Click("button", "End the day…")
	leaves(p, "End the day?")
	p.See("button", "Undo")
	p.Click("button", "End the day…")
	p.In("dialog").Click("button", "End without saving")
	p.WaitText("main", "The day is over")
	p.Miss("button", "Undo")
}

// forgetsOf checks that the store has n snapshots of the wall.
func (c class) forgetsOf(t *testing.T, name string, n int) {
	t.Helper()
	var kept []struct{ Name string }
	c.Must(t, teacher(Get("/sandboxes/"+name+"/admin/snapshots"))).Decode(t, &kept)
	if len(kept) != n {
		t.Errorf("%s has %d snapshots, want %d: %v", name, len(kept), n, kept)
	}
}

// TestDoorShowsReachableAddress checks that the door and the printed sheet show addresses that attendees can
// reach, even if they cannot reach the address by which the teacher opened the wall.
func TestDoorShowsReachableAddress(t *testing.T) {
	t.Parallel()
	const first, second = "http://192.168.1.20:8080/join", "http://10.0.0.5:8080/join"
	w := NewWorld(t, func(c *handlers.Config) {
		c.Workshop, c.AdminKey = true, "teacher"
		c.Addresses = func() []string { return []string{"http://192.168.1.20:8080", "http://10.0.0.5:8080"} }
	})
	p := openWall(t, w)
	p.See("link", first)
	p.Click("button", "Door")
	p.See("link", first)
	p.See("image", "QR code of "+first)
	p.Wait(`document.querySelector(".sheet").textContent.includes("the workshop` + first[7:] +
		`") && !document.querySelector(".warning")`)
	p.Click("button", "Settings")
	p.Choose("Address shown and printed", second)
	p.See("image", "QR code of "+second)
	p.Wait(`document.querySelector(".sheet").textContent.includes("` + second[7:] +
		`") && !document.querySelector(".sheet").textContent.includes("` + first[7:] + `")`)
	p.Click("button", "Wall")
	p.See("link", second)
}

// TestDoorWarnsOfLocalAddress checks that every place that shows the address warns that no other machine can
// reach it.
func TestDoorWarnsOfLocalAddress(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	p := openWall(t, w)
	p.WaitText(".nobody", "Only this machine reaches this address.")
	p.Wait(`document.querySelector(".nobody code").innerText === "--addr 0.0.0.0:" + location.port`)
	p.Miss("button", "Show the door") // beside its code
	p.Resize(1280, 800)
	p.Wait(`document.querySelector(".nobody .qr").offsetHeight > innerHeight / 2`) // nothing else to see
	p.Wait(`parseFloat(getComputedStyle(document.querySelector(".nobody .where")).fontSize) > 50`)
	p.Wait(`document.querySelector(".sheet").textContent.includes("Only this machine")`)
	w.Must(t, teacher(Put("/admin/workshop", `{"title": "APIs"}`)))
	p.WaitText(".nobody", "APIs Scan or open to join the workshop")
	p.Click("button", "Door")
	p.WaitText(".entrance", "Only this machine reaches this address.")
	p.Click("button", "Settings")
	p.See("heading", "Codes to cut out")
	p.Wait(`[...document.querySelectorAll(".warning")].filter((e) => e.checkVisibility()).length === 1`)
	w.Must(t, Post("/join", `{"name": "Ada"}`))
	p.Open(w.URL + "/workshop")
	p.Resize(768, 1024)
	p.See("button", "Show the door")
	p.Click("button", "Settings")
	p.Wait(`((edge) => [...document.querySelectorAll(".invitation *")].every((part) =>
		part.getBoundingClientRect().right <= edge))(document.querySelector(".invitation").getBoundingClientRect().right)`)
}

// TestAttendeeWalks opens all pages of an attendee, and checks that no request is refused and that
// every page shows the name as it was typed.
func TestAttendeeWalks(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	p := browsertest.Open(t, w.URL+"/join")
	p.Fill("textbox", "Your name", "Zoë 李")
	p.Click("button", "Join")
	p.See("heading", "Zoë 李")
	p.WaitText(".address", "/sandboxes/zoe")
	w.Must(t, Get("/sandboxes/zoe/pets"))
	p.Click("link", "Dashboard")
	p.WaitText(".live", "live")
	p.WaitText(".top .own", "Zoë 李")
	for _, view := range []string{"Requests", "Data", "Faults", "Time", "Snapshots"} {
		p.Click("link", view)
		p.See("heading", view)
	}
	p.Miss("link", "Sandboxes")
	p.Click("button", "Reset the sandbox")
	p.Click("menuitem", "Reset “Zoë 李”…")
	p.In("dialog").Click("button", "Reset 2 parts")
	p.WaitText(".toasts", "Reset “Zoë 李”.")
	p.Click("link", "Docs")
	p.WaitText("#swagger-ui", "List pets")
	p.WaitText("#sandbox", "Zoë 李")
	p.Open(w.URL + "/sandboxes/zoe/")
	p.WaitText(".live", "live")
	p.Click("link", "Exercises")
	p.See("heading", "Zoë 李")

	wall := openWall(t, w)
	wall.WaitText(".tile", "Zoë 李")
	join(t, w, "Zoe\u0308 李") // the name looks the same
	wall.See("checkbox", "Select Zoë 李 · 2")
	join(t, w, "שלום")
	wall.Click("checkbox", "Select שלום")
	wall.Click("button", "Fail 30 %")
	wall.WaitText(".toasts", "30 % fail for שלום.")
	wall.Wait(`(() => {
		const texts = document.createTreeWalker(document.querySelector(".toast"), NodeFilter.SHOW_TEXT), range = document.createRange()
		const left = (text) => {
			for (texts.currentNode = texts.root; texts.nextNode();) {
				const at = texts.currentNode.data.indexOf(text)
				if (at < 0) continue
				range.setStart(texts.currentNode, at)
				range.setEnd(texts.currentNode, at + 1)
				return range.getBoundingClientRect().left
			}
		}
		return left("30 %") < left("ש") && left("ש") < left(".") // the direction of the name ends with it
	})()`)
	wall.Allow("status of 404") // a request at that moment
	w.Must(t, teacher(Post("/admin/workshop/end", "")))
	p.See("heading", "The day is over")
	p.Hide(true)
	p.Hide(false)
	p.Open(w.URL + "/join")
	p.See("heading", "The day is over")
	late := browsertest.Open(t, w.URL+"/sandboxes/zoe/") // in a tab without a key
	late.Allow("status of 401")
	late.See("heading", "The sandbox “zoe” is gone")
	late.WaitText("main", "The workshop is over")
	late.Miss("textbox", "Key")
	late.Open(w.URL + "/")
	late.See("textbox", "Key")
}

// TestNoWorkshop checks that the pages report that no workshop is running, and explain how to start one.
func TestNoWorkshop(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, path := range []string{"/join", "/workshop"} {
		w.Get(t, path).Expect(t, 404, "not_found")
		browser := Get(path).With("Accept", "text/html")
		if a := w.Do(t, browser); a.Status != 404 ||
			a.Header.Get("Vary") != "Origin, Accept-Encoding, X-Sandbox, Prefer, Accept" ||
			!strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") ||
			!strings.Contains(string(a.Body), "petstore --addr 0.0.0.0:8080 --workshop") {
			t.Errorf("%s = %d %s", path, a.Status, a.Body)
		}
		p := browsertest.Open(t, w.URL+path)
		p.Allow("status of 404")
		p.See("heading", "This server holds no workshop")
		p.WaitText("main", "--workshop")
		p.Miss("button", "Join")
		p.Miss("button", "Sign in")
	}
}

// TestWallNeedsKey checks that the wall sends no requests without a key, and stops after a wrong one.
func TestWallNeedsKey(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	p := browsertest.Open(t, w.URL+"/workshop")
	p.See("textbox", "Admin key")
	p.Open("about:blank") // errors so far fail the test
	p.Open(w.URL + "/workshop")
	p.Allow("status of 401")
	p.Wait(`document.activeElement.type === "password"`)
	p.Fill("textbox", "Admin key", "pupil")
	p.Click("button", "Sign in")
	p.WaitText(".field:has([aria-invalid]) .wrong", "This key is wrong. It is the --admin-key")
	p.Wait(`document.querySelector("[type=password]").value === "pupil"`)
	p.Fill("textbox", "Admin key", "teacher")
	p.Click("button", "Sign in")
	p.See("button", "Door")
}

// TestWallShowsLostEvents checks that the wall shows events that the stream has lost. The list of
// stores has them, before the wall reads any journal.
func TestWallShowsLostEvents(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	quiet, _ := join(t, w, "Quiet")
	loud, _ := join(t, w, "Loud")
	p := openWall(t, w)
	p.WaitText(".live", "live")
	w.Get(t, quiet+"/pets/1")
	p.Wait(`document.querySelector(".wall").innerText.includes("GET /pets/1")`)
	p.Wait(`(window.fetch = ((ask) => (to, how) => /admin\/requests/.test(to) ? new Promise(() => {}) : ask(to, ` +
		`how))(window.fetch), true)`)
	p.Hide(true)
	w.Get(t, quiet+"/pets/2")
	for range 1100 { // more than the server keeps for a client that reconnects
		w.Get(t, loud+"/pets/3")
	}
	p.Hide(false)
	p.Wait(`document.querySelector(".wall").innerText.includes("GET /pets/2")`)
}

// TestWallForgetsClearedRequests checks that the wall shows nothing of requests after a client has cleared them.
func TestWallForgetsClearedRequests(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	ada, _ := join(t, w, "Ada")
	for range 3 {
		w.Get(t, ada+"/order")
	}
	p := openWall(t, w)
	p.WaitText(".tile.stuck", "404 GET /order")
	w.Must(t, teacher(Delete(ada+"/admin/requests")))
	p.Wait(`!document.querySelector(".tile.stuck, .tile .last.wire")`)
}

// TestWallCatchesUp checks that the wall reads again what the stream has lost, although newer requests came since:
// errors in a row, and a raised hand.
func TestWallCatchesUp(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	quiet, _ := join(t, w, "Quiet")
	loud, _ := join(t, w, "Loud")
	p := openWall(t, w)
	p.WaitText(".live", "live")
	p.Hide(true)
	for range 2 {
		w.Do(t, Post(quiet+"/pets", `{}`))
	}
	w.Must(t, teacher(Post(loud+"/admin/data/messages", `{"message": "✋ Why?"}`)))
	for range 1100 { // more than the server keeps for a client that reconnects
		w.Get(t, loud+"/pets/3")
	}
	p.Hide(false)
	p.WaitText(".live", "live")
	w.Do(t, Post(quiet+"/pets", `{}`))
	p.WaitText(".tile.stuck .times", "×3")
	p.WaitText(".tile.raised .about", "Why?")
}

// TestReloadedWallKeepsExercises checks that an exercise stays done on a wall that is loaded again,
// although its request is older than those that the wall reads.
func TestReloadedWallKeepsExercises(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	ada, _ := join(t, w, "Ada")
	p := openWall(t, w)
	w.Get(t, ada+"/pets?status=sold")
	p.WaitText(".tile .progress", "2 Create")
	p.Wait(`document.querySelector(".tile .pip.full + .pip.now")`)
	for range 200 {
		w.Get(t, ada+"/pets/3")
	}
	p.WaitText(".tile .times", "×200")
	p.Open(w.URL + "/workshop")
	p.WaitText(".tile .times", "×200+")
	p.WaitText(".tile .progress", "2 Create")
}

// TestWallWithLongNames checks, on a phone and on a wide screen, that nothing is wider than the
// window, and that long names and long paths do not break the tiles.
func TestWallWithLongNames(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	w.Must(t, teacher(Put("/admin/workshop", `{"title": "`+strings.Repeat("W", 100)+`"}`)))
	for _, name := range []string{strings.Repeat("W", 200), strings.Repeat("W", 200),
		strings.Repeat("Z\u0351\u036b\u0343", 40), "\u202eada\u2066 " + strings.Repeat("word ", 30)} {
		address, _ := join(t, w, name)
		w.Do(t, Get(address+"/"+strings.Repeat("a", 4000)).With("User-Agent", strings.Repeat("agent", 500)))
	}
	p := openWall(t, w)
	p.Wait(`[...document.querySelectorAll(".tile")].filter((tile) => tile.innerText.includes("404")).length === 4`)
	p.Click("checkbox", "Select all")
	for _, width := range []int64{390, 1280} {
		p.Resize(width, 800)
		p.Wait(`innerWidth === ` + strconv.FormatInt(width, 10))
		cut := browsertest.Eval[[]string](p,
			`[...document.querySelectorAll(".top, .top *, .wall, .tile, .tile > *, .tile .alarm")].filter((e) => {
			const { left, right, width } = e.getBoundingClientRect()
			return width > 0 && (left < 0 || right > innerWidth) && !e.closest("[popover], .live, .count .word, .plain-border")
		}).map((e) => e.className + " " + e.innerText)`)
		if len(cut) > 0 {
			t.Errorf("%d pixels wide, these are cut off: %q", width, cut)
		}
		low := browsertest.Eval[[]string](p,
			`[...document.querySelectorAll(".tile")].flatMap((tile) => [...tile.children].filter((e) => {
			const { top, bottom } = e.getBoundingClientRect(), box = tile.getBoundingClientRect()
			return top < box.top - 1 || bottom > box.bottom + 1
		})).map((e) => e.className)`)
		if len(low) > 0 {
			t.Errorf("%d pixels wide, these stick out of their tiles: %q", width, low)
		}
	}
}

// TestStreamReconnectsAtOnce checks that the page reconnects at once after the server has closed the
// stream because the page was busy, and does not report it as lost.
func TestStreamReconnectsAtOnce(t *testing.T) {
	t.Parallel()
	p := openWall(t, newWorkshop(t))
	p.WaitText(".live", "live")
	p.Wait(`(window.asked = [], window.said = [], window.fetch = ((ask) => (to, how) => {
		if (!String(to).includes("/admin/events")) return ask(to, how)
		asked.push(how.headers["Last-Event-ID"])
		return asked.length > 1 ? ask(to, how) : Promise.resolve(new Response(": listening\n\nid: 5\nevent: dropped\ndata: {}\n\n"))
	})(window.fetch), new MutationObserver(() => said.push(document.querySelector(".live").innerText)).observe(document.querySelector(".live"), {subtree: true, childList: true, characterData: true}), true)`)
	p.Hide(true)
	p.Hide(false)
	p.Wait(`asked.length === 2 && asked[1] === "5" && said.at(-1).includes("live")`)
	if said := browsertest.Eval[[]string](p, "said"); slices.ContainsFunc(said,
		func(text string) bool { return strings.Contains(text, "lost") }) {
		t.Errorf("the wall says %q", said)
	}
}

// TestLostWallKeepsItsTimes checks that a wall without its server says so, and counts no time from an old answer.
func TestLostWallKeepsItsTimes(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	ada, _ := join(t, w, "Ada")
	w.Must(t, teacher(Post(ada+"/admin/data/messages", `{"message": "✋ I need help."}`)))
	address, down := behind(t, w, "")
	p := browsertest.Open(t, address+"/workshop#key=teacher")
	p.Allow("Failed to load resource")
	p.WaitText(".live", "live")
	// From the page's next request on, an hour has passed on its clock and on those that the server returns.
	browsertest.Eval[any](p, `void (window.later = 0, window.looked = 0,
		Date.now = ((now) => () => now() + later)(Date.now),
		window.fetch = ((ask) => async (to, how) => {
			const answer = await ask(to, how)
			if (!String(to).includes("admin/sandboxes?")) return answer
			const list = await answer.json()
			for (const { clock } of list) clock.now = new Date(Date.parse(clock.now) + later).toISOString()
			looked++
			return Response.json(list, answer)
		})(fetch))`)
	join(t, w, "Bo")
	p.Wait("looked > 0")
	p.WaitText(".tile .hand", "hand up")
	browsertest.Eval[any](p, `void (later = 3_600_000)`)
	p.WaitText(".tile .hand", "60 min")
	down.Store(true)
	browsertest.Eval[any](p, `void document.querySelector(".live").click()`)
	p.WaitText(".banner", "What you see is from ")
	p.WaitText(".tile .hand", "60 min")
}
