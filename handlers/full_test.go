package handlers_test

import (
	"fmt"
	"maps"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestFull fills a sandbox that may have two records more than its baseline. A request that would
// add another is refused and changes nothing, other requests succeed, and a deletion makes room.
func TestFull(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.MaxRecords = 2 })
	creations := []Request{
		Post("/pets", `{"name": "Bello", "categoryId": 1}`),
		Post("/categories", `{"name": "Fish"}`),
		Post("/store/orders", `{}`),
		Post("/messages", `{"message": "Hello"}`).WithKey("demo-key"),
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
	w.Must(t, Put("/pets/7", `{"name": "Bella", "categoryId": 5}`))
	w.Must(t, Put("/store/inventory/7", `{"quantity": 1}`))
	w.Must(t, Delete("/store/orders/1")) // deleting a record of the baseline makes room too
	w.Must(t, creations[3]).ExpectHeader(t, "Location", "/messages/2")
	w.Do(t, creations[2]).Expect(t, 507, "sandbox_full")
	w.Must(t, Post("/admin/reset", ""))
	w.Must(t, creations[2]).ExpectHeader(t, "Location", "/store/orders/6")
}

// TestSandboxMemory fills a sandbox with texts. A request that would exceed its bytes is refused
// and changes nothing, and a deletion succeeds and makes room. Records that only a snapshot keeps
// count too.
func TestSandboxMemory(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.SandboxMemory = config.MinSandboxMemory })
	long := Post("/messages", `{"message": "`+strings.Repeat("🐈", 4000)+`"}`).WithKey("demo-key")
	fill := func() int { return fillWith(t, w, long) }
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
	w.Do(t, Put("/admin/state", large)).Expect(t, 507, "sandbox_full")
	w.Do(t, Put("/admin/state?baseline=true", large)).Expect(t, 507, "sandbox_full")
	if w.State(t) != state {
		t.Error("what was refused changed the state")
	}
	w.Get(t, "/pets")
	w.Must(t, Delete("/pets/1"))
	w.Must(t, Put("/sandboxes/ada/admin/snapshots/mine", "")) // each sandbox has its own memory
	w.Must(t, Put("/admin/snapshots/mine", ""))
	w.Must(t, Post("/admin/reset", ""))
	if again := fill(); again >= first {
		t.Errorf("%d messages fit beside a snapshot of %d", again, first)
	}
	w.Must(t, Delete("/admin/snapshots/mine"))
	w.Must(t, Post("/admin/reset", ""))
	if again := fill(); again < first*8/10 { // a reset keeps earlier events, so slightly fewer may fit
		t.Errorf("%d messages fit after a reset, and %d before", again, first)
	}
}

// fillWith repeats the request until the sandbox is full, and returns how often it succeeded.
func fillWith(t *testing.T, w *World, r Request) (sent int) {
	t.Helper()
	for ; sent < 2000; sent++ { // not checking each response, which would take longer than the request
		direct := httptest.NewRequest(r.Method, r.Path, strings.NewReader(r.Body))
		maps.Copy(direct.Header, r.Header)
		direct.Header.Set("Content-Type", "application/json")
		recorder := httptest.NewRecorder()
		w.Server.ServeHTTP(recorder, direct)
		if recorder.Code == 201 {
			continue
		}
		w.Do(t, r).Expect(t, 507, "sandbox_full")
		return sent
	}
	t.Fatalf("%d requests of %d bytes are in a sandbox that may have 16 MiB", sent, len(r.Body))
	return sent
}

// TestDeletionMakesRoom fills a sandbox to its last bytes, deletes a record, and creates it again.
// The undo history drops the deleted record to make room.
func TestDeletionMakesRoom(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.SandboxMemory = config.MinSandboxMemory })
	category := Post("/categories", `{"name": "Fish", "description": "`+strings.Repeat("🐟", 500)+`"}`)
	fillWith(t, w, Post("/messages", `{"message": "`+strings.Repeat("🐈", 4000)+`"}`).WithKey("demo-key"))
	if fillWith(t, w, category) == 0 {
		t.Fatal("no category fits beside the messages")
	}
	w.Must(t, Delete("/categories/5"))
	w.Must(t, category)
	w.Do(t, category).Expect(t, 507, "sandbox_full")
}

// TestFullForChanges fills a sandbox to its last bytes. Each write that changes a record of the
// baseline needs more bytes, and is refused with a documented status.
func TestFullForChanges(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.SandboxMemory = config.MinSandboxMemory })
	for _, length := range []int{4000, 200, 1} {
		fillWith(t, w, Post("/messages", `{"message": "`+strings.Repeat("🐈", length)+`"}`).WithKey("demo-key"))
	}
	for _, r := range []Request{
		Put("/pets/1", `{"name": "Bella, who has a longer name now", "categoryId": 1}`),
		Patch("/pets/1", `{"name": "Bella, who has a longer name now"}`),
		Put("/categories/1", `{"name": "Dogs", "description": "which have a description now"}`),
		Patch("/categories/1", `{"description": "which have a description now"}`),
		Put("/store/orders/1", `{"petId": 1, "quantity": 9}`),
		Patch("/store/orders/1", `{"quantity": 9}`),
		Put("/store/inventory/1", `{"quantity": 99}`),
	} {
		w.Do(t, r).Expect(t, 507, "sandbox_full")
	}
}
