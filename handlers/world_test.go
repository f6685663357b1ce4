package handlers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/store"
)

// worldServer returns a small server whose clock stands still.
func worldServer(t rapid.TB, changes ...func(*handlers.Config)) *handlers.Server {
	c := handlers.Config{Sizes: &fixtures.Sizes{Pets: 30, Categories: 4, Orders: 6}, Now: func() time.Time { return Now }}
	for _, change := range changes {
		change(&c)
	}
	server, err := handlers.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// exchange sends a request and returns the status and the whole response as text.
func exchange(server *handlers.Server, method, path, body string, headers ...string) (status int, text string) {
	r := httptest.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(body))
	r.Header.Set("X-Request-Id", "same")
	r.Header.Set("Authorization", "Bearer demo-key")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	Serve(server, w, r)
	return w.Code, fmt.Sprintf("%d %v\n%s", w.Code, w.Header(), w.Body)
}

// worldOf exports the default sandbox without its journal, and appends the response to importing
// the export into the same sandbox, which changes nothing.
func worldOf(t rapid.TB, server *handlers.Server) string {
	w := httptest.NewRecorder()
	server.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1/admin/world", nil))
	text, _, ok := bytes.Cut(w.Body.Bytes(), []byte(`"journal": [`))
	if !ok || w.Code != http.StatusOK {
		t.Fatalf("exporting: %d %s", w.Code, w.Body)
	}
	return string(text) + `"journal": []}`
}

// serverData is the most memory that the data of a worldServer takes. A state that shared this
// data holds a copy of it after an import with another baseline, because the world stores the
// state as a difference from that baseline.
const serverData = 10 << 10 // bytes

// wantNoMore checks that a sandbox holds no more memory than another did, except for the server's
// data and for copies of table nodes, some KiB for each state.
func wantNoMore(t rapid.TB, sb *registry.Entry, before store.Usage) {
	after, states := sb.Usage(), int64(1+len(sb.Snapshots.List()))
	if held := after.Records + after.Kept; held > before.Records+before.Kept+before.Undo+serverData+states*8<<10 {
		t.Errorf("it holds %+v, and held %+v", after, before)
	}
}

// worldAct is a request that may change a sandbox.
type worldAct struct{ method, path, body string }

// drawWorldAct draws one of worldActs.
func drawWorldAct(t *rapid.T, control bool) worldAct {
	id := rapid.IntRange(1, 36).Draw(t, "id")
	few := rapid.IntRange(1, 6).Draw(t, "few")
	share := rapid.SampledFrom([]string{"0.3", "0.7"}).Draw(t, "share")
	return rapid.SampledFrom(worldActs(id, few, share, control)).Draw(t, "act")
}

// worldActs returns the requests of a service. With control, it adds requests of the control plane
// that a world does not record or that undo it.
func worldActs(id, few int, share string, control bool) []worldAct {
	acts := []worldAct{
		{"GET", fmt.Sprint("/pets?limit=5&offset=", id), ""},
		{"GET", fmt.Sprint("/pets/", id), ""},
		{"GET", "/store/inventory?limit=100", ""},
		{"POST", "/pets", fmt.Sprintf(`{"name": "Pet %d", "categoryId": %d}`, id, few)},
		{"PATCH", fmt.Sprint("/pets/", id), fmt.Sprintf(`{"categoryId": %d, "status": "sold"}`, few)},
		{"DELETE", fmt.Sprint("/pets/", id), ""},
		{"PUT", fmt.Sprint("/store/inventory/", id), fmt.Sprintf(`{"quantity": %d}`, few-1)},
		{"POST", "/categories", fmt.Sprintf(`{"name": "Category %d", "description": ""}`, few)},
		{"DELETE", fmt.Sprint("/categories/", few), ""},
		{"POST", "/store/orders", fmt.Sprintf(`{"petId": %d, "shipDate": "2026-01-01T00:00:00.000Z"}`, id)},
		{"DELETE", fmt.Sprint("/store/orders/", few), ""},
		{"POST", "/messages", `{"message": "It's <b>late</b> "}`},
		{"POST", "/admin/faults",
			fmt.Sprintf(`{"probability": %s, "status": 503, "times": %d, "headers": {"X-A": "1", "X-B": "2"}}`, share,
				few)},
		{"POST", "/admin/faults", fmt.Sprintf(`{"match": {"method": "GET"}, "probability": %s, "status": 418}`, share)},
		{"DELETE", fmt.Sprint("/admin/faults/", few), ""},
		{"PUT", "/admin/operations/getPet", fmt.Sprintf(`{"brownout": %s, "sunset": "2032-01-01"}`, share)},
		{"PUT", "/admin/operations/listPets", `{"deprecated": true, "successor": "/categories", "stability": "beta",
			"sunset": "2033-01-01"}`},
		{"DELETE", "/admin/operations/listPets", ""},
		{"PUT", "/admin/clock", fmt.Sprintf(`{"advance": "%dh", "frozen": %t}`, id*700, few > 3)},
		{"PUT", fmt.Sprintf("/admin/snapshots/s%d", few), ""},
		{"POST", fmt.Sprintf("/admin/snapshots/s%d/restore", few), ""},
		{"DELETE", fmt.Sprintf("/admin/snapshots/s%d", few), ""},
		{"GET", "/admin/snapshots", ""},
		{"GET", fmt.Sprintf("/admin/state/diff?from=s%d", few), ""},
		{"DELETE", "/admin/faults", ""},
		{"POST", "/admin/reset?only=data", ""},
	}
	if control {
		acts = append(acts,
			worldAct{"POST", "/admin/reset", ""},
			worldAct{"POST", "/admin/undo", ""},
			worldAct{"PUT", "/admin/state",
				`{"categories": [{"id": 2, "name": "Fish"}], "pets": [{"id": 3, "name": "Wanda", "categoryId": 2}]}`},
			worldAct{"PUT", "/admin/state?baseline=true",
				`{"categories": [{"id": 2, "name": "Fish"}], "orders": [{"id": 1}], "next": {"pet": 20}}`},
			worldAct{"POST", "/admin/reset", fmt.Sprintf(`{"seed": %d, "pets": %d}`, few, id)},
		)
	}
	return acts
}

// hasMore reports whether the response also has values that a world does not keep: the machine's
// time, or the number of an operation's calls.
func (a worldAct) hasMore() bool {
	return strings.HasPrefix(a.path, "/admin/operations") || strings.HasPrefix(a.path, "/admin/clock") ||
		strings.HasPrefix(a.path, "/admin/reset") || strings.HasSuffix(a.path, "/restore")
}

// inAnotherTime changes the configuration of a server to that of three years later, with another
// sunset and random failures.
func inAnotherTime(c *handlers.Config) {
	c.Now = func() time.Time { return Now.AddDate(3, 0, 0) }
	c.Sunset, c.ErrorRate = Now.AddDate(9, 0, 0), 0.5
}

// TestWorldGivesSameResponses uses a sandbox in every way, moves it to a server at another time and
// with another configuration, and sends both the same requests. Their responses are the same, byte
// for byte, including random faults, and so are their worlds afterwards. The moved sandbox has no
// write to undo.
func TestWorldGivesSameResponses(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		here, there := worldServer(t), worldServer(t, inAnotherTime)
		defer here.Close()
		defer there.Close()
		for range rapid.IntRange(0, 40).Draw(t, "before") {
			act := drawWorldAct(t, true)
			exchange(here, act.method, act.path, act.body)
		}
		if rapid.Bool().Draw(t, "used before") {
			exchange(there, "POST", "/admin/data/pets", `{"name": "Gone", "categoryId": 1}`)
			exchange(there, "PUT", "/admin/snapshots/gone", "")
		}
		file := worldOf(t, here)
		if status, text := exchange(there, "PUT", "/admin/world", file); status != http.StatusOK {
			t.Fatalf("importing: %s\n%s", text, file)
		}
		if diff := cmp.Diff(file, worldOf(t, there)); diff != "" {
			t.Fatalf("exported again, -here +there:\n%s", diff)
		}
		if status, text := exchange(there, "POST", "/admin/undo", ""); status != http.StatusConflict {
			t.Fatalf("undoing the import: %s", text)
		}
		wantNoMore(t, there.Sandboxes().Default(), here.Sandboxes().Default().Usage())
		for range rapid.IntRange(0, 20).Draw(t, "after") {
			act := drawWorldAct(t, false)
			wantStatus, want := exchange(here, act.method, act.path, act.body)
			status, got := exchange(there, act.method, act.path, act.body)
			if act.hasMore() {
				got, want = fmt.Sprint(status), fmt.Sprint(wantStatus)
			}
			if got != want {
				t.Fatalf("%v: -here +there:\n%s", act, cmp.Diff(want, got))
			}
		}
		if diff := cmp.Diff(worldOf(t, here), worldOf(t, there)); diff != "" {
			t.Fatalf("exported at the end, -here +there:\n%s", diff)
		}
	})
}

// worldOfParts returns a world whose data, snapshot, fault rule and clock all contain the number.
func worldOfParts(n int) string {
	state := fmt.Sprintf(`{"categories": [{"id": 1, "name": "%[1]d"}], "orders": [{"id": %[1]d}]}`, n)
	return fmt.Sprintf(`{"format": 1, "seed": %[1]d, "clock": {"now": "20%02[1]d-01-01T00:00:00Z", "frozen": true},
		"faults": [{"id": %[1]d, "match": {"operationId": "createPet"}, "status": %[2]d}], "baseline": %[3]s,
		"snapshots": [{"name": "s%[1]d", "createdAt": "2026-01-01T00:00:00Z", "state": {}}], "state": {}}`, n, 500+n, state)
}

// numberOf returns the number that a world contains, and whether all of its parts agree.
func numberOf(t *testing.T, text []byte) (n int, whole bool) {
	var w struct {
		Seed      int
		Clock     struct{ Now string }
		Faults    []struct{ ID, Status int }
		Baseline  struct{ Categories []struct{ Name string } }
		Snapshots []struct{ Name string }
	}
	if err := json.Unmarshal(text, &w); err != nil {
		t.Errorf("%v\n%s", err, text)
		return 0, false
	}
	n = w.Seed
	return n, len(w.Faults) == 1 && w.Faults[0].ID == n && w.Faults[0].Status == 500+n &&
		w.Clock.Now == fmt.Sprintf("20%02d-01-01T00:00:00Z", n) &&
		len(w.Baseline.Categories) == 1 && w.Baseline.Categories[0].Name == fmt.Sprint(n) && len(w.Snapshots) == 1 &&
		w.Snapshots[0].Name == fmt.Sprint("s", n)
}

// yieldingNow returns the machine's time, which is read in the middle of an export and of an
// import. It yields there, to let other goroutines run.
func yieldingNow() time.Time {
	for range 100 {
		runtime.Gosched()
	}
	return time.Now()
}

// TestWorldIsAtomic imports several worlds at once, valid and invalid ones, while other
// clients read, write, reset and export. An export is always one whole world, and a list has the
// records of one world.
func TestWorldIsAtomic(t *testing.T) {
	t.Parallel()
	const worlds, rounds = 4, 40
	server := must.Get(handlers.New(handlers.Config{Now: yieldingNow}))(t)
	t.Cleanup(server.Close)
	do := func(method, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		return w
	}
	do("PUT", "/admin/world", worldOfParts(1))
	var all sync.WaitGroup
	for n := 1; n <= worlds; n++ {
		all.Go(func() {
			for range rounds {
				if w := do("PUT", "/admin/world", worldOfParts(n)); w.Code != http.StatusOK {
					t.Errorf("world %d: %s", n, w.Body)
				}
				bad := strings.Replace(worldOfParts(9), `"createdAt": "2026`, `"createdAt": "x`, 1)
				if w := do("PUT", "/admin/world", bad); w.Code != http.StatusBadRequest {
					t.Errorf("the bad world: %d %s", w.Code, w.Body)
				}
			}
		})
	}
	all.Go(func() {
		for range rounds {
			do("POST", "/store/orders", `{}`)
			do("POST", "/admin/reset?only=data", "")
			do("POST", "/admin/undo", "")
		}
	})
	all.Go(func() {
		for range rounds {
			w := do("GET", "/admin/world", "")
			if n, whole := numberOf(t, w.Body.Bytes()); !whole || n < 1 || n > worlds {
				t.Errorf("exported: %s", w.Body)
			}
		}
	})
	all.Go(func() {
		for range rounds {
			var categories []struct{ Name string }
			w := do("GET", "/categories", "")
			if err := json.Unmarshal(w.Body.Bytes(), &categories); err != nil || len(categories) != 1 ||
				categories[0].Name == "9" {
				t.Errorf("%v, the categories are %s", err, w.Body)
			}
		}
	})
	all.Wait()
	if n, whole := numberOf(t, do("GET", "/admin/world", "").Body.Bytes()); !whole {
		t.Errorf("the final state has a part of world %d", n)
	}
}

// TestWorldIsFreed checks that a world no longer counts once its snapshots are dropped and the
// sandbox has the server's initial data again.
func TestWorldIsFreed(t *testing.T) {
	t.Parallel()
	here, there := worldServer(t), worldServer(t)
	for i := range 5 {
		exchange(here, "POST", "/pets", `{"name": "Rex", "categoryId": 1}`)
		exchange(here, "DELETE", fmt.Sprint("/pets/", i+2), "")
		exchange(here, "PUT", fmt.Sprint("/admin/snapshots/s", i), "")
	}
	if status, text := exchange(there, "PUT", "/admin/world", worldOf(t, here)); status != http.StatusOK {
		t.Fatal(text)
	}
	sb := there.Sandboxes().Default()
	if held := sb.Usage(); held.Records == 0 || held.Kept == 0 || held.Undo != 0 {
		t.Errorf("it holds %+v", held)
	}
	exchange(there, "POST", "/admin/reset?only=data,snapshots", "")
	if held := sb.Usage(); held.Records != 0 || held.Kept != 0 {
		t.Errorf("after a reset it holds %+v, want nothing but its journal", held)
	}
	if sb.Baseline().State != there.Sandboxes().Baseline("ada", true).State {
		t.Error("its baseline is another copy of the data of the server's start")
	}
}
