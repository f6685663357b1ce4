package pages_test

import (
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestPhoneMessage checks on a phone that a message of the teacher has the width of the page and covers nothing, even
// when a press shows the whole message; that it moves nothing while a question is written, and that nothing stays moved
// after its dismissal; that the band is low without it and stays visible; and that the next step is visible after a
// list.
func TestPhoneMessage(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	p := browsertest.Open(t, w.URL+"/join")
	p.Resize(375, 667)
	p.Fill("textbox", "Your name", "Ada")
	p.Click("button", "Join")
	p.See("button", "Run")
	p.See("button", "Raise hand")
	const places = `[...document.querySelectorAll(".exercises li, .run, .talk")].map((e) => Math.round(e.getBoundingClientRect().top)).join()`
	before := browsertest.Eval[string](p, places)
	stays := func(after string) {
		t.Helper()
		if now := browsertest.Eval[string](p, places); now != before {
			t.Errorf("after %s, the places are %s, were %s", after, now, before)
		}
		p.Wait(`document.querySelector(".talk").offsetHeight <= 56`)
		p.Wait(`document.querySelector(".talk .row").offsetHeight <= document.querySelector(".talk").offsetHeight`)
	}
	const below = `Math.abs(document.querySelector(":popover-open").getBoundingClientRect().top - document.querySelector("[popovertarget]").getBoundingClientRect().bottom - 4) < 1`
	p.Click("button", "Raise hand")
	p.Wait(below)
	p.Wait(`new Set([...document.querySelectorAll(":popover-open .row > button")].map((e) =>
		(({top, width}) => Math.round(top) + " " + Math.round(width))(e.getBoundingClientRect()))).size === 1`)
	p.Click("button", "Cancel")
	p.Wait(`!document.querySelector(":popover-open")`)
	p.Click("button", "Raise hand")
	p.Wait(below)
	beside := browsertest.Eval[bool](p, `document.elementFromPoint(innerWidth / 2, innerHeight - 20).matches(".around")`)
	if !beside {
		t.Error("a press beside the form acts on what is under it")
	}
	w.Must(t, teacher(Post("/sandboxes/ada/admin/data/messages", `{"message": `+
		`"📣 Please read the message of the response before you go on: it names each field that is wrong. Then `+
		`look at its headers, and compare them with those of the request before: they differ in one line, which says what `+
		`to do about it."}`)))
	p.WaitText(".said", "what to do about it.")
	p.Wait(below)
	stays("a message, while the question is written")
	p.Fill("textbox", "What is it about?", "Why 412?")
	p.Click("button", "Raise")
	p.WaitText(".said", "Your hand is up: “Why 412?”")
	const pushes = `document.querySelector(".talk .row").getBoundingClientRect().bottom <= document.querySelector(".talk + *").getBoundingClientRect().top`
	p.Wait(`document.querySelector(".saying").offsetWidth > 270`)
	p.Wait(`((e) => e.offsetWidth > 40 && e.getBoundingClientRect().right <= innerWidth - 12)(` +
		`document.querySelector(".said .plain-border:not([popovertarget]) span"))`) // "Lower hand" in words
	p.Wait(pushes)
	p.Wait(`((cross, words, hand) => cross.left >= words.right && cross.bottom - 15 <= hand.top)(` +
		`...[".said > .icon", ".saying", ".said > .plain-border"].map((name) =>
			document.querySelector(name).getBoundingClientRect()))`) // beside the message
	const whole = `[...document.querySelectorAll(".saying > span")].every((e) => e.scrollHeight === e.clientHeight)`
	p.Wait("!" + whole)
	p.Resize(1280, 800)
	p.Wait(whole)
	p.Resize(375, 667)
	p.Wait(`document.querySelector(".said p button[aria-expanded=false] .i")`)
	p.Wait(`(document.querySelector(".said p button").click(), true)`)
	p.Wait(whole)
	p.Wait(pushes)
	p.Wait(`(document.querySelector(".said p button").click(), true)`)
	p.Click("button", "Dismiss")
	p.WaitText(".said", "The teacher sees it.")
	stays("a dismissal")
	for range 3 {
		sold := Post("/sandboxes/ada/admin/data/pets", "")
		sold.Body = `{"name": "Rex", "categoryId": 1, "status": "sold"}`
		w.Must(t, teacher(sold))
	}
	p.Click("button", "Run")
	p.WaitText(".reply", "200 OK")
	p.Wait(landed)
	p.WaitText(".onward", "Done Next: Create a pet")
	p.Wait(`document.querySelector(".yours").getBoundingClientRect().bottom <= document.querySelector(".onward").getBoundingClientRect().top`)
	p.Wait(`document.elementFromPoint(innerWidth / 2, document.querySelector(".talk").offsetHeight / 2).closest(".talk")`)
	p.Click("button", "Lower hand")
	p.See("button", "Raise hand")
}

// TestPhoneReturns checks what an attendee who returns sees on a phone: the button that goes on has the focus, so that
// no keyboard opens, and no exercise is open if all are done. Opened code is visible.
func TestPhoneReturns(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	p := browsertest.Open(t, w.URL+"/join")
	p.Resize(375, 667)
	p.Wait(`document.activeElement.matches("input")`)
	p.Fill("textbox", "Your name", "Ada")
	p.Click("button", "Join")
	p.See("button", "Run")
	p.Resize(375, 460)
	p.Wait(`(document.querySelector(".code summary").click(), true)`)
	p.Wait(`document.querySelector(".code").getBoundingClientRect().bottom <= innerHeight`)
	p.Resize(375, 667)
	const in = "/sandboxes/ada"
	for _, path := range []string{"/pets?status=sold", "/pets?id=1"} {
		w.Get(t, in+path)
	}
	for _, body := range []string{`{"name": "Rex", "categoryId": 1}`, `{"name": ""}`} {
		w.Do(t, Post(in+"/pets", body))
	}
	change := Patch(in+"/pets/1", `{"status": "sold"}`)
	change.Header = map[string][]string{"If-Match": {"*"}}
	w.Must(t, change)
	p.WaitText("main", "5 of 5 done. Well done!")
	p.Wait(`(sessionStorage.clear(), true)`) // as in another tab
	p.Open(w.URL + "/join")
	p.See("button", "Go on as Ada")
	p.Wait(`document.activeElement.matches(".door > .primary") && !document.querySelector("input").autofocus`)
	p.Click("button", "Go on as Ada")
	p.WaitText("main", "5 of 5 done. Well done!")
	p.Wait(`!document.querySelector(".open")`)
}

// TestPathAfterSunset does the exercises that read a pet, after the teacher has travelled past the enforced sunset of
// that call: the 410 completes a step.
func TestPathAfterSunset(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	p := browsertest.Open(t, w.URL+"/join")
	p.Allow("status of 410")
	p.Fill("textbox", "Your name", "Ada")
	p.Click("button", "Join")
	p.See("button", "Run")
	w.Must(t, teacher(Patch("/sandboxes/*/admin/operations/getPet", `{"enforceSunset": true}`)))
	w.Must(t, teacher(Put("/sandboxes/*/admin/clock", `{"now": "2031-01-01T00:00:00Z"}`)))
	for _, exercise := range []struct{ index, gone, says, reply, done string }{
		{"3", "410 Gone", "Step 2 of 2. That call is gone, so you have no ETag. Send", `"status": "sold"`, "1"},
		{"4", "410 Gone getPet has been gone since 2030-12-31", "Step 2 of 2. Call the successor.", "X-Total-Count 1", "2"},
	} {
		p.Wait(`(document.querySelectorAll(".head")[` + exercise.index + `].click(), true)`)
		p.WaitText(".open .step", "Step 1 of 2.")
		p.Click("button", "Run")
		p.WaitText(".open .reply", exercise.gone)
		p.WaitText(".open .step", exercise.says)
		p.Click("button", "Run")
		p.WaitText(".open .reply", exercise.reply)
		p.WaitText("main", exercise.done+" of 5 done")
	}
}
