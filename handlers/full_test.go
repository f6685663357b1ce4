package handlers_test

import (
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
