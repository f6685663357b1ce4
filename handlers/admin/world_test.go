package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// TestWorldOfEnforcingServer moves a world from a server that enforces sunsets, of which most
// operations have none, to a server that does not, and back.
func TestWorldOfEnforcingServer(t *testing.T) {
	t.Parallel()
	one, other := NewWorld(t, func(c *handlers.Config) { c.EnforceSunset = true }), NewWorld(t)
	other.Must(t, Put("/admin/world", string(one.Get(t, "/admin/world").Body)))
	for id, enforced := range map[string]bool{"getPet": true, "updatePet": true, "getHealth": false} {
		if got := operationOf(t, other, "", id).EnforceSunset; got != enforced {
			t.Errorf("%s enforces its sunset: %t, want %t", id, got, enforced)
		}
	}
	one.Must(t, Put("/admin/world", string(other.Get(t, "/admin/world").Body)))
	if op := operationOf(t, one, "", "updatePet"); op.Changed {
		t.Errorf("after the way back: %+v", op)
	}
}

func dataOf(t *testing.T, w *World, name string) string {
	t.Helper()
	sb := must.Get(w.Server.Sandboxes().Find(name))(t)
	return string(must.Get(fixtures.Encode(sb.Store.View()))(t))
}

// TestWorldWithoutItsGenerator exports a world with its data and loads it on a server with other
// data.
func TestWorldWithoutItsGenerator(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.Baseline, c.Sizes = nil, &fixtures.Sizes{Pets: 5, Categories: 2} })
	w.Must(t, Delete("/pets/3"))
	file := w.Get(t, "/admin/world?data=true")
	other := NewWorld(t)
	other.Must(t, Put("/admin/world", string(file.Body)))
	if got, want := dataOf(t, other, "default"), dataOf(t, w, "default"); got != want {
		t.Errorf("the data is\n%swant\n%s", got, want)
	}
}

// TestWorldOfManySnapshots checks that the memory of a world's snapshots counts against the limit of
// the sandbox, even if the file is far smaller.
func TestWorldOfManySnapshots(t *testing.T) {
	t.Parallel()
	var pets, ids []string
	for i := range 40_000 {
		pets = append(pets, fmt.Sprintf(`{"id": %d, "name": "Rex", "categoryId": 1}`, i+1))
		if i%20 == 0 {
			ids = append(ids, fmt.Sprint(i+1))
		}
	}
	var snapshots []string
	for i := range 90 {
		snapshots = append(snapshots,
			fmt.Sprintf(`{"name": "s%d", "createdAt": "2026-01-01T00:00:00Z", "state": {"removed": {"pets": [%s]}}}`, i,
				strings.Join(ids[i*20:i*20+20], ",")))
	}
	file := `{"format": 1, "baseline": {"categories": [{"id": 1, "name": "Dogs"}], "pets": [` +
		strings.Join(pets, ",") + `]}, "state": {}, "snapshots": [` + strings.Join(snapshots, ",") + `]}`
	w := NewWorld(t, func(c *handlers.Config) { c.SandboxMemory = 16 << 20 })
	w.Must(t, Put("/sandboxes/ada/admin/world", file))
	sb := must.Get(w.Server.Sandboxes().Find("ada"))(t)
	if held := sb.Usage().Kept; held < 90*20<<10 {
		t.Errorf("%d bytes are counted for snapshots that copy 1800 places", held)
	}
	more := NewWorld(t, func(c *handlers.Config) { c.SandboxMemory = 16 << 20 })
	long := strings.ReplaceAll(file, `"removed": {"pets": [`,
		`"categories": [{"id": 1, "name": "`+strings.Repeat("x", 200)+`"}], "removed": {"pets": [`)
	long = strings.Replace(long, `"pets": [`, `"messages": [`+messages(9_000)+`], "pets": [`, 1)
	more.Do(t, Put("/sandboxes/ada/admin/world", long)).Expect(t, 507, "sandbox_full")
	more.Do(t, Get("/sandboxes/ada/admin")).Expect(t, 404, "unknown_sandbox")
}

func messages(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`{"id": %d, "message": "%s", "createdAt": "2026-01-01T00:00:00Z"}`, i+1,
			strings.Repeat("x", 1000))
	}
	return strings.Join(all, ",")
}

// TestWorldMakesItsSandbox checks that loading a world creates the sandbox even where other
// requests do not.
func TestWorldMakesItsSandbox(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.ExplicitSandboxes = true })
	file := string(w.Get(t, "/admin/world").Body)
	w.Do(t, Put("/sandboxes/ada/admin/world", `{"format": 1}`)).
		Expect(t, 400, "validation_failed", "/state", "/baseline")
	w.Do(t, Get("/sandboxes/ada/pets")).Expect(t, 404, "unknown_sandbox")
	w.Must(t, Put("/sandboxes/ada/admin/world", file))
	w.Do(t, Get("/sandboxes/ada/pets")).Expect(t, 200, "")
}
