package pages_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	"example.com/petstore/handlers/internal/contracttest"
)

func newWorkshop(t *testing.T) *contracttest.World {
	t.Helper()
	return contracttest.NewWorld(t, func(c *handlers.Config) { c.Workshop, c.AdminKey = true, "teacher" })
}

// teacher returns the request with the admin key.
func teacher(r request) request {
	r.Header = http.Header{"Authorization": {"Bearer teacher"}}
	return r
}

// openWall opens the teacher's wall with the admin key.
func openWall(t *testing.T, w *contracttest.World) *browsertest.Page {
	t.Helper()
	p := browsertest.Open(t, w.URL+"/workshop")
	p.Fill("textbox", "Admin key", "teacher")
	p.Click("button", "Show the wall")
	p.See("button", "Door")
	return p
}

// join creates a sandbox for an attendee and returns its address and key.
func join(t *testing.T, w *contracttest.World, name string) (address, key string) {
	t.Helper()
	var attendee struct{ URL, Key string }
	answer := w.Must(t, request{Method: "POST", Path: "/join", Body: `{"name": "` + name + `"}`})
	if err := json.Unmarshal(answer.Body, &attendee); err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(attendee.URL, w.URL), attendee.Key
}

// TestJoinPage joins as an attendee, does exercises, resets, and returns on the same device and
// on another.
func TestJoinPage(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	w.Must(t, teacher(request{Method: "PUT", Path: "/admin/workshop", Body: `{"title": "APIs <b>for</b> designers"}`}))
	p := browsertest.Open(t, w.URL+"/join")
	p.See("heading", "APIs <b>for</b> designers")
	p.Fill("textbox", "Your name", " \u00a0\u200b\u202e ")
	p.Click("button", "Join")
	p.WaitText(".field:has([aria-invalid])", "Type a name, by which the teacher knows you.")
	p.Wait(`document.activeElement.matches("[aria-invalid]")`)
	p.Fill("textbox", "Your name", "Ada <b>Lovelace</b>")
	calls(p, "join", `--json '{"name":"Ada <b>Lovelace</b>"}'`)
	p.Press("`") // closes the drawer
	p.Click("button", "Join")
	const title, name, in = "Ada <b>Lovelace</b>", "ada-b-lovelace-b", "/sandboxes/ada-b-lovelace-b"
	p.See("heading", title)
	p.WaitText("header", "APIs <b>for</b> designers")
	p.WaitText(".address", w.URL+in)
	p.Click("button", "Key and link")
	p.WaitText(".address",
		"This browser keeps it until the day ends. For another one, keep the personal link. It only works on this "+
			"computer.")
	p.Miss("image", "QR code of the store of "+title)
	p.Wait(`(document.querySelector("details").open = true)`)
	for language, want := range map[string]string{"curl": "curl -s -H 'Authorization: Bearer ",
		"PowerShell": "Invoke-RestMethod -Method GET -Headers @{ 'Authorization' = ", "fetch": "await fetch(", "Go": "http.NewRequest(", "Python": "requests.request(", "Java": "HttpRequest.newBuilder("} {
		p.In(".exercises").Click("button", language)
		p.WaitText(".snippets", want)
		p.WaitText(".snippets", in+"/pets?status=sold&limit=3")
	}
	p.WaitText("main", "0 of 5 done")
	w.Must(t, request{Method: "GET", Path: in + "/pets?status=sold"})
	w.Must(t, request{Method: "POST", Path: in + "/pets", Body: `{"name": "Rex", "categoryId": 1}`})
	p.WaitText("main", "2 of 5 done")

	p.Click("button", "Reset my store…")
	calls(p, "reset my store", in+"/admin/reset")
	p.In("dialog").Click("button", "Reset")
	p.WaitText(".toasts", "Your store was reset.")
	if got := w.Must(t, request{Method: "GET", Path: in + "/pets"}).Header.Get("X-Total-Count"); got != "5" {
		t.Errorf("after the reset there are %s pets", got)
	}
	p.Open(w.URL + "/join")
	p.See("heading", title)
	p.WaitText("main", "2 of 5 done") // though the reset has forgotten the requests

	p.Wait(`(sessionStorage.clear(), true)`) // as in another tab
	p.Open(w.URL + "/join")
	p.See("button", "Join as somebody else")
	p.Click("button", "Go on as "+title)
	p.See("heading", title)
	key := browsertest.Eval[string](p, `JSON.parse(sessionStorage.getItem("petstore.attendee /")).key`)
	back := "/join#sandbox=" + name + "&key=" + key
	p.Wait(`document.execCommand = () => (window.copied = document.activeElement.value, true)`)
	p.Wait(`(Object.defineProperty(navigator, "clipboard", ` +
		`{value: {writeText: async (text) => { window.copied = text }}}), true)`)
	p.Click("button", "Key and link")
	p.Click("button", "Copy my personal link")
	p.Wait(`window.copied === "` + w.URL + back + `"`)
	room := browsertest.Open(t, strings.Replace(w.URL, "127.0.0.1", "room.test", 1)+back)
	room.Click("button", "Key and link")
	room.WaitText(".address", "or scan the code with your phone.")
	room.Wait(`document.querySelector(".address img").naturalWidth > 0`)
	phone := browsertest.Open(t, w.URL+back)
	phone.See("heading", title)
	if address := browsertest.Eval[string](phone, "location.href"); strings.Contains(address, key) {
		t.Errorf("the address still has the key: %s", address)
	}
	phone.Open(browsertest.Eval[string](phone,
		`[...document.querySelectorAll("a")].find((a) => a.text === "Dashboard").href`))
	phone.WaitText(".live", "live")
	phone.WaitText(".own", title)
	phone.Allow("status of 401") // a request at the end of the day

	w.Must(t, teacher(request{Method: "POST", Path: "/admin/workshop/end"}))
	p.See("heading", title+"’s store is gone")
	p.WaitText("main", "The day is over")
	p.WaitText("main", "Thank you for taking part.")
	p.Wait(`!document.querySelector("main").innerText.includes("You did 0 of")`)
	p.Miss("button", "Join again")
	phone.See("heading", "The sandbox “"+title+"” is gone")
	w.Must(t, teacher(request{Method: "PUT", Path: "/admin/workshop", Body: `{"open": true}`}))
	p.WaitText("main", "The door is open.")
	p.Click("button", "Join again")
	p.See("textbox", "Your name")
	p.Miss("button", "Go on as "+title)
}

// landed is an expression that is true when nothing of the open exercise is cut off by the window or by the band of the
// teacher, or when its response begins right below the band.
const landed = `(() => {
	const [{bottom: band}, {top, bottom}, reply] = [".talk", ".open", ".reply"].map((of) => document.querySelector(of).getBoundingClientRect())
	return top >= band && bottom <= innerHeight || reply.top >= band && reply.top < band + 12
})()`

// TestPath does the five exercises on a small phone using only Run and Next. The whole response is in sight
// above the tick and the way on.
// It raises a hand, which the wall shows and the teacher answers. Then the teacher sends a message, which the
// attendee's page shows until it is dismissed.
func TestPath(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	p := browsertest.Open(t, w.URL+"/join")
	p.Allow("status of 400") // the refusal
	p.Resize(375, 667)
	p.Fill("textbox", "Your name", "Ada")
	p.Click("button", "Join")
	for i, exercise := range []struct {
		text, says string
		replies    []string
	}{
		{"List the sold pets", "GET /pets?status=sold&limit=3", []string{"200 OK X-Total-Count"}},
		{"Create a pet", `"categoryId": 1`, []string{"201 Created Location"}},
		{"Make the server refuse you", `"name": ""`,
			[]string{"400 Bad Request name must be 1 to 255 characters long, not 0 categoryId is required"}},
		{"Change a pet safely", "GET /pets/1", []string{"ETag", `"status": "sold"`}},
		{"Find out what is deprecated, and call what replaces it", "GET /pets/1",
			[]string{"deprecation: …/docs/#/Pets/getPet successor-version: …/pets?id=1 as sent", "X-Total-Count 1"}},
	} {
		if i > 0 {
			p.Click("button", "Next: "+exercise.text)
		}
		p.WaitText(".open .request", exercise.says)
		for step, reply := range exercise.replies {
			p.Wait(`document.querySelector(".open .step").getBoundingClientRect().top >= document.querySelector(".talk").getBoundingClientRect().bottom`)
			p.Click("button", "Run")
			p.WaitText(".open .reply", reply)
			if step < len(exercise.replies)-1 {
				p.WaitText(".open .step", "Step 2 of 2.")
				p.Wait(`document.querySelector(".open .step").getBoundingClientRect().top >= document.querySelector(".talk").getBoundingClientRect().bottom`)
			}
		}
		p.WaitText("main", strconv.Itoa(i+1)+" of 5 done")
		p.See("button", "Start again")
		// Of a double click on Run.
		p.Wait(
			`(document.querySelector(".run").dispatchEvent(new MouseEvent("click", {detail: 2, bubbles: true})), true)`)
		p.Wait(`document.querySelector(".onward, .finish").getBoundingClientRect().bottom <= innerHeight && document.documentElement.scrollWidth <= innerWidth`)
		p.Wait(`(({top, bottom}) => top >= document.querySelector(".talk").getBoundingClientRect().bottom && bottom <= document.querySelector(".onward, .finish").getBoundingClientRect().top + 1)(document.querySelector(".reply").getBoundingClientRect())`)
		p.Wait(landed)
	}
	p.WaitText(".finish", "All five exercises are done. Well done!")
	if n := p.Acts(); n > 13 {
		t.Errorf("joining and the five exercises take %d actions, want at most 13", n)
	}
	p.Click("button", "Start again")
	p.Click("button", "Run")
	p.WaitText(".open .reply", "200 OK")
	cached := w.Must(t, teacher(request{Method: "GET", Path: "/sandboxes/ada/admin/requests?status=304"})).Body
	if !strings.Contains(string(cached), `"requests":[]`) {
		t.Errorf("the browser asked only whether its copy is current: %s", cached)
	}
	p.WaitText(".open .reply", "Deprecation @") // of the first step
	p.WaitText(".open", "Now you, in your own client: travel past the sunset")

	wall := openWall(t, w)
	wall.See("button", "Done 1")
	raise := func(about string) {
		t.Helper()
		p.See("button", "Raise hand")
		typed := browsertest.Eval[bool](p, `(async () => {
			document.querySelector("[popovertarget]").scrollIntoView({behavior: "instant"})
			document.querySelector("[popovertarget]").click()
			for (let i = 0; i < 9; i++) await null
			return document.activeElement.matches(":popover-open textarea")
		})()`)
		if !typed {
			t.Error("a key right after the click is not typed into the field")
		}
		p.Wait(`document.querySelector(":popover-open").getBoundingClientRect().right === document.querySelector("[popovertarget]").getBoundingClientRect().right`)
		p.Fill("textbox", "What is it about?", about)
		p.Click("button", "Raise")
		wall.See("button", "1 hand up")
	}
	raise("Why 412?")
	wall.WaitText(".tile.raised:has(.hand) .about", "Why 412?")
	wall.WaitText(".need.is-hand", "Why 412?")
	later := openWall(t, w) // gets the raised hand from the store
	later.See("button", "1 hand up")
	p.WaitText(".said", "Your hand is up: “Why 412?” The teacher sees it.")
	p.WaitText(".said .plain-border", "Lower hand") // in words on a phone too
	p.Click("button", "Lower hand")
	wall.Wait(`!document.querySelector(".raised, .about, .need")`)
	raise("")
	wall.Click("button", "Ada")
	calls(wall, "lower hand", "/sandboxes/ada/admin/data/messages")
	wall.Press("`")
	wall.In(".side").Click("button", "On my way")
	p.WaitText(".said", "The teacher: I am on my way. Your hand is up.")
	wall.WaitText(".tile.coming .hand", "on the way")
	openWall(t, w).WaitText(".need.coming", "on the way")
	p.Click("button", "Dismiss")
	p.WaitText(".said", "Your hand is up")
	wall.In(".side").Click("button", "Lower hand")
	p.See("button", "Raise hand")
	p.Wait(`!document.querySelector(".said")`)
	raise("What is an ETag?")
	wall.In(".side").Click("button", "Reply")
	wall.Wait(`document.activeElement.matches(".side textarea")`)
	wall.Fill("textbox", "What you say", "Read it again")
	p.Click("button", "Lower hand")
	wall.WaitText(".side .raised", "Ada lowered the hand")
	raise("What is an ETag?") // without a loss of what is typed
	wall.WaitText(".side .raised", "hand up")
	wall.In(".side").Click("button", "Say, and lower the hand")
	wall.WaitText(".toasts", "Said to Ada, and lowered the hand.")
	wall.In(".side").See("button", "Say something")
	wall.WaitText(".side .talked", "Asked: “What is an ETag?” You said: Read it again")
	p.WaitText(".said", "The teacher: Read it again You asked: “What is an ETag?”")
	p.See("button", "Raise hand")
	wall.Press(browsertest.Escape)
	wall.Click("button", "Say to all")
	wall.Wait(`document.activeElement.closest(".popover:popover-open") && document.activeElement.matches("textarea")`)
	wall.Fill("textbox", "What you say", "Five <b>minutes</b> left")
	wall.Click("button", "Say")
	wall.WaitText(".toasts", "Said to Ada.")
	p.WaitText(".said", "The teacher: Five <b>minutes</b> left")
	p.Open(w.URL + "/join")
	p.WaitText(".said", "The teacher: Five <b>minutes</b> left")
	p.Click("button", "Dismiss")
	p.Open(w.URL + "/join")
	p.WaitText("main", "5 of 5 done")
	p.WaitText(".talk", "A question?")
	p.Wait(`!document.querySelector(".open") && document.querySelector("main").innerText.split("Well done").length === 2`)
	p.Resize(641, 641) // just no phone
	p.Click("button", "done List the sold pets")
	p.Wait(`(document.querySelector(".code summary").click(), true)`)
	p.Click("button", "Run")
	p.WaitText(".open .reply", "X-Total-Count")
	p.Wait(`document.querySelector(".open .reply").getBoundingClientRect().bottom > innerHeight && document.querySelector(".open .head").getBoundingClientRect().top >= 0`)
}

// TestJoinPageWhenClosed checks that the page explains why joining is not possible, and that it
// notices when joining becomes possible.
func TestJoinPageWhenClosed(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	set := func(body string) { w.Must(t, teacher(request{Method: "PUT", Path: "/admin/workshop", Body: body})) }
	p := browsertest.Open(t, w.URL+"/join")
	p.Allow("status of 403")
	p.Fill("textbox", "Your name", "Bob")
	set(`{"open": false}`)
	p.Click("button", "Join")
	p.WaitText("main", "The door is closed.")
	p.Miss("button", "Join")
	set(`{"open": true, "limit": 1}`)
	p.Click("button", "Join") // with the name that was typed
	p.See("heading", "Bob")
	full := browsertest.Open(t, w.URL+"/join")
	full.WaitText("main", "The workshop is full.")
}

// TestWall checks that the wall shows the attendees and which of them are stuck, including events
// before it was open, and ends the day.
func TestWall(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	ada, _ := join(t, w, "Ada")
	join(t, w, "Bob")
	w.Get(t, ada+"/pets?limit=3")
	for range 2 {
		w.Do(t, request{Method: "POST", Path: ada + "/pets", Body: `{}`})
	}
	p := openWall(t, w)
	p.WaitText(".tile", "400 POST /pets")
	p.WaitText(".tile", "200 GET /pets?limit=3")
	p.See("image", "0 of 5 exercises done")
	p.Wait(`document.querySelectorAll(".tile").length === 2 && !document.querySelector(".stuck")`)
	w.Do(t, request{Method: "POST", Path: ada + "/pets", Body: `{}`})
	p.WaitText(".tile.stuck .reason", "name, categoryId: is required")
	p.WaitText(".tile.stuck", "stuck ")
	p.Click("button", "1 stuck")
	p.Wait(`document.querySelectorAll(".tile").length === 1`)
	p.Click("button", "1 stuck")
	p.Wait(`document.querySelectorAll(".tile").length === 2`)
	w.Must(t, teacher(request{Method: "PUT", Path: ada + "/admin/clock", Body: `{"frozen": true}`}))
	p.See("image", "Clock frozen at 2026-07-01")
	late, _ := join(t, w, "Late")
	w.Get(t, late+"/pets?status=sold")
	p.Wait(`document.querySelectorAll(".tile").length === 3`)

	p.Click("button", "Door")
	p.WaitText(".entrance", w.URL+"/join")
	p.WaitText(".entrance", "Only this machine reaches this address.")
	p.Wait(`document.querySelector(".entrance img").naturalWidth > 0`)
	p.Wait(`document.querySelectorAll(".names li").length === 3`)
	p.Resize(1280, 800)
	p.Wait(`parseFloat(getComputedStyle(document.querySelector(".names li")).fontSize) > 24`)
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
	p.See("heading", "APIs for designers")
	p.WaitText(".entrance", "3 of 3 are in")
	p.Fill("spinbutton", "How many can join", "-3")
	p.Wait(`!document.querySelector(".side form").innerText.includes("more than")`)
	p.Fill("spinbutton", "How many can join", "2")
	p.WaitText(".side form", "3 are in, more than the 2 who can be")
	p.Click("button", "Save")
	p.WaitText(".entrance", "3 are in, more than the 2 who can be")
	p.Press(browsertest.Escape)
	p.Wait(`!document.querySelector(".side") && document.activeElement.innerText === "Settings"`)
	p.Miss("button", "Let nobody else join") // on the screen that the room sees
	p.Click("button", "Settings")
	p.Wait(`[...document.querySelectorAll("button")].find((b) => b.innerText === "Save").disabled`)
	p.Click("button", "Let nobody else join")
	p.In(".entrance").See("button", "Open the door")
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
	p.Click("button", "Causes")
	p.WaitText(".side .costs", "POST /pets 400") // the second and the third refusal: no exercise asked for them
	p.In(".side").Click("button", "Ada")
	p.WaitText(".side header", "1 of 1")
	p.Click("button", "Settings")
	p.Click("button", "End the day…")
	p.In("dialog").See("button", "Copy the day as text")
	p.In("dialog").Click("button", "End the day")
	p.WaitText("main", "The day is over")
	p.WaitText(".costs", "POST /pets 400")
	p.Click("button", "Settings")
	p.Wait(`[...document.querySelectorAll("button")].find((b) => b.innerText === "End the day…").disabled`)
	w.Do(t, request{Method: "GET", Path: ada + "/pets"}).Expect(t, 404, "unknown_sandbox")

	p.Allow("status of 404")
	p.Open(w.URL + ada + "/") // to the page of an attendee who has gone, and back
	p.Click("link", "Workshop")
	p.See("button", "Door")
	p.WaitText(".costs", "POST /pets 400") // after a reload too, although the stores are gone
	p.WaitText(".day", "0 of 2 who took part did all 5 exercises. Sent nothing: Bob.")
	p.Wait(`document.querySelector(".figures").innerText.startsWith("joined\n3\ntook part\n2\nrequests\n5\nworkshop time\n")`)
	p.WaitText(".results tfoot", "1 of 2") // of those who sent a request: Bob has no row
	p.Miss("button", "Causes")             // which are in sight
	p.Wait(`document.querySelector(".results").innerText.includes("Refusal")`)
	const saved = `(async () => {
		const blob = new Promise((done) => { URL.createObjectURL = (blob) => (done(blob), "#") })
		HTMLAnchorElement.prototype.click = function () { window.named = this.download }
		;[...document.querySelectorAll("button")].find((b) => b.innerText.trim() === "Save as a file").click()
		const text = await (await blob).text()
		return window.named + " " + text
	})()`
	text := browsertest.Eval[string](p, saved)
	p.See("button", "Saved")
	for _, part := range []string{".md # APIs for designers 20", "POST /pets 400 name, categoryId: is required",
		"- Late: 1 of 5 (List)", "Sent nothing: Bob"} {
		if !strings.Contains(text, part) {
			t.Errorf("the file of the day has no %q: %s", part, text)
		}
	}
	p.Wait(`(sessionStorage.clear(), true)`) // as in another tab
	p.Open(w.URL + "/workshop")
	p.Fill("textbox", "Admin key", "teacher")
	p.Click("button", "Show the wall")
	p.WaitText(".costs", "POST /pets 400")
	p.Click("button", "Begin another day")
	p.WaitText(".in", "the door is open")
	p.Wait(`!document.querySelector(".day")`)
}

// TestWallTilesDoNotMove checks that neither requests, unused seats nor a selection move a tile or the
// counts above them, that the actions add no scroll bar, and that a filter puts the longest wait first.
func TestWallTilesDoNotMove(t *testing.T) {
	t.Parallel()
	config, pass := contracttest.Movable(func(c *handlers.Config) { c.Workshop, c.AdminKey = true, "teacher" })
	w := contracttest.NewWorld(t, config)
	for _, name := range []string{"Ada", "Bob", "Eve"} {
		join(t, w, name)
	}
	p := openWall(t, w)
	p.Allow("status of 404")
	p.Wait(`document.querySelectorAll(".tile").length === 3`)
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
	w.Must(t, teacher(request{Method: "PUT", Path: "/admin/workshop", Body: `{"title": "APIs"}`}))
	p.WaitText(".tile.stuck .reason", "there is nothing at /pet/7")
	p.See("button", "2 stuck")
	p.Click("checkbox", "Select all")
	p.WaitText(".tile.unstarted", "not started joined 2 min ago") // that of Bob
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
	p.WaitText(".need", "Eve, Ada 404 GET /pet/7") // one cause
	p.Wait(`(document.querySelector(".need").click(), true)`)
	p.Wait(`[...document.querySelectorAll(".look")].map((e) => e.innerText).join() === "Eve,Ada"`)
	p.WaitText(".need .why", "there is nothing at /pet/7")
	p.Press(browsertest.Escape)
	p.Wait(`document.querySelectorAll(".tile").length === 3`)
	p.Wait(`(document.querySelector(".need").click(), true)`)
	p.WaitText(".need .age", "Show all")
	p.Click("checkbox", "Select 2")
	p.WaitText(".marks", "2 selected")
	p.Wait(`(document.querySelector(".need").click(), true)`)
	p.Wait(`document.querySelectorAll(".tile").length === 3`)
	p.Click("button", "2 stuck")
	p.Wait(`document.querySelectorAll(".tile").length === 2`)
	for _, name := range []string{"eve", "ada"} {
		w.Get(t, "/sandboxes/"+name+"/pets")
	}
	p.Wait(`document.querySelectorAll(".tile").length === 3 && !document.querySelector(".count[aria-pressed=true]")`)
}

// TestTileOpened checks that the drawer of an attendee shows the true number of repeated requests, those before
// them, and the header that a refusal is about. The strip of those who need the teacher stays in sight. An attendee
// whose requests a fault refuses is not stuck; one who repeats the refusal that an exercise asks for is.
func TestTileOpened(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	ada, _ := join(t, w, "Ada")
	bob, _ := join(t, w, "Bob")
	w.Get(t, ada+"/pets?limit=3")
	for range 25 {
		w.Do(t,
			request{Method: "PATCH", Path: ada + "/pets/1", Body: `{"status": "sold"}`,
				Header: http.Header{"If-Match": {`"old"`}}})
	}
	kim, _ := join(t, w, "Kim")
	for range 3 {
		w.Do(t, request{Method: "GET", Path: kim + "/order"})
	}
	for id := range 3 {
		w.Do(t, request{Method: "GET", Path: ada + "/pet/" + strconv.Itoa(id)})
		w.Do(t, request{Method: "GET", Path: bob + "/pet/" + strconv.Itoa(10+id)})
	}
	eve, _ := join(t, w, "Eve")
	w.Must(t, teacher(request{Method: "POST", Path: eve + "/admin/faults", Body: `{"match": {}, "status": 503}`}))
	for range 3 {
		w.Do(t, request{Method: "GET", Path: eve + "/pets"})
	}
	p := openWall(t, w)
	p.See("button", "3 stuck")
	p.Wait(`(({left, bottom}) => document.elementFromPoint(left + 20, bottom - 20).matches(".look"))` + // all of it opens
		`(document.querySelector(".tile").getBoundingClientRect())`)
	p.WaitText(".need", "Ada, Bob 404 GET /pet/{id}") // before Kim, who has waited longer
	p.Click("button", "Causes")
	p.WaitText(".costs", "GET /pet/{id} 404")
	p.In(".wall").Click("button", "Ada")
	p.WaitText(".side", "×25 ")
	p.WaitText(".side .sent", "If-Match: \"old\"")
	p.WaitText(".side", "GET /pets?limit=3")
	for _, width := range []int64{768, 1280} {
		p.Resize(width, 800)
		p.Wait(`document.querySelector(".side").getBoundingClientRect().top >= ` +
			`document.querySelector(".needs").getBoundingClientRect().bottom`)
	}
	zoe, _ := join(t, w, "Zoe")
	p.Click("button", "3 stuck")
	p.Wait(`getComputedStyle(document.querySelector(".wall")).gridTemplateColumns.split(" ").length === 3`)
	p.Click("button", "3 stuck")
	for _, address := range []string{eve, zoe, kim} {
		w.Must(t,
			teacher(request{Method: "POST", Path: address + "/admin/data/messages", Body: `{"message": "✋ Why?"}`}))
	}
	p.Wait(`getComputedStyle(document.querySelector(".hand + .alarm .word")).display === "none"`)
	p.Resize(1016, 800) // where three have room, or all four
	p.Wait(`document.querySelectorAll(".need").length === 4 && document.querySelector(".need").offsetWidth < 250`)
	p.Resize(700, 800) // where two have room
	p.Wait(`[...document.querySelectorAll(".need b")].map((e) => e.firstChild.textContent).join() === "Eve,Ada, Bob"`)
	p.Click("button", "+2 more")
	p.Click("button", "Show all")
	p.WaitText(".need.more", "+2 more")
	p.WaitText(".need:has(bdi) .also", "1 List") // where Eve is, not what she sent
	p.Click("button", "Say to all")
	p.See("checkbox", "Lower 3 hands")
	p.Wait(`!document.querySelector(":popover-open [type=checkbox]").checked`)
	p.Press(browsertest.Escape)
	w.Must(t, teacher(request{Method: "POST", Path: ada + "/admin/reset"}))
	p.WaitText(".side", "None.")
	p.See("button", "2 stuck")
	for range 4 { // an exercise asks for the first of these refusals
		w.Do(t, request{Method: "POST", Path: zoe + "/pets", Body: `{"name": "", "categoryId": 9999}`})
	}
	p.See("button", "3 stuck")
	p.Click("button", "Causes")
	p.WaitText(".causes", "1 attendee · 4 times") // the first too
}

// TestActsInDrawer says something to one attendee in the drawer, resets the data there, which keeps what was said, and
// undoes it. What the reset does to the exercises and to the raised hand is said. What is not as usual there is said
// beside the button that brings it back to normal.
func TestActsInDrawer(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	ada, _ := join(t, w, "Ada")
	join(t, w, "Bob")
	w.Get(t, ada+"/pets?status=sold")
	p := openWall(t, w)
	p.Click("button", "Ada")
	const normal = `[...document.querySelectorAll(".side button")].some((e) => e.innerText === "Back to normal")`
	p.In(".side").Click("button", "Say something")
	p.Wait(`document.activeElement.matches(".side textarea") && !document.querySelector(":popover-open")`)
	p.In(".side").Click("button", "Cancel")
	p.Wait(`document.activeElement.matches(".side")`)
	p.In(".side").Click("button", "Say something")
	p.Fill("textbox", "What you say", "Well done")
	p.In(".side").Click("button", "Say")
	p.WaitText(".side .talked", "You said: Well done")
	p.WaitText(".side .talked", "s ago")
	later := openWall(t, w) // gets it from the store
	later.Click("button", "Ada")
	later.WaitText(".side .talked", "s ago")
	w.Must(t, teacher(contracttest.Post(ada+"/admin/data/messages", `{"message": "✋ Why?"}`)))
	p.WaitText(".side", "hand up")
	p.In(".side").Click("button", "Reset data")
	p.WaitText(".toasts", "Data reset for Ada. Exercises stay done, 1 hand lowered.")
	p.Resize(768, 800)
	p.Wait(`document.querySelector(".toasts").getBoundingClientRect().right <= ` +
		`document.querySelector(".side").getBoundingClientRect().left`)
	p.In(".side").See("button", "Say something")
	p.Wait(`document.querySelectorAll(".side .is-done").length === 1`)
	p.WaitText(".side .talked", "You said: Well done")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".side", "hand up")
	p.WaitText(".side .talked", "You said: Well done")
	p.Wait("!" + normal)
	for _, r := range []request{
		{Method: "PUT", Path: ada + "/admin/clock", Body: `{"now": "2031-01-01T00:00:00Z", "frozen": true}`},
		{Method: "POST", Path: ada + "/admin/faults", Body: `{"match": {}, "status": 503}`},
		{Method: "PUT", Path: ada + "/admin/operations/getPet", Body: `{"sunset": "2028-08-08"}`},
	} {
		w.Must(t, teacher(r))
	}
	p.WaitText(".side", "Clock frozen at 2031-01-01 1 fault rule Lifecycle of getPet changed")
	p.In(".side").Click("button", "Back to normal")
	p.WaitText(".toasts", "Back to normal: clock, faults and lifecycles reset for Ada.")
	p.Wait("!" + normal)
	p.In(".side").Click("button", "More")
	p.In(".side").Click("button", "Freeze clock")
	p.WaitText(".toasts", "Clock frozen for Ada.")
	p.WaitText(".side [aria-pressed=true]", "Freeze clock")
	p.In(".side").See("button", "Load data…")
	p.In(".side").Click("button", "Fail 30 %")
	p.WaitText(".side .unusual", "30 % of requests fail")
	p.In(".side").Click("button", "Freeze clock")
	p.WaitText(".toasts", "Clock runs again for Ada.")
	p.Wait(`!document.querySelector(".side .unusual").innerText.includes("Clock")`)
	p.Press(browsertest.Escape)
	p.In(".side").Miss("button", "Load data…")
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
	p.In("dialog").Click("button", "End the day")
	p.WaitText(".figures", "joined 1 took part 0")
}

// TestDrawerWalks checks that the drawer goes on among those who need the teacher if one of them was opened above the
// wall, even when the first of them no longer does, and among all if a tile was. In a wide window, the tiles make way.
func TestDrawerWalks(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	join(t, w, "Ada")
	bob, _ := join(t, w, "Bob")
	eve, _ := join(t, w, "Eve")
	for range 3 {
		w.Do(t, request{Method: "GET", Path: bob + "/order"})
	}
	w.Must(t, teacher(contracttest.Post(eve+"/admin/data/messages", `{"message": "✋ Why?"}`)))
	p := openWall(t, w)
	p.Resize(1280, 800)
	p.WaitText(".need", "Eve")
	browsertest.Eval[any](p, `void document.querySelector(".need").click()`)
	p.WaitText(".side header", "1 of 2")
	p.Wait(`document.querySelector(".wall").getBoundingClientRect().right <= ` +
		`document.querySelector(".side").getBoundingClientRect().left`)
	p.In(".side").Click("button", "Lower hand")
	p.In(".side").See("button", "Say something")
	p.WaitText(".side header", "1 of 2")
	p.Press("j")
	p.WaitText(".side h2", "Bob")
	p.Wait(`(([cause, acts]) => cause.bottom < acts.top)(` +
		`[...document.querySelectorAll(".stuck-by, .side .acts-of")].map((e) => e.getBoundingClientRect()))`)
	p.Press(browsertest.Escape)
	p.Click("button", "Eve")
	p.WaitText(".side header", "3 of 3")
}

// TestWallKeepsItsColumns checks that a row of the wall has no fewer tiles when others join, and that Shift selects a
// range of tiles.
func TestWallKeepsItsColumns(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	for i := range 14 {
		join(t, w, fmt.Sprint("a", i))
	}
	p := openWall(t, w)
	p.Resize(1280, 800)
	const columns = `document.querySelectorAll(".tile").length + ": " + ` +
		`getComputedStyle(document.querySelector(".wall")).gridTemplateColumns.split(" ").length`
	p.Wait(columns + ` === "14: 5"`)
	for i := range 2 {
		join(t, w, fmt.Sprint("b", i))
	}
	p.Wait(`document.querySelectorAll(".tile").length === 16`)
	if got := browsertest.Eval[string](p, columns); got != "16: 5" {
		t.Errorf("the tiles and columns are %s", got)
	}
	p.Click("checkbox", "Select a0")
	browsertest.Eval[any](p, `void document.querySelectorAll(".mark input")[4].dispatchEvent(`+
		`new MouseEvent("click", {shiftKey: true, bubbles: true, cancelable: true}))`)
	p.WaitText(".marks", "5 selected")
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

// TestWallShowsNamesAndReasons checks that small tiles show whole names, and that the strip above them shows whole
// reasons, on a tablet and on a laptop. The causes name those who have them.
func TestWallShowsNamesAndReasons(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	for i := range 41 {
		address, _ := join(t, w, fmt.Sprint("Ada Lovelace ", i))
		for range 3 * min(1, i%10) {
			w.Do(t, request{Method: "POST", Path: address + "/pets", Body: `{"name": "Rex", "categoryId": 99}`})
		}
		if i%10 == 0 {
			for range 3 {
				w.Do(t, request{Method: "POST", Path: address + "/pets", Body: "{\"name\": \"x\"\n \"b\"}"})
			}
		}
	}
	p := openWall(t, w)
	for _, width := range []int64{768, 1280} {
		p.Resize(width, 1024)
		p.Wait(`document.querySelectorAll(".tile").length === 41 && document.querySelectorAll(".need").length === 2`)
		if cut := browsertest.Eval[[]string](p, `[...document.querySelectorAll(".look bdi, .need .why")].filter((e) =>
			e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight + 6).map((e) => e.textContent)`); len(cut) > 0 {
			t.Errorf("%d pixels wide, these are cut: %q", width, cut)
		}
	}
	p.Click("button", "Causes")
	p.WaitText(".costs", "+28")
}

// TestMarksOfTiles checks, with and without a drawer, that the marks of a tile stand in one line below its text, that a
// reason is cut only where no line of it has room, and that the ring of the last column is whole.
func TestMarksOfTiles(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	for i := range 16 {
		address, _ := join(t, w, fmt.Sprint("Ada Lovelace ", i))
		for range 4 * min(1, i%3) { // the first refusal is an exercise
			w.Do(t, request{Method: "POST", Path: address + "/pets", Body: `{"name": "", "categoryId": 9999}`})
		}
	}
	p := openWall(t, w)
	cut := func(state string) {
		t.Helper()
		if places := browsertest.Eval[[]string](p, `[...document.querySelectorAll(".tile")].flatMap((tile) => {
			const bottomOf = (e) => e.getBoundingClientRect().bottom
			const [marks, reason] = [".unusual, .pulse", ".reason"].map((name) => tile.querySelector(name))
			const texts = [...tile.querySelectorAll(".reason, .progress, .note")]
			const end = marks ? marks.getBoundingClientRect().top : bottomOf(tile)
			const right = tile.closest("main").getBoundingClientRect().left + tile.closest("main").clientWidth
			return [
				texts.some((e) => bottomOf(e) > end + 0.5) && "covered",
				marks && bottomOf(marks) > bottomOf(tile) && "below",
				marks && (marks.scrollHeight > 18 || marks.scrollWidth > marks.clientWidth) && "broken",
				reason?.scrollHeight > reason?.clientHeight + 1 && end - bottomOf(reason) > 20 && "room",
				tile.getBoundingClientRect().right + 2 > right && "ring",
			].filter(Boolean)
		})`); len(places) > 0 {
			t.Errorf("%s: %q", state, places)
		}
	}
	p.Wait(`document.querySelectorAll(".tile.stuck .reason").length === 10`)
	cut("plain")
	p.Wait(`(fetch("/sandboxes/ada-lovelace-1/pets"), ` +
		`document.querySelector(".pulse")?.textContent.endsWith(" requests in the last minute"))`)
	cut("with a pulse")
	p.Wait(`(document.querySelector(".look").click(), true)`)
	p.Wait(`document.querySelector(".side") && document.querySelector(".tile").offsetWidth < 180`)
	cut("beside a drawer")
	for _, r := range []request{
		{Method: "PUT", Path: "/sandboxes/*/admin/clock", Body: `{"frozen": true}`},
		{Method: "POST", Path: "/sandboxes/*/admin/faults", Body: `{"match": {}, "status": 503}`},
		{Method: "PUT", Path: "/sandboxes/*/admin/operations/getPet", Body: `{"sunset": "2028-08-08"}`},
	} {
		w.Must(t, teacher(r))
	}
	p.Wait(`document.querySelectorAll(".tile .unusual > :nth-child(3)").length === 16`)
	cut("with marks beside a drawer")
	for _, width := range []int64{768, 1280} {
		p.Press(browsertest.Escape)
		p.Resize(width, 800)
		p.Wait(fmt.Sprintf(`innerWidth === %d && !document.querySelector(".side")`, width))
		cut(fmt.Sprintf("with marks, %d pixels wide", width))
	}
}

// TestAgeOfRaisedHand opens the wall some time after a hand was raised in a store whose
// clock is another one.
func TestAgeOfRaisedHand(t *testing.T) {
	t.Parallel()
	config, pass := contracttest.Movable(func(c *handlers.Config) { c.Workshop, c.AdminKey = true, "teacher" })
	w := contracttest.NewWorld(t, config)
	ada, _ := join(t, w, "Ada")
	w.Must(t, teacher(request{Method: "PUT", Path: ada + "/admin/clock", Body: `{"advance": "72h"}`}))
	pass(time.Minute)
	w.Must(t,
		teacher(request{Method: "POST", Path: ada + "/admin/data/messages", Body: `{"message": "✋ I need help."}`}))
	pass(7 * time.Minute)
	openWall(t, w).WaitText(".tile.raised .hand", "7 min")
}
