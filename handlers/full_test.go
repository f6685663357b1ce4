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
		{method: "POST", path: "/pets", body: `{"name": "Bello", "categoryId": 1}`},
		{method: "POST", path: "/categories", body: `{"name": "Fish"}`},
		{method: "POST", path: "/store/orders", body: `{}`},
		{method: "POST", path: "/messages", header: demoKey, body: `{"message": "Hello"}`},
	}
	w.must(t, creations[0])
	w.must(t, creations[1])
	state := w.state(t)
	for _, r := range creations {
		w.do(t, r).expect(t, 507, "sandbox_full")
	}
	if w.state(t) != state {
		t.Errorf("what was refused changed the state to\n%s", w.state(t))
	}
	w.must(t, request{method: "PUT", path: "/pets/7", body: `{"name": "Bella", "categoryId": 5}`})
	w.must(t, request{method: "PUT", path: "/store/inventory/7", body: `{"quantity": 1}`})
	w.must(t, request{method: "DELETE", path: "/store/orders/1"}) // of the baseline: room is room
	w.must(t, creations[3]).expectHeader(t, "Location", "/messages/2")
	w.do(t, creations[2]).expect(t, 507, "sandbox_full")
	w.must(t, request{method: "POST", path: "/admin/reset"})
	w.must(t, creations[2]).expectHeader(t, "Location", "/store/orders/6")
}
