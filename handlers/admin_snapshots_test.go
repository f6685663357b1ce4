package handlers_test

import (
	"fmt"
	"testing"

	"example.com/petstore/handlers/admin"
)

func TestSnapshots(t *testing.T) { runScenarios(t, snapshotScenarios()) }

func snapshotScenarios() []scenario {
	const path = "/admin/snapshots/one"
	restore := post(path+"/restore", "")
	kept := []request{put(path, ""), drop("/pets/1")}
	const one = `{"name": "one", "createdAt": "2026-07-01T12:00:00Z", "counts": {"pets": 5, "categories": 3, "orders": 4, "inventory": 5, "messages": 1}}`
	const less = `{"name": "one", "createdAt": "2026-07-01T12:00:00Z", "counts": {"pets": 4, "categories": 3, "orders": 4, "inventory": 4, "messages": 1}}`
	var many []request
	for i := range 100 {
		many = append(many, put(fmt.Sprintf("/admin/snapshots/s%d", i), ""))
	}
	scenarios := []scenario{
		{name: "no snapshots", request: request{method: "GET", path: "/admin/snapshots"}, status: 200, want: `[]`},
		{name: "snapshots by name", request: request{method: "GET", path: "/admin/snapshots"}, before: append(kept, put("/admin/snapshots/0", "")), status: 200,
			want: `[` + `{"name": "0", "createdAt": "2026-07-01T12:00:00Z", "counts": {"pets": 4, "categories": 3, "orders": 4, "inventory": 4, "messages": 1}}, ` + one + `]`},
		{name: "keep", request: put(path, ""), status: 201, want: one},
		{name: "keep again", request: put(path, ""), before: kept, status: 200, want: less},
		{name: "keep one too many", request: put(path, ""), before: many, status: 507, code: "sandbox_full"},
		{name: "keep in place of one of many", request: put("/admin/snapshots/s7", ""), before: many, status: 200,
			want: `{"name": "s7", "createdAt": "2026-07-01T12:00:00Z", "counts": {"pets": 5, "categories": 3, "orders": 4, "inventory": 5, "messages": 1}}`},
		{name: "restore", request: restore, before: kept, status: 200, check: sums(func(s *admin.Summary) { s.Snapshots, s.Undoable, s.Journal.Entries = 1, 2, 1 })},
		{name: "restore what there is not", request: restore, status: 404, code: "not_found"},
		{name: "drop", request: drop(path), before: kept, status: 204},
		{name: "drop what there is not", request: drop(path), status: 404, code: "not_found"},
		{name: "restore what was dropped", request: restore, before: append(kept, drop(path)), status: 404, code: "not_found"},
	}
	for _, bad := range []string{"Not%20one", "-one", "one!", repeat("a", 64)} {
		for _, r := range []request{put("/admin/snapshots/"+bad, ""), drop("/admin/snapshots/" + bad), post("/admin/snapshots/"+bad+"/restore", "")} {
			scenarios = append(scenarios, scenario{name: r.method + " " + bad, request: r, status: 400, code: "invalid_parameter", fields: []string{"snapshotName"}})
		}
	}
	return scenarios
}

// TestSnapshotsStay returns to a state that a reset spares, and takes that back.
func TestSnapshotsStay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(t, post("/pets", newPet))
	kept := w.state(t)
	w.must(t, put("/admin/snapshots/one", ""))
	w.must(t, post("/admin/reset", ""))
	reset := w.state(t)
	w.must(t, post("/admin/snapshots/one/restore", ""))
	if got := w.state(t); got != kept {
		t.Errorf("restored:\n%s", got)
	}
	w.must(t, post("/pets", newPet)).expectHeader(t, "Location", "/pets/8") // the counters came along
	w.must(t, post("/admin/undo", `{"steps": 2}`))                          // a restore by mistake can be taken back
	if got := w.state(t); got != reset {
		t.Errorf("after the undo:\n%s", got)
	}
	w.must(t, post("/admin/reset?only=snapshots", ""))
	w.get(t, "/admin/snapshots").expectJSON(t, `[]`)
}
