package pages_test

import (
	"fmt"
	"net/http"
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
)

// room opens the wall of a room of so many, who are at work.
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
				w.Do(t, request{Method: "POST", Path: address + "/pets", Body: `{}`})
			}
		}
	}
	if n > 3 {
		p.WaitText(".tile.stuck", "stuck on 400")
	}
	return p
}

// workshopStates are the pages of a workshop in every state that one should look at.
func workshopStates() []browsertest.State {
	joined := func(t *testing.T) *page {
		w := newWorkshop(t)
		p := browsertest.Open(t, w.URL+"/join")
		p.Fill("textbox", "Your name", "Ada Lovelace")
		p.Click("button", "Join")
		p.See("heading", "ada-lovelace")
		w.Must(t, request{Method: "GET", Path: "/sandboxes/ada-lovelace/pets?status=sold"})
		p.WaitText(".room", "1 of 5 done")
		return p
	}
	return []browsertest.State{
		{Name: "join", Show: func(t *testing.T) *page { return browsertest.Open(t, newWorkshop(t).URL+"/join") }},
		{Name: "join-joined", Show: joined},
		{Name: "join-closed", Show: func(t *testing.T) *page {
			w := newWorkshop(t)
			w.Must(t, request{Method: "PUT", Path: "/admin/workshop", Body: `{"open": false}`, Header: http.Header{"Authorization": {"Bearer teacher"}}})
			p := browsertest.Open(t, w.URL+"/join")
			p.Allow("status of 403")
			p.Fill("textbox", "Your name", "Ada Lovelace")
			p.Click("button", "Join")
			p.WaitText("[role=alert]", "closed")
			return p
		}},
		{Name: "wall-locked", Show: func(t *testing.T) *page {
			p := browsertest.Open(t, newWorkshop(t).URL+"/workshop")
			p.Allow("status of 401")
			p.See("textbox", "Admin key")
			return p
		}},
		{Name: "wall-empty", Show: func(t *testing.T) *page { return room(t, 0) }},
		{Name: "wall-1", Show: func(t *testing.T) *page { return room(t, 1) }},
		{Name: "wall-60", Show: func(t *testing.T) *page { return room(t, 60) }},
		{Name: "wall-marked", Show: func(t *testing.T) *page {
			p := room(t, 12)
			p.Click("button", "Mark all")
			p.Click("button", "Freeze time")
			p.WaitText(".toasts", "12 stores: time stands still.")
			return p
		}},
		{Name: "wall-door", Show: func(t *testing.T) *page {
			p := room(t, 3)
			p.Click("button", "Door")
			p.Wait(`document.querySelector(".entrance img").naturalWidth > 0`)
			return p
		}},
		{Name: "wall-end", Show: func(t *testing.T) *page {
			p := room(t, 3)
			p.Click("button", "End the day")
			p.See("heading", "End the day?")
			return p
		}},
	}
}

// printed is the sheet of codes. Nobody hears it read.
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
