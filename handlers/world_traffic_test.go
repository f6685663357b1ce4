package handlers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/petstore/handlers"
)

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
	return n, len(w.Faults) == 1 && w.Faults[0].ID == n && w.Faults[0].Status == 500+n && w.Clock.Now == fmt.Sprintf("20%02d-01-01T00:00:00Z", n) &&
		len(w.Baseline.Categories) == 1 && w.Baseline.Categories[0].Name == fmt.Sprint(n) && len(w.Snapshots) == 1 && w.Snapshots[0].Name == fmt.Sprint("s", n)
}

// letOthersRun returns the machine's time, which is read in the middle of an export and of an
// import. It yields there, to let other goroutines run.
func letOthersRun() time.Time {
	for range 100 {
		runtime.Gosched()
	}
	return time.Now()
}

// TestWorldIsAllOrNothing imports several worlds at once, valid and invalid ones, while other
// clients read, write, reset and export. An export is always one whole world, and a list has the
// records of one world.
func TestWorldIsAllOrNothing(t *testing.T) {
	t.Parallel()
	const worlds, rounds = 4, 40
	server, err := handlers.New(handlers.Config{Now: letOthersRun})
	if err != nil {
		t.Fatal(err)
	}
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
			if err := json.Unmarshal(w.Body.Bytes(), &categories); err != nil || len(categories) != 1 || categories[0].Name == "9" {
				t.Errorf("%v, the categories are %s", err, w.Body)
			}
		}
	})
	all.Wait()
	if n, whole := numberOf(t, do("GET", "/admin/world", "").Body.Bytes()); !whole {
		t.Errorf("in the end it is world %d in part", n)
	}
}

// TestWorldIsFreed checks that a world no longer counts once its snapshots are dropped and the
// sandbox has the server's initial data again.
func TestWorldIsFreed(t *testing.T) {
	t.Parallel()
	here, there := worldServer(t, 0), worldServer(t, 0)
	for i := range 5 {
		say(here, "POST", "/pets", `{"name": "Rex", "categoryId": 1}`)
		say(here, "DELETE", fmt.Sprint("/pets/", i+2), "")
		say(here, "PUT", fmt.Sprint("/admin/snapshots/s", i), "")
	}
	if status, text := say(there, "PUT", "/admin/world", worldOf(t, here)); status != http.StatusOK {
		t.Fatal(text)
	}
	sb := there.Sandboxes().Default()
	if held := sb.Usage(); held.Records == 0 || held.Snapshots == 0 || held.Undo != 0 {
		t.Errorf("it holds %+v", held)
	}
	say(there, "POST", "/admin/reset?only=data,snapshots", "")
	if held := sb.Usage(); held.Records != 0 || held.Snapshots != 0 {
		t.Errorf("after a reset it holds %+v, want nothing but its journal", held)
	}
	if sb.Baseline().State != there.Sandboxes().FirstBaseline("ada").State {
		t.Error("its baseline is another copy of the data of the server's start")
	}
}
