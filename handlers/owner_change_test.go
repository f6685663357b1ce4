package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/registry"
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

// TestLateBodiesAfterOwnerChange starts requests with the old owner's key, and sends their bodies
// after the owner has changed.
func TestLateBodiesAfterOwnerChange(t *testing.T) {
	t.Parallel()
	for name, body := range ownerChanges {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := keyedWorld(t, func(c *handlers.Config) { c.AdminKey = "root" })
			late := []Request{
				Post("/pets", NewPet), Put("/pets/1", NewPet),
				Put("/admin/state", `{}`), Post("/admin/faults", `{"status": 503}`),
				Patch("/admin/operations/listPets", `{"deprecated": true}`),
			}
			ends := make([]func() *Answer, len(late))
			for i, r := range late {
				ends[i] = begin(t, w, r)
			}
			w.Must(t, Put("/admin/sandboxes/bob", body).WithKey("root"))
			before := w.Everything(t)["bob"]
			for i, end := range ends {
				const want = "the key or the privacy of the sandbox changed while the " +
					"request waited, so the operation did not run"
				if a := end(); a.Status != 503 || a.Problem(t).Message != want {
					t.Errorf("%s %s = %d %s", late[i].Method, late[i].Path, a.Status, a.Body)
				}
			}
			if w.Everything(t)["bob"] != before {
				t.Error("a late body has changed something")
			}
		})
	}
}

// TestLateBodiesAfterDrop deletes a sandbox before the body of a write to it arrives.
func TestLateBodiesAfterDrop(t *testing.T) {
	t.Parallel()
	w := keyedWorld(t, func(c *handlers.Config) { c.AdminKey = "root" })
	late := []Request{Post("/pets", NewPet), Put("/admin/state", `{}`), Post("/admin/faults", `{"status": 503}`)}
	ends := make([]func() *Answer, len(late))
	for i, r := range late {
		ends[i] = begin(t, w, r)
	}
	w.Must(t, Request{Method: "DELETE", Path: "/admin/sandboxes/bob"}.WithKey("root"))
	for i, end := range ends {
		const want = "the sandbox was dropped while the request waited, so the operation did not run"
		if a := end(); a.Status != 503 || a.Problem(t).Message != want {
			t.Errorf("%s %s = %d %s", late[i].Method, late[i].Path, a.Status, a.Body)
		}
	}
}

// TestLongImportsAfterOwnerChange changes the owner while the server decodes an import, whose body
// has already arrived.
func TestLongImportsAfterOwnerChange(t *testing.T) {
	t.Parallel()
	ballast.RLock()
	defer ballast.RUnlock()
	w := keyedWorld(t, func(c *handlers.Config) { c.AdminKey, c.MaxMemory = "root", 1<<30 })
	bob := must.Get(w.Server.Sandboxes().Find("bob"))(t)
	const n = 50_000
	var body strings.Builder
	for i := range n {
		fmt.Fprintf(&body, `{"id": %d, "name": "Late"},`, i+1)
	}
	text := fmt.Sprintf(`{"categories": [%s], "next": {"category": %d}}`, strings.TrimSuffix(body.String(), ","), n+1)
	old, free := bob.Store.View(), memoryUsed(t, w)
	connection := w.Dial(t)
	Send(t, connection, fmt.Sprintf("PUT /sandboxes/bob/admin/state HTTP/1.1\r\nHost: localhost\r\n"+
		"Authorization: Bearer bobs\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(
		text), text))
	// An import reserves memory for its records, which need more than the text, once the text is
	// complete.
	Await(t, func() bool { return memoryUsed(t, w) > free+n*200 || bob.Store.View() != old })
	w.Make(t, "bob", registry.CreateOptions{Key: new("new")})
	before := bob.Store.View()
	response := ReadAnswer(t, connection)
	if bob.Store.View() != before {
		t.Errorf("the import of the old owner has changed the data, %d", response.Status)
	}
}

// memoryUsed returns the memory that the server reports as used.
func memoryUsed(t *testing.T, w *World) (bytes float64) {
	t.Helper()
	_, after, _ := strings.Cut(string(w.Server.Metrics()), "\npetstore_memory_used_bytes ")
	must.Get(fmt.Sscan(after, &bytes))(t)
	return bytes
}

// begin sends the headers of a request to bob with bob's key, and returns once the server reads
// the body. The function end sends the body and returns the answer.
func begin(t *testing.T, w *World, r Request) (end func() *Answer) {
	t.Helper()
	connection := w.Dial(t)
	Send(t, connection, fmt.Sprintf("%s /sandboxes/bob%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer bobs\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n", r.Method, r.Path, len(r.Body)))
	ReadAnswer(t, connection).Expect(t, http.StatusContinue, "")
	return func() *Answer {
		Send(t, connection, r.Body)
		return ReadAnswer(t, connection)
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
			bob := must.Get(w.Server.Sandboxes().Find("bob"))(t)
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
