package admin_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// TestEventsOfAllSandboxes follows the events of all sandboxes while sandboxes are created, changed and
// dropped, and resumes the stream.
func TestEventsOfAllSandboxes(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Put("/admin/sandboxes/ada", ""))
	f := w.Listen(t, "/sandboxes/*/admin/events", nil)
	w.Must(t, Delete("/sandboxes/ada/admin/data/pets/1"))
	w.Must(t, Delete("/pets/2"))
	w.Must(t, Delete("/sandboxes/bob/pets/3"))
	w.Must(t, Post("/sandboxes/ada/admin/reset", ""))
	w.Must(t, Delete("/admin/sandboxes/bob"))
	w.Get(t, "/sandboxes/eve/nope") // creates no sandbox
	w.Must(t, Post("/admin/sandboxes/ada/fork", `{"name": "zoe"}`))
	var requests []map[string]any
	expect := func(want ...string) {
		t.Helper()
		for _, id := range want {
			if id[len(id)-1] != '}' {
				e := <-f.Events
				var entry map[string]any
				if err := json.Unmarshal([]byte(e.Data), &entry); err != nil || e.LastEventID+" "+e.Type != id {
					t.Fatalf("event %s %s %s, want %s", e.LastEventID, e.Type, e.Data, id)
				}
				requests = append(requests, entry)
				continue
			}
			f.Expect(t, id)
		}
	}
	expect(
		`2 pet.deleted {"sandbox":"ada","id":1}`, `3 pet.deleted {"sandbox":"default","id":2}`, `4 request`,
		`5 sandbox.created {"sandbox":"bob"}`, `6 pet.deleted {"sandbox":"bob","id":3}`, `7 request`,
		`8 sandbox.reset {"sandbox":"ada"}`, `9 sandbox.updated {"sandbox":"ada"}`,
		`10 sandbox.dropped {"sandbox":"bob"}`, `11 sandbox.created {"sandbox":"zoe"}`,
	)
	type source struct{ Sandbox, Path any }
	var got []source
	for _, entry := range requests {
		got = append(got, source{entry["sandbox"], entry["path"]})
	}
	must.Equal(t, []source{{"default", "/pets/2"}, {"bob", "/pets/3"}}, got, "requests")
	f.Leave()
	w.Listen(t, "/sandboxes/%2A/admin/events", http.Header{"Last-Event-Id": {"9"}}).Expect(t,
		`10 sandbox.dropped {"sandbox":"bob"}`, `11 sandbox.created {"sandbox":"zoe"}`)
	w.Listen(t, "/sandboxes/*/admin/events", http.Header{"Last-Event-Id": {"0"}}).
		Expect(t, `0 gap {"from":1,"to":1}`, `2 pet.deleted {"sandbox":"ada","id":1}`)
}

// TestUpdates checks which writes of the control plane the streams report, and that the service's
// stream reports none.
func TestUpdates(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.Workshop = true })
	w.Must(t, Put("/admin/sandboxes/ada", ""))
	service := w.Listen(t, "/sandboxes/ada/events", nil) // the first event: its request
	one := w.Listen(t, "/sandboxes/ada/admin/events", nil)
	all := w.Listen(t, "/sandboxes/*/admin/events", nil)
	w.Must(t, Put("/sandboxes/ada/admin/clock", `{"frozen": true}`))
	w.Must(t, Put("/sandboxes/*/admin/snapshots/first", ""))
	w.Do(t, Put("/sandboxes/ada/admin/clock", "{}")).Expect(t, 400, "validation_failed", "/now")
	w.Get(t, "/sandboxes/ada/admin/clock")
	w.Get(t, "/sandboxes/ada/admin/data/pets")
	w.Must(t, Delete("/sandboxes/ada/admin/data/pets/1"))
	w.Must(t, Put("/admin/workshop", `{"open": false}`))
	w.Must(t, Post("/admin/workshop/end", ""))
	one.Expect(t, `1 sandbox.updated {}`, `1 sandbox.updated {}`, `2 pet.deleted {"id":1}`)
	service.Expect(t, `2 pet.deleted {"id":1}`)
	all.Expect(t, `2 sandbox.updated {"sandbox":"ada"}`, `3 sandbox.updated {"sandbox":"ada"}`,
		`4 sandbox.updated {"sandbox":"default"}`,
		`5 pet.deleted {"sandbox":"ada","id":1}`, `6 workshop.updated {}`, `7 sandbox.dropped {"sandbox":"ada"}`, `8 workshop.updated {}`)
}
