package admin_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	"example.com/petstore/handlers/config"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/sandbox"
)

func TestAdmin(t *testing.T) { RunScenarios(t, adminScenarios()) }

func adminScenarios() []Scenario {
	get := Get("/admin")
	const most = uint64(1<<64 - 1)
	seeded := func(c *handlers.Config) {
		c.Baseline, c.Seed, c.Sizes, c.Version = nil, new(most), &fixtures.Sizes{Pets: 5, Categories: 3, Orders: 4},
			"1.2.3"
	}
	busy := []Request{
		Delete("/pets/1"), Put("/admin/snapshots/one", ""), Delete("/pets/2"), Post("/admin/faults", `{"status": 418}`),
		Get("/sandboxes/ada/pets"), SetClock(`{"now": "2026-07-02T12:00:00Z", "frozen": true}`),
	}
	return []Scenario{
		{Name: "get of a seeded sandbox", Request: get, Config: seeded, Status: 200,
			Check: sums(func(s *admin.Summary) { s.Seed, s.Version, s.Counts.Messages = new(most), "1.2.3", 0 })},
		{Name: "get of a busy sandbox", Request: get, Before: busy[2:], Status: 200,
			Check: sums(func(s *admin.Summary) {
				s.Counts.Pets, s.Counts.Inventory, s.Writes, s.Undoable, s.Journal.Entries = 4, 4, 1, 1, 1
				s.Faults, s.Sandboxes = 1, 2
				s.Clock = sandbox.ClockReading{Now: Now.AddDate(0, 0, 1), Frozen: true, Offset: 86400}
			})},
		{Name: "get of a changed sandbox", Request: get, Before: busy[:2], Status: 200,
			Check: sums(func(s *admin.Summary) {
				s.Counts.Pets, s.Counts.Inventory, s.Writes, s.Undoable, s.Snapshots, s.Journal.Entries = 4, 4, 1, 1, 1,
					1
			})},
		{Name: "get of another sandbox", Request: Get("/sandboxes/ada/admin"),
			Before: append(busy[:2:2], Put("/admin/sandboxes/ada", "")), Status: 200,
			Check: sums(func(s *admin.Summary) { s.Sandbox, s.Title, s.Sandboxes = "ada", "ada", 2 })},
		{Name: "get without the key", Request: get, Config: func(c *handlers.Config) { c.AdminKey = "secret" },
			Status: 401, Code: "unauthorized",
			Headers: http.Header{"WWW-Authenticate": {`Bearer realm="petstore"`}}},
	}
}

// sums checks that the response is the summary of a new server with the change. The uptime and the
// used memory must only be positive.
func sums(change func(*admin.Summary)) func(*testing.T, *Answer) {
	want := admin.Summary{
		Version: "devel", Sandbox: "default", Title: "default", Sandboxes: 1,
		Counts: Baseline().Counts(),
		Clock:  sandbox.ClockReading{Now: Now},
	}
	if change != nil {
		change(&want)
	}
	return func(t *testing.T, a *Answer) {
		t.Helper()
		var got admin.Summary
		a.Decode(t, &got)
		if got.UptimeSeconds <= 0 {
			t.Errorf("uptimeSeconds = %g", got.UptimeSeconds)
		}
		if got.Memory.Used <= 0 {
			t.Errorf("memory used = %d", got.Memory.Used)
		}
		if got.Memory.SandboxAllowed != config.DefaultSandboxMemory {
			t.Errorf("memory allowed for a sandbox = %d", got.Memory.SandboxAllowed)
		}
		got.UptimeSeconds, got.Memory = 0, admin.Memory{}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("summary, -want +got:\n%s", diff)
		}
	}
}

// summaryOf returns the summary of the sandbox with the path prefix.
func summaryOf(t *testing.T, w *World, prefix string) admin.Summary {
	t.Helper()
	var s admin.Summary
	w.Get(t, prefix+"/admin").Decode(t, &s)
	return s
}
