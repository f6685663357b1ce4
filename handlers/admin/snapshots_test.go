package admin_test

import (
	"fmt"
	"strings"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

func TestSnapshots(t *testing.T) { RunScenarios(t, snapshotScenarios()) }

// snapshotScenarios returns scenarios that the transcript snapshots.txt lacks.
func snapshotScenarios() []Scenario {
	const path = "/admin/snapshots/one"
	kept := []Request{Put(path, ""), Delete("/pets/1")}
	is := func(name string, pets int) string {
		return fmt.Sprintf(`{"name": %q, "createdAt": "2026-07-01T12:00:00Z", %s}`, name, withPets(pets))
	}
	var many []Request
	for i := range 100 {
		many = append(many, Put(fmt.Sprintf("/admin/snapshots/s%d", i), ""))
	}
	scenarios := []Scenario{
		Answered("snapshots with what has changed since", Get("/admin/snapshots?changes=true"), 200,
			`[`+strings.TrimSuffix(is("one", 5),
				"}")+`, "changes": {"categories": {"added": 0, "changed": 0, "removed": 0}, "pets": {"added": 1, "changed": 1, "removed": 1},
				"inventory": {"added": 1, "changed": 0, "removed": 1}, "orders": {"added": 0, "changed": 0, "removed": 0}, "messages": {"added": 0, "changed": 0, "removed": 0}}}]`).After(append(kept, Patch("/pets/2", `{"name": "Max"}`), Post("/pets", NewPet))...),
		Refused("snapshots with neither yes nor no", Get("/admin/snapshots?changes=some"),
			400, "invalid_parameter", "changes"),
		Refused("keep one too many", Put(path, ""), 507, "sandbox_full").After(many...),
		Answered("keep in place of one of many", Put("/admin/snapshots/s7", ""), 200, is("s7", 5)).After(many...),
	}
	for _, bad := range []string{"Not%20one", "-one", "one!", strings.Repeat("a", 64)} {
		for _, r := range []Request{Put("/admin/snapshots/"+bad, ""), Delete("/admin/snapshots/" + bad),
			Post("/admin/snapshots/"+bad+"/restore", "")} {
			scenarios = append(scenarios, Refused(r.Method+" "+bad, r, 400, "invalid_parameter", "snapshotName"))
		}
	}
	return scenarios
}
