package admin_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/sandbox"
)

// TestResetOnePart resets each part of a used sandbox by itself. Only the data has another part with
// it: the keys, whose responses describe deleted records.
func TestResetOnePart(t *testing.T) {
	t.Parallel()
	for _, part := range sandbox.Parts() {
		t.Run(string(part), func(t *testing.T) {
			t.Parallel()
			w := NewWorld(t, Limited(1000))
			shows := func() map[sandbox.Part]string {
				sb := w.Server.Sandboxes().Default()
				entries, _ := sb.Journal.Size()
				all := map[sandbox.Part]string{
					sandbox.PartJournal: fmt.Sprint(entries), sandbox.PartKeys: fmt.Sprint(sb.Idempotency.Bytes()),
					sandbox.PartLimit:     fmt.Sprint(sb.Limiter.Bytes()),
					sandbox.PartLifecycle: fmt.Sprint(sb.Lifecycles.Changed("getOrder") != nil),
				}
				for part, path := range map[sandbox.Part]string{
					sandbox.PartData: "state", sandbox.PartFaults: "faults", sandbox.PartClock: "clock",
					sandbox.PartSnapshots: "snapshots", sandbox.PartWebhooks: "webhooks", sandbox.PartReport: "report",
				} {
					all[part] = string(w.Get(t, "/admin/"+path).Body)
				}
				return all
			}
			for _, r := range []Request{
				Get("/pets/1"), Keyed(Post("/pets", NewPet), "k"), Put("/admin/snapshots/one", ""),
				SetClock(`{"now": "2030-01-01T00:00:00Z", "frozen": true}`),
				SetLifecycle("getOrder", `{"stability": "beta"}`),
				Put("/admin/webhooks/one", `{"url": "http://127.0.0.1:9/", "events": ["message.created"]}`),
				Post("/admin/faults", `{"status": 418}`),
			} {
				w.Must(t, r)
			}
			before := shows()
			w.Must(t, Post("/admin/reset?only="+string(part), ""))
			for other, now := range shows() {
				resets := other == part || part == sandbox.PartData && other == sandbox.PartKeys
				if (now != before[other]) != resets {
					t.Errorf("%s is %s, and was %s", other, now, before[other])
				}
			}
		})
	}
}

// TestDocumentListsResetParts compares the parts in the document with the parts that a reset accepts.
func TestDocumentListsResetParts(t *testing.T) {
	t.Parallel()
	var documented []sandbox.Part
	for _, part := range AdminDocument().Components.Schemas["Part"].Value.Enum {
		documented = append(documented, sandbox.Part(part.(string)))
	}
	slices.Sort(documented)
	if diff := cmp.Diff(slices.Sorted(slices.Values(sandbox.Parts())), documented); diff != "" {
		t.Errorf("parts, -sandbox +document:\n%s", diff)
	}
}

// TestGeneratedDataIsBounded generates as many records as a sandbox with the server's data can
// hold, and checks that larger sizes are refused, whatever the sandbox holds at the time.
func TestGeneratedDataIsBounded(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.MaxRecords = 100 }) // in addition to those of the baseline
	orders := Baseline().Records() - 3
	for _, path := range []string{"/admin/sandboxes/ada", "/admin/reset"} {
		method := Put
		if path == "/admin/reset" {
			method = Post
		}
		for range 2 {
			w.Must(t, method(path, fmt.Sprintf(`{"pets": 100, "categories": 3, "orders": %d}`, orders)))
			for _, body := range []string{
				fmt.Sprintf(`{"pets": 100, "categories": 3, "orders": %d}`, orders+1),
				fmt.Sprintf(`{"orders": %d}`, orders+1), `{"pets": 9223372036854775807, "orders": 9223372036854775807}`,
			} {
				a := w.Do(t, method(path, body))
				a.Expect(t, 507, "sandbox_full")
				want := fmt.Sprintf(
					"the sizes ask for more than %d records, the most that the sandbox can hold; leave some out, or "+
						"start the server with a larger --max-records", orders+103)
				if p := a.Problem(t); p.Message != want {
					t.Errorf("%s %s: %q, want %q", path, body, p.Message, want)
				}
			}
		}
	}
}

// TestResetCountsSharedDataOnce checks that a reset does not count data twice that a snapshot has too, and
// that a reset to other data is refused if the snapshots leave no room for it.
func TestResetCountsSharedDataOnce(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.SandboxMemory = 16 << 20 })
	used := func() int {
		var summary struct{ Memory struct{ SandboxUsed int } }
		w.Must(t, InSandbox("ada", Request{Method: "GET", Path: "/admin"})).Decode(t, &summary)
		return summary.Memory.SandboxUsed
	}
	w.Do(t, Put("/admin/sandboxes/ada", `{"pets": 98000}`)).Expect(t, 507, "sandbox_full")
	w.Do(t, Request{Method: "GET", Path: "/admin/sandboxes/ada"}).Expect(t, 404, "not_found")
	w.Must(t, Put("/admin/sandboxes/ada", `{"pets": 60000}`))
	w.Must(t, Put("/sandboxes/ada/admin/snapshots/full", ""))
	before := used()
	w.Must(t, Post("/sandboxes/ada/admin/reset", ""))
	if after := used(); after > before+1024 {
		t.Errorf("after a reset the sandbox uses %d bytes, before it %d", after, before)
	}
	w.Must(t, Post("/sandboxes/ada/pets", `{"name": "Rex", "categoryId": 1}`))
	w.Must(t, Post("/sandboxes/ada/admin/reset", ""))
	if after := used(); after > before+4096 {
		t.Errorf("after a write and a reset the sandbox uses %d bytes, before them %d", after, before)
	}
	w.Must(t, Post("/sandboxes/ada/pets", `{"name": "Rex", "categoryId": 1}`))
	w.Do(t, Post("/sandboxes/ada/admin/reset", `{"pets": 60000, "seed": 5}`)).Expect(t, 507, "sandbox_full")
	w.Do(t, Put("/admin/sandboxes/ada", `{"pets": 60000, "seed": 5}`)).Expect(t, 507, "sandbox_full")
	w.Must(t, Request{Method: "GET", Path: "/sandboxes/ada/pets/60001"})
	w.Must(t, Delete("/sandboxes/ada/admin/snapshots/full"))
	w.Must(t, Post("/sandboxes/ada/admin/reset", `{"pets": 60000, "seed": 5}`))
}

// TestFreshSandboxHoldsAnyBaseline fills a sandbox's journal. A baseline that needs nearly all of its
// memory then replaces the sandbox's data only with fresh, which leaves nothing else. The refusal
// without fresh removes nothing.
func TestFreshSandboxHoldsAnyBaseline(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.SandboxMemory = 16 << 20 })
	wantKept := func(n int) {
		t.Helper()
		for _, path := range []string{"/admin/snapshots", "/admin/webhooks"} {
			var kept []struct{}
			w.Must(t, InSandbox("ada", Get(path))).Decode(t, &kept)
			if len(kept) != n {
				t.Errorf("%s has %d, want %d", path, len(kept), n)
			}
		}
	}
	w.Must(t, Put("/sandboxes/ada/admin/snapshots/one", ""))
	w.Must(t, InSandbox("ada", Put(anyHook, quietHook)))
	pet := fmt.Sprintf(`{"name": "Rex", "categoryId": 1, "note": "%s"}`, strings.Repeat("x", 4000))
	for range 4 {
		w.Must(t, Post("/sandboxes/ada/pets", pet))
	}
	w.Do(t, Put("/admin/sandboxes/ada", `{"pets": 91700, "orders": 0}`)).Expect(t, 507, "sandbox_full")
	wantKept(1)
	w.Must(t, Put("/admin/sandboxes/ada", `{"pets": 91700, "orders": 0, "fresh": true}`))
	wantKept(0)
}
