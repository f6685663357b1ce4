package pages_test

import (
	"fmt"
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// room opens the wall of a workshop with n active attendees.
func room(t *testing.T, n int) *page {
	t.Helper()
	w := newWorkshop(t)
	var addresses []string
	for i := range n {
		address, _ := join(t, w, fmt.Sprintf("Attendee %d", i+1))
		addresses = append(addresses, address)
	}
	p := openWall(t, w)
	p.Wait(fmt.Sprintf(`document.querySelectorAll(".tile").length === %d`, n))
	for i, address := range addresses {
		for range i % 5 {
			w.Get(t, address+"/pets?status=sold")
		}
		if i%7 == 3 {
			for range 3 {
				w.Do(t, Post(address+"/pets", `{}`))
			}
		}
	}
	if n > 0 {
		p.Wait(`document.querySelector(".pips")`)
	}
	if n > 3 {
		p.WaitText(".tile.stuck", "stuck")
	}
	return p
}

// state returns a state that the steps reach from the page that open opens.
func state(name string, open func(*testing.T) *page, steps ...func(*page)) browsertest.State {
	return browsertest.State{Name: name, Show: func(t *testing.T) *page {
		p := open(t)
		for _, step := range steps {
			step(p)
		}
		return p
	}}
}

// workshopStates returns the states of the pages of a workshop that should be reviewed.
func workshopStates() []browsertest.State {
	set := func(t *testing.T, w *world, body string) {
		t.Helper()
		w.Must(t, teacher(Put("/admin/workshop", body)))
	}
	joined := func(t *testing.T) (*world, *page) {
		t.Helper()
		w := newWorkshop(t)
		set(t, w, `{"title": "APIs for designers"}`)
		w.Must(t, Post("/join", `{"name": "Ada Lovelace"}`))
		p := browsertest.Open(t, w.URL+"/join")
		p.Fill("textbox", "Your name", "Ada Lovelace")
		p.Click("button", "Join")
		p.WaitText(".address", "/sandboxes/ada-lovelace-2") // the name was taken
		return w, p
	}
	ada := func(t *testing.T) *page {
		_, p := joined(t)
		return p
	}
	wall := func(n int) func(*testing.T) *page {
		return func(t *testing.T) *page { return room(t, n) }
	}
	atDoor := func(change, says string) func(t *testing.T) *page {
		return func(t *testing.T) *page {
			w := newWorkshop(t)
			w.Must(t, Post("/join", `{"name": "Ada Lovelace"}`))
			set(t, w, change)
			p := browsertest.Open(t, w.URL+"/join")
			p.WaitText("main", says)
			return p
		}
	}
	return []browsertest.State{
		state("join", atDoor(`{"title": "APIs for designers"}`, "Your name")),
		state("join-closed", atDoor(`{"open": false}`, "The door is closed")),
		state("join-full", atDoor(`{"limit": 1}`, "The workshop is full")),
		state("join-joined", ada),
		state("join-response", ada, func(p *page) {
			p.Click("button", "Run")
			p.See("button", "Next: Create a pet")
		}),
		{Name: "join-exercises", Show: func(t *testing.T) *page {
			w, p := joined(t)
			in := "/sandboxes/ada-lovelace-2"
			w.Must(t, Get(in+"/pets?status=sold"))
			w.Must(t, Get(in+"/pets?id=1"))
			w.Do(t, Post(in+"/pets", `{"name": ""}`))
			p.WaitText("main", "3 of 5 done")
			return p
		}, Look: func(p *page) { p.Wait(`(document.querySelector(".exercises").scrollIntoView(), true)`) }},
		state("join-reset", ada, func(p *page) {
			p.Click("button", "Key and link")
			p.Click("button", "Reset my store…")
			p.See("heading", "Reset your store?")
		}),
		{Name: "join-gone", Show: func(t *testing.T) *page {
			w, p := joined(t)
			p.Allow("status of 401") // a request at that moment
			w.Must(t, teacher(Post("/admin/workshop/end", "")))
			p.WaitText("main", "is gone")
			return p
		}},
		{Name: "wall-locked", Show: func(t *testing.T) *page {
			p := browsertest.Open(t, newWorkshop(t).URL+"/workshop")
			p.See("textbox", "Admin key")
			return p
		}},
		state("wall-empty", wall(0)),
		state("wall-1", wall(1)),
		state("wall-12", wall(12)),
		state("wall-60", wall(60)),
		state("wall-marked", wall(12), func(p *page) {
			p.Click("checkbox", "Select all")
			p.Click("button", "Freeze clock")
			p.WaitText(".toasts", "Clock frozen for all.")
			p.WaitText(".in", "clocks frozen 12:00")
		}),
		state("wall-hands", raised, func(p *page) {
			p.Click("button", "Say to all")
			p.See("textbox", "Message")
		}),
		state("wall-hand", raised, func(p *page) {
			p.Click("button", "Bob")
			p.WaitText(".side .raised", "No question.")
			p.In(".side").Click("button", "On my way")
			p.WaitText(".side .talked", "You said: I am on my way.")
		}),
		state("wall-curl", wall(3), func(p *page) {
			p.Click("checkbox", "Select Attendee 1")
			p.Click("checkbox", "Select Attendee 2")
			p.Click("button", "Load data…")
			p.Wait(`document.querySelector(".popover:popover-open pre")`)
		}),
		state("wall-drawer", wall(12), func(p *page) {
			p.Click("button", "Attendee 4")
			p.WaitText(".side", "name, categoryId: is required")
			p.In(".side").Click("button", "More")
			p.In(".side").Click("button", "Freeze clock")
			p.WaitText(".side .unusual", "Clock frozen at 12:00")
		}),
		state("wall-settings", wall(3), func(p *page) {
			p.Click("button", "Settings")
			p.See("textbox", "Title of the room")
		}),
		state("wall-door", wall(12), func(p *page) {
			p.Click("button", "Door")
			p.Wait(`document.querySelector(".entrance img").naturalWidth > 0`)
		}),
		state("wall-end", wall(3), func(p *page) {
			p.Click("button", "Settings")
			p.Click("button", "End the day…")
			p.See("heading", "End the day?")
		}),
		state("wall-ended", wall(12), func(p *page) {
			p.Click("button", "Settings")
			p.Click("button", "End the day…")
			p.In("dialog").Click("button", "End without saving")
			p.WaitText("main", "The day is over")
		}),
	}
}

// raised is the wall of three, one of whom has raised a hand.
func raised(t *testing.T) *page {
	t.Helper()
	w := newWorkshop(t)
	for _, name := range []string{"Ada", "Bob", "Grace"} {
		address, key := join(t, w, name)
		if name == "Bob" {
			w.Must(t, Post(address+"/admin/data/messages", `{"message": "✋ I need help."}`).WithKey(key))
		}
	}
	p := openWall(t, w)
	p.See("button", "1 hand up")
	return p
}

// printed is the printed sheet of codes. It needs no accessibility check.
var printed = browsertest.State{Name: "wall-print", Show: func(t *testing.T) *page {
	p := room(t, 1)
	p.Print(true)
	p.Wait(`[...document.querySelectorAll(".sheet img")].length === 12`)
	return p
}}

func TestWorkshopScreenshots(t *testing.T) {
	browsertest.Screenshots(t, append(workshopStates(), printed))
}

func TestWorkshopAxe(t *testing.T) { browsertest.Axe(t, workshopStates()) }
