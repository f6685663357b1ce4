package admin_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

func TestWorld(t *testing.T) { RunScenarios(t, worldScenarios()) }

func worldScenarios() []Scenario {
	const path = "/admin/world"
	bad := func(name, body, code string, fields ...string) Scenario {
		return Refused("world, "+name, Put(path, body), 400, code, fields...)
	}
	over := func(name, body string, config func(*handlers.Config)) Scenario {
		return Refused("world, "+name, Put(path, body), 507, "sandbox_full").On(config)
	}
	of := func(parts string) string { return `{"format": 1, "baseline": {}, "state": {}` + parts + `}` }
	ofState := func(state string) string { return `{"format": 1, "baseline": {}, "state": ` + state + `}` }
	many := func(n int, one func(i int) string) string {
		all := make([]string, n)
		for i := range all {
			all[i] = one(i)
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	fish := func(i int) string { return fmt.Sprintf(`{"id": %d, "name": "Fish"}`, i+1) }
	snapshot := func(i int) string {
		return fmt.Sprintf(`{"name": "s%d", "createdAt": "2026-01-01T00:00:00Z", "state": {}}`, i)
	}
	rule := func(int) string { return `{"status": 503}` }
	longRule := func(int) string {
		return `{"status": 503, "headers": {"X-Long": "` + strings.Repeat("x", 60_000) + `"}}`
	}
	roomy := func(c *handlers.Config) { c.MaxRecords = 2 } // in addition to those of the baseline
	tooMany := Baseline().Records() + 3
	return []Scenario{
		{Name: "world, small", Before: []Request{Put("/admin/clock", `{"frozen": true}`)}, Request: Put(path, of("")),
			Status: 200, Check: sums(func(s *admin.Summary) { s.Counts = store.Counts{} })},
		{Name: "world, chance of another request", Request: Put(path+"?draw=7", of("")), Status: 200,
			Check: sums(func(s *admin.Summary) { s.Counts = store.Counts{} })},
		{Name: "world, generated",
			Request: Put(path,
				`{"format": 1, "generator": "`+fixtures.Generator+`", "seed": 7, "generated": {"pets": 2, `+
					`"categories": 1, "orders": 0}, "state": {}}`), Status: 200,
			Check: sums(func(s *admin.Summary) {
				s.Seed, s.Counts = new(uint64(7)), store.Counts{Pets: 2, Categories: 1, Inventory: 2}
			})},
		{Name: "world out", Request: Get(path), Status: 200, Check: holdsBaseline},
		{Name: "world out, with data", Request: Get(path + "?data=true"), Status: 200, Check: holdsBaseline},
		Refused("world out, as something", Get(path+"?data=yes"), 400, "invalid_parameter", "data"),
		Refused("world, chance of no request", Put(path+"?draw=0", of("")), 400, "invalid_parameter", "draw"),
		Refused("world, bad and of a new sandbox", Put("/sandboxes/ada"+path, of(`, "draw": 0`)),
			400, "validation_failed", "/draw"),
		Refused("world, after the end of a workshop", Put("/sandboxes/ada"+path, of("")),
			409, "conflict").On(func(c *handlers.Config) { c.Workshop = true }).After(Post("/admin/workshop/end", "")),
		bad("no format", `{"pets": []}`, "validation_failed", "/format"),
		bad("format as text", `{"format": "1", "state": {}}`, "validation_failed", "/format"),
		bad("later format", `{"format": 2, "baseline": 7, "portals": []}`, "validation_failed", "/format"),
		bad("no baseline", `{"format": 1, "state": {}}`, "validation_failed", "/baseline"),
		bad("no state",
			`{"format": 1, "baseline": {}, "snapshots": [{"name": "a", "createdAt": "2026-01-01T00:00:00Z", `+
				`"state": {"removed": {"pets": [1]}}}]}`, "validation_failed", "/state"),
		bad("null for the state", `{"format": 1, "baseline": {}, "state": null}`, "validation_failed", "/state"),
		bad("snapshot without its state",
			of(`, "snapshots": [{"name": "a", "createdAt": "2026-01-01T00:00:00Z"}, {"name": "b", `+
				`"createdAt": "2026-01-01T00:00:00Z", "state": {"removed": {"pets": [1]}}}]`),
			"validation_failed", "/snapshots/0/state"),
		bad("two baselines",
			of(`, "generator": "`+fixtures.Generator+`", "generated": {"pets": 0, "categories": 0, "orders": 0}`),
			"validation_failed", "/baseline"),
		bad("other generator",
			`{"format": 1, "generator": "old", "generated": {"pets": 1, "categories": 1, "orders": 0}, "state": {}}`,
			"validation_failed", "/generator"),
		bad("no generator", `{"format": 1, "generated": {"pets": 1, "categories": 1, "orders": 0}, "state": {}}`,
			"validation_failed", "/generator"),
		bad("pets without categories",
			`{"format": 1, "generator": "`+fixtures.Generator+`", "generated": {"pets": 1, "categories": 0, `+
				`"orders": 0}, "state": {}}`, "validation_failed", "/generated/categories"),
		bad("bad baseline",
			`{"format": 1, "baseline": {"pets": [{"id": 1, "name": "Rex", "categoryId": 9}]}, `+
				`"state": {"removed": {"pets": [1]}}}`, "validation_failed", "/baseline/pets/0/categoryId"),
		bad("removed and new", ofState(`{"categories": [{"id": 1, "name": "Fish"}], "removed": {"categories": [1]}}`),
			"validation_failed", "/state/removed/categories/0"),
		bad("removed, but missing", ofState(`{"removed": {"pets": [1], "orders": [2], "messages": [3, 0]}}`),
			"validation_failed", "/state/removed/messages/0", "/state/removed/messages/1", "/state/removed/orders/0",
			"/state/removed/pets/0"),
		bad("category in use removed",
			`{"format": 1, "baseline": {"categories": [{"id": 1, "name": "Fish"}], "pets": [{"id": 1, "name": "Rex", "categoryId": 1}]},
			"state": {"removed": {"categories": [1]}}}`, "validation_failed", "/state/removed/categories/0"),
		bad("next id in use",
			`{"format": 1, "baseline": {"categories": [{"id": 5, "name": "Fish"}]}, "state": {"next": {"category": 5}}}`, "validation_failed", "/state/next/category"),
		bad("next pet below that of an order",
			`{"format": 1, "baseline": {"orders": [{"id": 1, "petId": 8}], "next": {"pet": 9}}, `+
				`"state": {"next": {"pet": 8}}}`, "validation_failed", "/state/next/pet"),
		bad("order of a pet that never existed", ofState(`{"orders": [{"id": 1, "petId": 1}]}`), "validation_failed",
			"/state/orders/0/petId"),
		bad("record twice",
			ofState(`{"messages": [{"id": 1, "message": "a", "createdAt": "2026-01-01T00:00:00Z"}, {"id": 1, `+
				`"message": "b", "createdAt": "2026-01-01T00:00:00Z"}]}`),
			"validation_failed", "/state/messages/1/id"),
		bad("snapshots",
			of(`, "snapshots": [{"name": "A", "createdAt": "2026-01-01T00:00:00Z", "state": {}}, {"name": "b", "createdAt": "soon", "state": {}},
			{"name": "b", "createdAt": "2026-01-01T00:00:00Z", "state": {}}, {}]`),
			"validation_failed", "/snapshots/0/name", "/snapshots/1/createdAt", "/snapshots/2/name",
			"/snapshots/3/name", "/snapshots/3/createdAt", "/snapshots/3/state"),
		bad("second snapshot",
			of(`, "snapshots": [{"name": "a", "createdAt": "2026-01-01T00:00:00Z", "state": {}}, {"name": "b", `+
				`"createdAt": "2026-01-01T00:00:00Z", "state": {"removed": {"pets": [1]}}}]`),
			"validation_failed", "/snapshots/1/state/removed/pets/0"),
		bad("faults",
			of(`, "faults": [{"id": 2, "status": 99}, {"id": 2, "status": 503, "times": 1, "applied": 2}, `+
				`{"id": -1}], "nextFault": 2`),
			"validation_failed", "/faults/0/status", "/faults/1/id", "/faults/1/applied", "/faults/2/id", "/nextFault"),
		bad("faults of the server", of(`, "serverFaults": [{"match": {"operationId": "getPets"}}, 7]`),
			"validation_failed", "/serverFaults/0/match/operationId", "/serverFaults/1"),
		bad("operations",
			of(`, "operations": {"getPets": {}, "getPet": {"brownout": 2}, "createPet": {"sunset": "2026-01-01"}}`),
			"validation_failed", "/operations/getPets", "/operations/getPet/brownout", "/operations/createPet/sunset"),
		bad("operation twice", of(`, "operations": {"createPet": {}, "createPet": {}}`), "invalid_json"),
		bad("clock", of(`, "clock": {"now": "0000-01-01T00:00:00Z", "frozen": 1}`), "validation_failed",
			"/clock/frozen"),
		bad("clock before the first year", of(`, "clock": {"now": "0000-01-01T00:00:00Z"}`), "validation_failed",
			"/clock/now"),
		bad("journal", of(`, "journal": [1]`), "validation_failed", "/journal/0"),
		over("too many snapshots", of(`, "snapshots": `+many(sandbox.MaxSnapshots+1, snapshot)), nil),
		over("too many faults", of(`, "faults": `+many(600, rule)+`, "serverFaults": `+many(401, rule)), nil),
		over("too many faults, and the next id of fewer", of(`, "faults": `+many(1001, rule)+`, "nextFault": 2`), nil),
		over("too many fakes",
			`{"format": 1, "generator": "`+fixtures.Generator+`", "generated": {"pets": 1000000, "categories": 1, `+
				`"orders": 0}, "state": {}}`, nil),
		Refused("world, fault that is too long",
			Put(path,
				of(`, "faults": [{"status": 503, "message": "m", "headers": {"X-Long": "`+strings.Repeat("x",
					64<<10)+`"}}]`)), 413, "payload_too_large"),
		bad("fault with an empty text", of(`, "faults": [{"abort": ""}]`), "validation_failed", "/faults/0/abort"),
		over("faults that are too long", of(`, "faults": `+many(18, longRule)), nil),
		over("baseline with too many records",
			`{"format": 1, "baseline": {"categories": `+many(tooMany, fish)+`}, "state": {}}`, roomy),
		over("state with too many records", ofState(`{"categories": `+many(3, fish)+`}`), roomy),
		over("snapshot with too many records",
			of(`, "snapshots": [{"name": "a", "createdAt": "2026-01-01T00:00:00Z", "state": {"categories": `+many(
				tooMany, fish)+`}}]`), roomy),
		{Name: "world, as many as can be",
			Request: Put(path,
				of(`, "snapshots": `+many(sandbox.MaxSnapshots, snapshot)+`, "faults": `+many(1000,
					rule))), Status: 200,
			Check: sums(func(s *admin.Summary) { s.Counts, s.Faults, s.Snapshots = store.Counts{}, 1000, 100 })},
	}
}

// holdsBaseline checks that the world has the baseline and no changes.
func holdsBaseline(t *testing.T, a *Answer) {
	t.Helper()
	var world struct {
		Baseline json.RawMessage
		State    map[string]json.RawMessage
	}
	a.Decode(t, &world)
	state, err := fixtures.Decode(world.Baseline)
	if err != nil || !state.Same(Baseline()) || len(world.State) != 1 {
		t.Errorf("%v, the world is %s", err, a.Body)
	}
}

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

// TestWorldKeepsEverything moves a sandbox with all kinds of changes to another server at another
// time. Its clock, its remaining faults, its snapshots and its resets must be the same.
func TestWorldKeepsEverything(t *testing.T) {
	t.Parallel()
	one, other := NewWorld(t), NewWorld(t, func(c *handlers.Config) {
		c.Now = func() time.Time { return Now.AddDate(3, 0, 0) }
		c.Sunset = Now.AddDate(9, 0, 0)
		c.ErrorRate = 0.5
	})
	for _, r := range []Request{
		Put("/admin/snapshots/first", ""),
		Post("/pets", NewPet), Delete("/pets/2"), Post("/store/orders", `{"petId": 1}`),
		Put("/store/inventory/1", `{"quantity": 99}`), Put("/categories/2", `{"name": "Big cats"}`),
		Put("/admin/snapshots/second", ""),
		Delete("/pets/1"),
		SetClock(`{"advance": "48h"}`),
		Post("/admin/faults", `{"status": 503, "times": 3, "match": {"operationId": "listCategories"}}`),
		SetLifecycle("createPet", `{"deprecated": true, "brownout": 0.25}`),
	} {
		one.Must(t, r)
	}
	one.Do(t, Get("/categories")).Expect(t, 503, "unavailable")
	file := string(one.Get(t, "/admin/world").Body)
	moved := other.Unchecked() // its document has another sunset
	moved.Must(t, Put("/sandboxes/ada/admin/world", file))

	for _, path := range []string{"/admin/state", "/admin/snapshots", "/admin/faults", "/admin/state/diff",
		"/admin/state/diff?from=first", "/admin/state/diff?from=second", "/pets/5"} {
		a, b := one.Get(t, path), moved.Get(t, "/sandboxes/ada"+path)
		if diff := cmp.Diff(string(a.Body), string(b.Body)); diff != "" {
			t.Errorf("%s, -one +other:\n%s", path, diff)
		}
		if a.Header.Get("Sunset") != b.Header.Get("Sunset") {
			t.Errorf("%s: the sunset is %s, want %s", path, b.Header.Get("Sunset"), a.Header.Get("Sunset"))
		}
	}
	var shows sandbox.ClockReading
	if moved.Get(t, "/sandboxes/ada/admin/clock").Decode(t, &shows); !shows.Now.Equal(Now.Add(48*time.Hour)) ||
		shows.Frozen {
		t.Errorf("the clock shows %+v, want it to go on from %v", shows, Now.Add(48*time.Hour))
	}
	for range 2 {
		moved.Do(t, Get("/sandboxes/ada/categories")).Expect(t, 503, "unavailable")
	}
	moved.Do(t, Get("/sandboxes/ada/categories")).Expect(t, 200, "")
	moved.Do(t, Post("/sandboxes/ada/admin/undo", "")).Expect(t, 409, "conflict")
	moved.Must(t, Post("/sandboxes/ada/admin/reset?only=data", ""))
	if got := dataOf(t, other, "ada"); got != dataOf(t, other, "default") {
		t.Errorf("a reset returns to\n%s", got)
	}
}

func dataOf(t *testing.T, w *World, name string) string {
	t.Helper()
	sb, err := w.Server.Sandboxes().Find(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := fixtures.Encode(sb.Store.View())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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
	sb, err := w.Server.Sandboxes().Find("ada")
	if err != nil {
		t.Fatal(err)
	}
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
