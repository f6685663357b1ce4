package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
)

func TestSnapshots(t *testing.T) { RunScenarios(t, snapshotScenarios()) }

func snapshotScenarios() []Scenario {
	const path = "/admin/snapshots/one"
	restore := Post(path+"/restore", "")
	kept := []Request{Put(path, ""), Delete("/pets/1")}
	is := func(name string, pets int) string {
		return fmt.Sprintf(`{"name": %q, "createdAt": "2026-07-01T12:00:00Z", %s}`, name, withPets(pets))
	}
	one, less := is("one", 5), is("one", 4)
	var many []Request
	for i := range 100 {
		many = append(many, Put(fmt.Sprintf("/admin/snapshots/s%d", i), ""))
	}
	scenarios := []Scenario{
		{Name: "no snapshots", Request: Get("/admin/snapshots"), Status: 200, Want: `[]`},
		{Name: "snapshots by name", Request: Get("/admin/snapshots"), Before: append(kept, Put("/admin/snapshots/0", "")), Status: 200,
			Want: `[` + is("0", 4) + `, ` + one + `]`},
		{Name: "snapshots with what has changed since", Request: Get("/admin/snapshots?changes=true"), Before: append(kept, Patch("/pets/2", `{"name": "Max"}`), Post("/pets", NewPet)), Status: 200,
			Want: `[` + strings.TrimSuffix(one, "}") + `, "changes": {"categories": {"added": 0, "changed": 0, "removed": 0}, "pets": {"added": 1, "changed": 1, "removed": 1},
				"inventory": {"added": 1, "changed": 0, "removed": 1}, "orders": {"added": 0, "changed": 0, "removed": 0}, "messages": {"added": 0, "changed": 0, "removed": 0}}}]`},
		{Name: "snapshots with neither yes nor no", Request: Get("/admin/snapshots?changes=some"), Status: 400, Code: "invalid_parameter", Fields: []string{"changes"}},
		{Name: "keep", Request: Put(path, ""), Status: 201, Want: one},
		{Name: "keep again", Request: Put(path, ""), Before: kept, Status: 200, Want: less},
		{Name: "keep one too many", Request: Put(path, ""), Before: many, Status: 507, Code: "sandbox_full"},
		{Name: "keep in place of one of many", Request: Put("/admin/snapshots/s7", ""), Before: many, Status: 200,
			Want: is("s7", 5)},
		{Name: "restore", Request: restore, Before: kept, Status: 200, Check: sums(func(s *admin.Summary) { s.Snapshots, s.Writes, s.Undoable, s.Journal.Entries = 1, 2, 2, 1 })},
		{Name: "restore what there is not", Request: restore, Status: 404, Code: "not_found"},
		{Name: "drop", Request: Delete(path), Before: kept, Status: 204},
		{Name: "drop what there is not", Request: Delete(path), Status: 404, Code: "not_found"},
		{Name: "restore what was dropped", Request: restore, Before: append(kept, Delete(path)), Status: 404, Code: "not_found"},
	}
	for _, bad := range []string{"Not%20one", "-one", "one!", strings.Repeat("a", 64)} {
		for _, r := range []Request{Put("/admin/snapshots/"+bad, ""), Delete("/admin/snapshots/" + bad), Post("/admin/snapshots/"+bad+"/restore", "")} {
			scenarios = append(scenarios, Scenario{Name: r.Method + " " + bad, Request: r, Status: 400, Code: "invalid_parameter", Fields: []string{"snapshotName"}})
		}
	}
	return scenarios
}

// TestSnapshotsStay restores a snapshot after a reset, and undoes the restore.
func TestSnapshotsStay(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Post("/pets", NewPet))
	kept := w.State(t)
	w.Must(t, Put("/admin/snapshots/one", ""))
	w.Must(t, Post("/admin/reset", ""))
	reset := w.State(t)
	w.Must(t, Post("/admin/snapshots/one/restore", ""))
	if got := w.State(t); got != kept {
		t.Errorf("restored:\n%s", got)
	}
	w.Must(t, Post("/pets", NewPet)).ExpectHeader(t, "Location", "/pets/8") // the counters are restored too
	w.Must(t, Post("/admin/undo", `{"steps": 2}`))                          // undoes the restore
	if got := w.State(t); got != reset {
		t.Errorf("after the undo:\n%s", got)
	}
	w.Must(t, Post("/admin/reset?only=snapshots", ""))
	w.Get(t, "/admin/snapshots").ExpectJSON(t, `[]`)
}
