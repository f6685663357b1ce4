package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/petstore/handlers/admin"
)

func TestSnapshots(t *testing.T) { runScenarios(t, snapshotScenarios()) }

func snapshotScenarios() []scenario {
	const path = "/admin/snapshots/one"
	restore := post(path+"/restore", "")
	kept := []request{put(path, ""), drop("/pets/1")}
	is := func(name string, pets int) string {
		return fmt.Sprintf(`{"name": %q, "createdAt": "2026-07-01T12:00:00Z", %s}`, name, withPets(pets))
	}
	one, less := is("one", 5), is("one", 4)
	var many []request
	for i := range 100 {
		many = append(many, put(fmt.Sprintf("/admin/snapshots/s%d", i), ""))
	}
	scenarios := []scenario{
		{Name: "no snapshots", Request: request{Method: "GET", Path: "/admin/snapshots"}, Status: 200, Want: `[]`},
		{Name: "snapshots by name", Request: request{Method: "GET", Path: "/admin/snapshots"}, Before: append(kept, put("/admin/snapshots/0", "")), Status: 200,
			Want: `[` + is("0", 4) + `, ` + one + `]`},
		{Name: "snapshots with what has changed since", Request: request{Method: "GET", Path: "/admin/snapshots?changes=true"}, Before: append(kept, request{Method: "PATCH", Path: "/pets/2", Body: `{"name": "Max"}`}, post("/pets", newPet)), Status: 200,
			Want: `[` + strings.TrimSuffix(one, "}") + `, "changes": {"categories": {"added": 0, "changed": 0, "removed": 0}, "pets": {"added": 1, "changed": 1, "removed": 1},
				"inventory": {"added": 1, "changed": 0, "removed": 1}, "orders": {"added": 0, "changed": 0, "removed": 0}, "messages": {"added": 0, "changed": 0, "removed": 0}}}]`},
		{Name: "snapshots with neither yes nor no", Request: request{Method: "GET", Path: "/admin/snapshots?changes=some"}, Status: 400, Code: "invalid_parameter", Fields: []string{"changes"}},
		{Name: "keep", Request: put(path, ""), Status: 201, Want: one},
		{Name: "keep again", Request: put(path, ""), Before: kept, Status: 200, Want: less},
		{Name: "keep one too many", Request: put(path, ""), Before: many, Status: 507, Code: "sandbox_full"},
		{Name: "keep in place of one of many", Request: put("/admin/snapshots/s7", ""), Before: many, Status: 200,
			Want: is("s7", 5)},
		{Name: "restore", Request: restore, Before: kept, Status: 200, Check: sums(func(s *admin.Summary) { s.Snapshots, s.Writes, s.Undoable, s.Journal.Entries = 1, 2, 2, 1 })},
		{Name: "restore what there is not", Request: restore, Status: 404, Code: "not_found"},
		{Name: "drop", Request: drop(path), Before: kept, Status: 204},
		{Name: "drop what there is not", Request: drop(path), Status: 404, Code: "not_found"},
		{Name: "restore what was dropped", Request: restore, Before: append(kept, drop(path)), Status: 404, Code: "not_found"},
	}
	for _, bad := range []string{"Not%20one", "-one", "one!", strings.Repeat("a", 64)} {
		for _, r := range []request{put("/admin/snapshots/"+bad, ""), drop("/admin/snapshots/" + bad), post("/admin/snapshots/"+bad+"/restore", "")} {
			scenarios = append(scenarios, scenario{Name: r.Method + " " + bad, Request: r, Status: 400, Code: "invalid_parameter", Fields: []string{"snapshotName"}})
		}
	}
	return scenarios
}

// TestSnapshotsStay restores a snapshot after a reset, and undoes the restore.
func TestSnapshotsStay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, post("/pets", newPet))
	kept := w.State(t)
	w.Must(t, put("/admin/snapshots/one", ""))
	w.Must(t, post("/admin/reset", ""))
	reset := w.State(t)
	w.Must(t, post("/admin/snapshots/one/restore", ""))
	if got := w.State(t); got != kept {
		t.Errorf("restored:\n%s", got)
	}
	w.Must(t, post("/pets", newPet)).ExpectHeader(t, "Location", "/pets/8") // the counters are restored too
	w.Must(t, post("/admin/undo", `{"steps": 2}`))                          // undoes the restore
	if got := w.State(t); got != reset {
		t.Errorf("after the undo:\n%s", got)
	}
	w.Must(t, post("/admin/reset?only=snapshots", ""))
	w.Get(t, "/admin/snapshots").ExpectJSON(t, `[]`)
}
