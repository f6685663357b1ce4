package handlers_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
)

func TestAdmin(t *testing.T) { runScenarios(t, adminScenarios()) }

func adminScenarios() []scenario {
	seed := uint64(1<<64 - 1)
	seeded := func(c *handlers.Config) { c.Seed, c.Version = &seed, "1.2.3" }
	withKey := func(c *handlers.Config) { c.AdminKey = "secret" }
	fromFile := summary{
		Version: "devel", Sandbox: "default",
		Counts: map[string]int{"pets": 5, "categories": 3, "orders": 4, "inventory": 5, "messages": 1},
		Clock:  map[string]string{"now": "2026-07-01T12:00:00Z"},
	}
	fromSeed := fromFile
	fromSeed.Version, fromSeed.Seed = "1.2.3", "18446744073709551615"
	get, reset := request{method: "GET", path: "/admin"}, request{method: "POST", path: "/admin/reset"}
	sold := []request{{method: "DELETE", path: "/pets/1"}}
	challenge := http.Header{"WWW-Authenticate": {`Bearer realm="petstore"`}}
	return []scenario{
		{name: "get", request: get, status: 200, check: fromFile.check},
		{name: "get of a seeded one", request: get, config: seeded, status: 200, check: fromSeed.check},
		{name: "get without the key", request: get, config: withKey, status: 401, code: "unauthorized", headers: challenge},
		{name: "reset", request: reset, before: sold, status: 200, check: fromFile.check},
		{name: "reset of a seeded one", request: reset, config: seeded, before: sold, status: 200, check: fromSeed.check},
		{name: "reset without the key", request: reset, config: withKey, before: sold, status: 401, code: "unauthorized", headers: challenge},
	}
}

// summary is what both admin operations answer.
type summary struct {
	Version       string
	UptimeSeconds float64
	Sandbox       string
	Seed          json.Number // empty for null
	Counts        map[string]int
	Clock         map[string]string
}

// check compares all but the uptime, which is only known to pass.
func (want summary) check(t *testing.T, a *answer) {
	t.Helper()
	var got summary
	a.decode(t, &got)
	if got.UptimeSeconds <= 0 {
		t.Errorf("uptimeSeconds = %g", got.UptimeSeconds)
	}
	got.UptimeSeconds = 0
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("summary, -want +got:\n%s", diff)
	}
}

// TestReset makes the same calls before and after a reset: same ids, same answers.
func TestReset(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := w.state(t)
	calls := []request{
		{method: "POST", path: "/categories", body: `{"name": "Fish"}`},
		{method: "POST", path: "/pets", body: `{"name": "Nemo", "categoryId": 5}`},
		{method: "PUT", path: "/store/inventory/7", body: `{"quantity": 3}`},
		{method: "POST", path: "/store/orders", body: `{"petId": 7}`},
		{method: "POST", path: "/messages", header: demoKey, body: `{"message": "Hello"}`},
		{method: "DELETE", path: "/pets/1"},
		{method: "GET", path: "/pets"},
	}
	var first []string
	for _, call := range calls {
		first = append(first, string(w.must(t, call).body))
	}
	w.must(t, request{method: "POST", path: "/admin/reset"})
	if diff := cmp.Diff(before, w.state(t)); diff != "" {
		t.Errorf("state after the reset, -before +after:\n%s", diff)
	}
	var second []string
	for _, call := range calls {
		second = append(second, string(w.must(t, call).body))
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("answers, -first +second:\n%s", diff)
	}
	w.server.Reset() // the same from Go
	if diff := cmp.Diff(before, w.state(t)); diff != "" {
		t.Errorf("state after Reset, -before +after:\n%s", diff)
	}
}
