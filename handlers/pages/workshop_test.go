package pages_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

func newWorkshop(t *testing.T) *World {
	t.Helper()
	return NewWorld(t, func(c *handlers.Config) { c.Workshop, c.AdminKey = true, "teacher" })
}

// teacher returns the request with the admin key.
func teacher(r Request) Request {
	r.Header = http.Header{"Authorization": {"Bearer teacher"}}
	return r
}

// openWall opens the teacher's wall with the admin key.
func openWall(t *testing.T, w *World) *browsertest.Page {
	t.Helper()
	p := browsertest.Open(t, w.URL+"/workshop")
	p.Fill("textbox", "Admin key", "teacher")
	p.Click("button", "Sign in")
	p.See("button", "Door")
	return p
}

// join creates a sandbox for an attendee and returns its address and key.
func join(t *testing.T, w *World, name string) (address, key string) {
	t.Helper()
	var attendee struct{ URL, Key string }
	answer := w.Must(t, Post("/join", `{"name": "`+name+`"}`))
	must.Succeed(t, json.Unmarshal(answer.Body, &attendee))
	return strings.TrimPrefix(attendee.URL, w.URL), attendee.Key
}

// TestJoinPage joins as an attendee, does exercises, resets, and returns on the same device and
// on another.
func TestJoinPage(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	w.Must(t, teacher(Put("/admin/workshop", `{"title": "APIs <b>for</b> designers"}`)))
	p := browsertest.Open(t, w.URL+"/join")
	p.See("heading", "APIs <b>for</b> designers")
	p.Fill("textbox", "Your name", " \u00a0\u200b\u202e ")
	p.Click("button", "Join")
	p.WaitText(".field:has([aria-invalid])", "Type a name by which the teacher knows you.")
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
		"This browser keeps it until the day ends. For another browser, keep the personal link. It only works on "+
			"this computer.")
	p.Miss("image", "QR code of "+title+"’s store")
	p.Wait(`(document.querySelector("details").open = true)`)
	for language, want := range map[string]string{"curl": `curl -s \ -H 'Authorization: Bearer `,
		"PowerShell": "Invoke-RestMethod -Method GET ` -Headers @{ 'Authorization' = ", "fetch": "await fetch(",
		"Go": "http.NewRequest(", "Python": "requests.request(", "Java": "HttpRequest.newBuilder("} {
		p.In(".exercises").Click("button", language)
		p.WaitText(".snippets", want)
		p.WaitText(".snippets", in+"/pets?status=sold&limit=3")
	}
	p.WaitText("main", "0 of 5 done")
	w.Must(t, Get(in+"/pets?status=sold"))
	w.Must(t, Post(in+"/pets", `{"name": "Rex", "categoryId": 1}`))
	p.WaitText("main", "2 of 5 done")

	p.Click("button", "Reset my store…")
	calls(p, "reset my store", in+"/admin/reset")
	p.In("dialog").Click("button", "Reset")
	p.WaitText(".toasts", "Your store was reset.")
	if got := w.Must(t, Get(in+"/pets")).Header.Get("X-Total-Count"); got != "5" {
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
	p.Click("button", "Join as somebody else")
	p.Click("button", "Go on as "+title) // it is not lost yet
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

	w.Must(t, teacher(Post("/admin/workshop/end", "")))
	p.See("heading", "The day is over")
	p.WaitText("main", "Thank you for taking part, "+title+". Your store is gone.")
	p.Wait(`document.querySelector("main img").naturalWidth > 0`) // though the store is gone
	p.Wait(`!document.querySelector("main").innerText.includes("You did 0 of")`)
	p.Miss("button", "Join again")
	phone.See("heading", "The sandbox “"+title+"” is gone")
	w.Must(t, teacher(Put("/admin/workshop", `{"open": true}`)))
	p.See("heading", title+"’s store is gone")
	p.WaitText(".over", "The teacher deleted it, or ended the day.")
	p.WaitText("main", "The door is open.")
	p.Click("button", "Join again")
	p.See("textbox", "Your name")
	p.Miss("button", "Go on as "+title)
}

// landed is an expression that is true when nothing of the open exercise is cut off by the window or by the band of the
// teacher, or when its response begins right below the band.
const landed = `(() => {
	const [{bottom: band}, {top, bottom}, reply] = [".talk", ".open", ".reply"].map((of) =>
		document.querySelector(of).getBoundingClientRect())
	return top >= band && bottom <= innerHeight || reply.top >= band && reply.top < band + 12
})()`

// TestLastStepAgain runs the last step of an exercise again, with the ETag that is old by then and with one that is
// edited, and starts over.
func TestLastStepAgain(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	p := browsertest.Open(t, w.URL+"/join")
	p.Allow("status of 412")
	p.Fill("textbox", "Your name", "Ada")
	p.Click("button", "Join")
	p.See("button", "Run")
	p.Wait(`(document.querySelectorAll(".head")[3].click(), true)`)
	p.WaitText(".open .step", "Step 1 of 2.")
	p.Click("button", "Run")
	p.WaitText(".open .step", "Step 2 of 2.")
	p.Miss("button", "Start over at step 1")
	p.Click("button", "Run")
	p.WaitText(".open .reply", "Response to step 2: PATCH /pets/1 200 OK")
	p.Click("button", "Run again")
	p.WaitText(".open .reply", "412 Precondition Failed")
	p.Fill("textbox", "The request", "PATCH /pets/1\nIf-Match: *\n\n{\"status\": \"sold\"}")
	p.Click("button", "Run")
	p.WaitText(".open .reply", `"status": "sold"`)
	p.Click("button", "Start over at step 1")
	p.WaitText(".open .step", "Step 1 of 2.")
	p.Wait(`!document.querySelector(".open .reply")`)
	p.Click("button", "Run")
	p.WaitText(".open .step", "Step 2 of 2.")
	p.Wait(`document.querySelector(".request").value.includes("available")`) // so that the ETag changes
}

// TestPath does the five exercises on a small phone using only Run and Next. The whole response is visible
// above the tick and the button to the next exercise.
// It raises a hand, which the wall shows and the teacher answers. Then the teacher sends a message, which the
// attendee's page shows until it is dismissed.
func TestPath(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	p := browsertest.Open(t, w.URL+"/join")
	p.Allow("status of 400") // the refusal
	p.Resize(375, 667)
	p.Fill("textbox", "Your name", "Ada")
	hold(p, "GET", "limit=1000") // the first exercise is run before the page knows what is done
	p.Click("button", "Join")
	for i, exercise := range []struct {
		text, says string
		replies    []string
	}{
		{"List the sold pets", "GET /pets?status=sold&limit=3", []string{"200 OK X-Total-Count"}},
		{"Create a pet", `"categoryId": 1`, []string{"201 Created Location"}},
		{"Make the server refuse you", `"name": ""`,
			[]string{"400 Bad Request name must be 1 to 255 characters long, not 0 categoryId is required The response as sent"}},
		{"Change a pet safely", "GET /pets/1", []string{"ETag", `"status": "sold"`}},
		{"Replace a deprecated call", "GET /pets/1",
			[]string{"deprecation: …/docs/#/Pets/getPet successor-version: …/pets?id=1 As sent", "X-Total-Count 1"}},
	} {
		if i > 0 {
			p.Click("button", "Next: "+exercise.text)
		}
		p.Wait(`document.querySelector(".open .request").value.includes(` + strconv.Quote(exercise.says) + `)`)
		for step, reply := range exercise.replies {
			p.Wait(`document.querySelector(".open .step").getBoundingClientRect().top >=
				document.querySelector(".talk").getBoundingClientRect().bottom`)
			p.Click("button", "Run")
			p.WaitText(".open .reply", reply)
			if step < len(exercise.replies)-1 {
				p.WaitText(".open .step", "Step 2 of 2.")
				p.Wait(`document.querySelector(".open .step").getBoundingClientRect().top >=
					document.querySelector(".talk").getBoundingClientRect().bottom`)
			}
		}
		p.WaitText("main", strconv.Itoa(i+1)+" of 5 done")
		p.See("button", "Run again")
		// Of a double click on Run.
		p.Wait(
			`(document.querySelector(".run").dispatchEvent(new MouseEvent("click", {detail: 2, bubbles: true})), true)`)
		p.Wait(`document.querySelector(".onward, .finish").getBoundingClientRect().bottom <= innerHeight && document.documentElement.scrollWidth <= innerWidth`)
		p.Wait(`(({top, bottom}) => top >= document.querySelector(".talk").getBoundingClientRect().bottom && bottom <= document.querySelector(".onward, .finish").getBoundingClientRect().top + 1)(document.querySelector(".reply").getBoundingClientRect())`)
		p.Wait(landed)
	}
	p.WaitText(".finish", "All five exercises are done.")
	if n := p.Acts(); n > 13 {
		t.Errorf("joining and the five exercises take %d actions, want at most 13", n)
	}
	p.Click("button", "Start over at step 1")
	p.WaitText(".open .step", "Step 1 of 2.")
	p.Click("button", "Run")
	p.WaitText(".open .step", "Step 2 of 2.")
	p.WaitText(".open .reply", "200 OK")
	cached := w.Must(t, teacher(Get("/sandboxes/ada/admin/requests?status=304"))).Body
	if !strings.Contains(string(cached), `"requests":[]`) {
		t.Errorf("the browser asked only whether its copy is current: %s", cached)
	}
	p.WaitText(".open .reply", "Deprecation @") // of the first step
	p.WaitText(".open", "If you like: travel past the sunset")
	p.Allow("status of 503")
	w.Must(t, teacher(Post("/sandboxes/ada/admin/faults",
		`{"match": {"operationId": "listPets"}, "status": 503, "times": 1}`)))
	p.Click("button", "Run")
	p.WaitText(".open .reply", "503 Service Unavailable The teacher made this fail. Run it again. The response as sent")

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
	browsertest.Eval[any](p, `void window.arrive()`) // the messages from before the hand was up
	p.Wait(`performance.getEntriesByType("resource").filter((e) => e.name.includes("messages?")).length > 1`)
	p.See("button", "Lower hand")
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
	at := browsertest.Eval[string](wall, `(() => {
		const button = [...document.querySelectorAll(".side button")].find((e) => e.innerText === "On my way")
		const {x, y, width, height} = button.getBoundingClientRect()
		return [x + width / 2, y + height / 2].join()
	})()`)
	wall.In(".side").Click("button", "On my way")
	wall.WaitText(".side .raised.coming", "on the way")
	wall.WaitText(".side [aria-pressed=true]", "On my way")
	if under := browsertest.Eval[string](wall, `document.elementFromPoint(`+at+`).innerText`); under != "On my way" {
		t.Errorf("a second click there presses %q", under)
	}
	p.WaitText(".said", "The teacher: I am on my way. Your hand is up.")
	wall.WaitText(".tile.coming .hand", "on the way")
	openWall(t, w).WaitText(".need.coming", "on the way")
	wall.In(".side").Click("button", "On my way")
	p.WaitText(".said", "The teacher: I am not on my way yet. Your hand is up.")
	wall.WaitText(".side .raised:not(.coming)", "hand up")
	openWall(t, w).WaitText(".need:not(.coming)", "no question")
	wall.In(".side").Click("button", "On my way")
	p.WaitText(".said", "The teacher: I am on my way. Your hand is up.")
	p.Click("button", "Lower hand")
	p.WaitText(".said", "The teacher: I am on my way.")
	raise("What is an ETag?")
	p.WaitText(".said", "Your hand is up: “What is an ETag?” The teacher sees it.") // that answered another question
	wall.WaitText(".side .raised:not(.coming)", "What is an ETag?")
	wall.In(".side").Click("button", "On my way")
	p.WaitText(".said", "The teacher: I am on my way. Your hand is up")
	p.Click("button", "Dismiss")
	p.WaitText(".said", "Your hand is up: “What is an ETag?” The teacher sees it.")
	wall.In(".side").Click("button", "Lower hand")
	p.See("button", "Raise hand")
	p.Wait(`!document.querySelector(".said")`)
	raise("What is an ETag?")
	wall.In(".side").Click("button", "Reply")
	wall.Wait(`document.activeElement.matches(".side textarea")`)
	wall.Fill("textbox", "Message", "Read it again")
	p.Click("button", "Lower hand")
	wall.WaitText(".side .raised", "Ada lowered the hand")
	raise("What is an ETag?") // without a loss of typed text
	wall.WaitText(".side .raised", "hand up")
	wall.In(".side").Click("button", "Send, and lower the hand")
	wall.WaitText(".toasts", "Sent to Ada, and lowered the hand.")
	wall.In(".side").See("button", "Say something")
	wall.WaitText(".side .talked", "Asked: “What is an ETag?” You said: I am on my way.")
	wall.WaitText(".side .talked", "You said: Read it again")
	p.WaitText(".said", "The teacher: Read it again You asked: “What is an ETag?”")
	p.See("button", "Raise hand")
	wall.Press(browsertest.Escape)
	wall.Click("button", "Say to all")
	wall.Wait(`document.activeElement.closest(".popover:popover-open") && document.activeElement.matches("textarea")`)
	wall.Fill("textbox", "Message", "Five <b>minutes</b> left")
	wall.Click("button", "Send")
	wall.WaitText(".toasts", "Sent to Ada.")
	p.WaitText(".said", "The teacher: Five <b>minutes</b> left")
	wall.Click("checkbox", "Select Ada")
	wall.See("button", "Say to 1")
	if said := browsertest.Eval[bool](wall, `Boolean(document.querySelector(".toast"))`); said {
		t.Error("the wall still says what it said to another selection")
	}
	w.Must(t, teacher(Post("/sandboxes/ada/admin/data/messages", `{"message": "📣 I am on my way."}`)))
	p.WaitText(".said", "The teacher: I am on my way. Five <b>minutes</b> left")
	p.Open(w.URL + "/join")
	p.WaitText(".said", "The teacher: I am on my way. Five <b>minutes</b> left")
	p.Click("button", "Dismiss")
	p.Open(w.URL + "/join")
	p.WaitText("main", "5 of 5 done")
	p.WaitText(".talk", "A question?")
	p.Wait(`!document.querySelector(".open") && document.querySelector("main").innerText.split("Well done").length === 2`)
	p.Resize(641, 641) // just no phone
	p.Click("button", "done List the sold pets")
	p.Wait(`(document.querySelector(".code summary").click(), true)`)
	p.Click("button", "Run")
	p.WaitText(".open .reply", "Link first: …/pets?status=sold")
	p.Wait(`document.querySelector(".open .reply").getBoundingClientRect().bottom > innerHeight && document.querySelector(".open .head").getBoundingClientRect().top >= 0`)
	hold(p, "GET", "limit=3")
	browsertest.Eval[any](p, `document.querySelector(".run").click()`)
	p.Wait(`window.arrive && document.querySelector(".run").disabled && !!document.querySelector(".reply")`) // with the former response
	browsertest.Eval[any](p, `void window.arrive()`)
	p.See("button", "Run again")
	sold := w.Must(t, teacher(Get("/sandboxes/ada/admin/requests?operationId=listPets"))).Body
	if n := strings.Count(string(sold), `"query":"status=sold`); n != 3 {
		t.Errorf("the sold pets were listed %d times, want 3", n)
	}
	p.Allow("status of 401") // a request at the end of the day
	w.Must(t, teacher(Post("/admin/workshop/end", "")))
	p.See("heading", "You did all 5 exercises")
	p.Wait(`document.querySelectorAll("li.done [aria-label=done]").length === 5`)
}

// TestEditedRequest runs a request of an exercise that was changed, and one that cannot be read. The texts of a
// response are in colour, without their names.
func TestEditedRequest(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	p := browsertest.Open(t, w.URL+"/join")
	p.Allow("status of 400")
	p.Fill("textbox", "Your name", "Ada")
	p.Click("button", "Join")
	p.Allow("status of 503")
	p.Fill("textbox", "The request", "GET /pets?limit=1\nPrefer: code=503")
	p.Click("button", "Run")
	p.WaitText(".open .reply", "503 Service Unavailable")
	p.Fill("textbox", "The request", "POST /pets\n\n{\"name\": \"Rex\", \"categoryId\": 1}")
	p.WaitText(".open .reply", "Response to GET /pets?limit=1 503") // which is no longer the request above
	p.Click("button", "Run")
	p.WaitText(".open .reply", "201 Created")
	p.Wait(`!document.querySelector(".reply .to")`)
	p.Wait(`[...document.querySelectorAll(".json .in-string")].map((e) => e.innerText).join() === '"Rex","available"'`)
	p.WaitText("main", "1 of 5 done") // that which asks for it
	p.Wait(`document.querySelector(".request").value.includes("Rex")`)
	p.Fill("textbox", "The request", "POST /pets\n\n{\"name\": }")
	p.Wait(`(document.querySelector(".run").click(), true)`)
	p.WaitText(".open .reply", "400 Bad Request line 1 of the body, column 10") // the editor marks it
	p.Wait(`getComputedStyle(document.querySelector(".has-bad")).getPropertyValue("--bad") === "3"`)
	p.Wait(`(document.querySelector(".code summary").click(), true)`)
	p.WaitText(".snippets", `{"name": }`)
	p.Allow("status of 404")
	p.Fill("textbox", "The request", "GET /petz")
	p.Click("button", "Run")
	p.WaitText(".open .reply", "there is nothing at /petz; did you mean /pets? /openapi.json")
	p.Wait(`getComputedStyle(document.querySelector(".has-bad")).getPropertyValue("--bad") === "1"`)
	p.Click("button", "/pets")
	p.Wait(`document.querySelector(".request").value === "GET /pets"`)
	p.Fill("textbox", "The request", "GET /events")
	p.Click("button", "Run")
	p.WaitText(".open .reply", "200 OK")
	p.WaitText(".open .reply", "Events follow.") // the response has no end
	p.Fill("textbox", "The request", "hello world")
	p.Wait(`!document.querySelector(".has-bad")`)
	p.Click("button", "Run")
	p.WaitText(".open p.reply", "Line 1 must be a method and a path")    // which is not sent
	p.Wait(`document.querySelectorAll(".has-bad, .reply").length === 2`) // without the response to another request
}

// TestJoinPageWhenClosed checks that the page explains why joining is not possible, and that it
// notices when joining becomes possible.
func TestJoinPageWhenClosed(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	set := func(body string) { w.Must(t, teacher(Put("/admin/workshop", body))) }
	join(t, w, "Bob")
	p := browsertest.Open(t, w.URL+"/join")
	p.Allow("status of 403")
	p.Fill("textbox", "Your name", "Bob")
	set(`{"open": false}`)
	p.Click("button", "Join")
	p.See("heading", "The door is closed")
	p.WaitText("main", "you can join as soon as the teacher opens the door.")
	p.Miss("button", "Join")
	set(`{"open": true, "limit": 2}`)
	p.Click("button", "Join")   // with the name that was typed
	p.See("heading", "Bob · 2") // as the wall and the door call Bob
	p.WaitText("main", "There is another Bob.")
	full := browsertest.Open(t, w.URL+"/join")
	full.See("heading", "The workshop is full")
	full.WaitText("main", "you can join as soon as the teacher makes room.")
	full.WaitText("main", "2 people are in")
}
