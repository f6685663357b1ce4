package handlers_test

import (
	"net/http"
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
)

// ownerChanges are the changes that end all open requests in the sandbox bob, which is public and
// has a key.
var ownerChanges = map[string]string{"private": `{"private": true}`, "another key": `{"key": "new"}`,
	"no key": `{"key": ""}`}

// TestStreamsEndWithTheOwner checks that streams of the old owner end, even if nothing happens in the
// sandbox afterwards. A stream opened with the new key, and streams of all sandboxes, have later events.
func TestStreamsEndWithTheOwner(t *testing.T) {
	t.Parallel()
	root := Authorization("Bearer root")
	for name, body := range ownerChanges {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := keyedWorld(t, func(c *handlers.Config) { c.AdminKey = "root" })
			all := w.Listen(t, "/sandboxes/*/admin/events", root)
			feeds := []*Feed{
				w.Listen(t, "/sandboxes/bob/events", nil),
				w.Listen(t, "/sandboxes/bob/admin/events", Authorization("Bearer bobs")),
				w.Listen(t, "/sandboxes/bob/admin/events", root),
			}
			// Changes nothing.
			w.Must(t,
				Request{Method: "PUT", Path: "/admin/sandboxes/bob", Body: `{"key": "bobs", "private": false}`,
					Header: root})
			visible := Post("/sandboxes/bob/pets", NewPet)
			w.Must(t, visible)
			for _, feed := range feeds {
				if e, ok := <-feed.Events; !ok || e.Type != "pet.created" {
					t.Errorf("%v, %t, without a change", e, ok)
				}
			}
			w.Must(t, Request{Method: "PUT", Path: "/admin/sandboxes/bob", Body: body, Header: root})
			for _, feed := range feeds {
				for range feed.Events { // until the end
				}
				if feed.Err != nil {
					t.Errorf("the server has not ended the stream: %v", feed.Err)
				}
			}
			secret := visible
			secret.Header = Authorization("Bearer bobs")
			if name == "another key" {
				secret.Header = Authorization("Bearer new")
			}
			w.Must(t, secret)
			again := w.Listen(t, "/sandboxes/bob/events",
				http.Header{"Authorization": secret.Header["Authorization"], "Last-Event-ID": {"0"}})
			again.Leave()
			for made := 0; made < 2; {
				e, ok := <-all.Events
				if !ok {
					t.Fatal("the stream of all sandboxes has ended")
				}
				if e.Type == "pet.created" {
					made++
				}
			}
		})
	}
}

// TestDelayedReadsAfterOwnerChange delays requests by a fault, before and after the operation, and
// by a wait for the journal.
func TestDelayedReadsAfterOwnerChange(t *testing.T) {
	t.Parallel()
	for _, when := range []string{"before", "after"} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			w := keyedWorld(t, func(c *handlers.Config) { c.AdminKey = "root" })
			bob, err := w.Server.Sandboxes().Find("bob")
			if err != nil {
				t.Fatal(err)
			}
			w.Must(t,
				Post("/sandboxes/bob/admin/faults", `{"delay": {"fixedMs": 600000}, "when": "`+when+`"}`).
					WithKey("bobs"))
			answers := make(chan *Answer)
			ask := func(r Request) {
				a, err := w.Try(t.Context(), r)
				if err != nil {
					t.Error(err)
				}
				answers <- a
			}
			go ask(Get("/sandboxes/bob/pets"))
			go ask(Get("/sandboxes/bob/admin/requests?path=/nothing&wait=60s").WithKey("bobs"))
			Await(t, func() bool { return bob.Faults.List()[0].Applied > 0 })
			w.Must(t, Put("/admin/sandboxes/bob", `{"key": "new", "private": true}`).WithKey("root"))
			for range 2 { // the second may arrive after the change
				if a := <-answers; a.Status != 503 && a.Status != 401 {
					t.Errorf("%d %s", a.Status, a.Body)
				}
			}
		})
	}
}
