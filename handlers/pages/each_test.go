package pages_test

import (
	"testing"

	"example.com/petstore/handlers"
)

// TestEachPage shows every view of the dashboard and the pages of a workshop, one after
// the other. Other tests check the actions of each page.
func TestEachPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.Workshop = true })
	p := show(t, w, "/")
	for _, view := range []struct{ link, selector, text string }{
		{"Data", ".table-scroll", "Rex"},
		{"Faults", "main", "No faults"},
		{"Time", ".lane", "getPet"},
		{"Snapshots", "main", "No snapshots"},
		{"Sandboxes", ".table-scroll", "default"},
		{"Requests", "main", "No requests yet"},
	} {
		p.In("nav").Click("link", view.link)
		p.WaitText(view.selector, view.text)
	}
	p.Open(w.URL + "/workshop")
	p.See("button", "Door")
	p.Open(w.URL + "/join")
	p.Fill("textbox", "Your name", "Ada Lovelace")
	p.Click("button", "Join")
	p.WaitText("main", "/sandboxes/ada-lovelace")
}
