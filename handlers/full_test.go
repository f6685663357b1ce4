package handlers_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/petstore/handlers"
)

// TestFull fills a sandbox of two records over its baseline: what adds one more is
// refused and changes nothing, what does not goes on, and a deletion makes room.
func TestFull(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.MaxRecords = 2 })
	creations := []request{
		{Method: "POST", Path: "/pets", Body: `{"name": "Bello", "categoryId": 1}`},
		{Method: "POST", Path: "/categories", Body: `{"name": "Fish"}`},
		{Method: "POST", Path: "/store/orders", Body: `{}`},
		{Method: "POST", Path: "/messages", Header: demoKey, Body: `{"message": "Hello"}`},
	}
	w.Must(t, creations[0])
	w.Must(t, creations[1])
	state := w.State(t)
	for _, r := range creations {
		w.Do(t, r).Expect(t, 507, "sandbox_full")
	}
	if w.State(t) != state {
		t.Errorf("what was refused changed the state to\n%s", w.State(t))
	}
	w.Must(t, request{Method: "PUT", Path: "/pets/7", Body: `{"name": "Bella", "categoryId": 5}`})
	w.Must(t, request{Method: "PUT", Path: "/store/inventory/7", Body: `{"quantity": 1}`})
	w.Must(t, request{Method: "DELETE", Path: "/store/orders/1"}) // of the baseline: room is room
	w.Must(t, creations[3]).ExpectHeader(t, "Location", "/messages/2")
	w.Do(t, creations[2]).Expect(t, 507, "sandbox_full")
	w.Must(t, request{Method: "POST", Path: "/admin/reset"})
	w.Must(t, creations[2]).ExpectHeader(t, "Location", "/store/orders/6")
}

// TestSandboxMemory fills a sandbox with texts: what would take it over its bytes is
// refused and changes nothing, what frees goes on, and makes room again. What only a
// snapshot keeps counts too.
func TestSandboxMemory(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.SandboxMemory = handlers.MinSandboxMemory })
	long := request{Method: "POST", Path: "/messages", Header: demoKey, Body: `{"message": "` + strings.Repeat("🐈", 4000) + `"}`}
	fill := func() (sent int) {
		t.Helper()
		for ; sent < 2000; sent++ { // without a look at each answer, which takes longer than the answer
			r := httptest.NewRequest(long.Method, long.Path, strings.NewReader(long.Body))
			r.Header = long.Header.Clone()
			r.Header.Set("Content-Type", "application/json")
			recorder := httptest.NewRecorder()
			w.Server.ServeHTTP(recorder, r)
			if recorder.Code == 201 {
				continue
			}
			w.Do(t, long).Expect(t, 507, "sandbox_full")
			return sent
		}
		t.Fatalf("%d messages of 16 KB are in a sandbox that may have 16 MiB", sent)
		return sent
	}
	first := fill()
	if first < 500 {
		t.Errorf("only %d messages of 16 KB fit into 16 MiB", first)
	}
	state := w.State(t)
	w.Do(t, long).Expect(t, 507, "sandbox_full")
	messages := make([]string, 1100)
	for i := range messages {
		messages[i] = fmt.Sprintf(`{"id": %d, "createdAt": "2026-01-01T00:00:00Z", %s`, i+1, long.Body[1:])
	}
	large := `{"messages": [` + strings.Join(messages, ",") + `]}`
	w.Do(t, request{Method: "PUT", Path: "/admin/state", Body: large}).Expect(t, 507, "sandbox_full")
	w.Do(t, request{Method: "PUT", Path: "/admin/state?baseline=true", Body: large}).Expect(t, 507, "sandbox_full")
	if w.State(t) != state {
		t.Error("what was refused changed the state")
	}
	w.Get(t, "/pets")
	w.Must(t, request{Method: "DELETE", Path: "/pets/1"})
	w.Must(t, request{Method: "PUT", Path: "/sandboxes/ada/admin/snapshots/mine"}) // another sandbox has its own
	w.Must(t, request{Method: "PUT", Path: "/admin/snapshots/mine"})
	w.Must(t, request{Method: "POST", Path: "/admin/reset"})
	if again := fill(); again >= first {
		t.Errorf("%d messages fit beside a snapshot of %d", again, first)
	}
	w.Must(t, request{Method: "DELETE", Path: "/admin/snapshots/mine"})
	w.Must(t, request{Method: "POST", Path: "/admin/reset"})
	if again := fill(); again < first*8/10 { // beside the events of before, which a reset does not forget
		t.Errorf("%d messages fit after a reset, and %d before", again, first)
	}
}
