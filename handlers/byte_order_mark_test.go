package handlers_test

import (
	"testing"
)

// TestBodiesMayBeginWithAByteOrderMark sends bodies as some editors save files. The journal has
// them as they were sent. A second mark is no white space.
func TestBodiesMayBeginWithAByteOrderMark(t *testing.T) {
	t.Parallel()
	const mark = "\ufeff"
	w := newWorld(t)
	world := string(w.Get(t, "/admin/world").Body)
	for _, r := range []request{
		{Method: "POST", Path: "/pets", Body: newPet},
		{Method: "PATCH", Path: "/pets/1", Body: `{"name": "Rex"}`},
		{Method: "PUT", Path: "/admin/state", Body: baselineText},
		{Method: "PUT", Path: "/admin/world", Body: world},
		{Method: "PUT", Path: "/admin/faults", Body: "\n" + `[{"times": 1}]`},
		{Method: "POST", Path: "/admin/reset", Body: `{"seed": 2}`}, // which may have none
		{Method: "POST", Path: "/mcp", Body: `{"jsonrpc": "2.0", "id": 1, "method": "ping"}`},
	} {
		plain := r.Body
		r.Body = mark + plain
		w.Must(t, r)
		r.Body = mark + mark + plain
		w.Do(t, r).Expect(t, 400, "invalid_json")
		r.Body = mark
		w.Do(t, r).Expect(t, 400, "invalid_json")
	}
	w.Must(t, request{Method: "DELETE", Path: "/admin/requests"})
	w.Must(t, request{Method: "POST", Path: "/pets", Body: mark + newPet})
	if got := journalOf(t, w.Get(t, "/admin/requests")).Requests[0].Body; got != mark+newPet {
		t.Errorf("the journal has %q, want %q", got, mark+newPet)
	}
}
