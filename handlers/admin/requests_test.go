package admin_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/registry"
)

func TestWaitingEnds(t *testing.T) {
	t.Parallel()
	for name, with := range map[string]struct {
		end    func(*handlers.Server, context.CancelFunc)
		status int
		says   string
	}{
		"server": {func(s *handlers.Server, _ context.CancelFunc) { s.Close() }, 503, "the server was stopped while"},
		"sandbox": {func(s *handlers.Server, _ context.CancelFunc) { _ = s.Sandboxes().Drop("ada") }, 503,
			"the sandbox was dropped while"},
		"client": {func(_ *handlers.Server, leave context.CancelFunc) { leave() }, 200, ""}, // nothing is written
	} {
		t.Run(name, func(t *testing.T) {
			testmain.Bubble(t, func(t *testing.T) {
				server := NewServer(t)
				if _, _, _, err := server.Sandboxes().Make("ada", registry.CreateOptions{}); err != nil {
					t.Fatal(err)
				}
				ctx, leave := context.WithCancel(t.Context())
				defer leave()
				ended := make(chan *httptest.ResponseRecorder)
				start := time.Now()
				go func() {
					w := httptest.NewRecorder()
					Serve(server, w,
						httptest.NewRequestWithContext(ctx, "GET",
							"http://localhost/sandboxes/ada/admin/requests?wait=60s", nil))
					ended <- w
				}()
				synctest.Wait()
				with.end(server, leave)
				w := <-ended
				if time.Since(start) != 0 || w.Code != with.status || !strings.Contains(w.Body.String(), with.says) {
					t.Errorf("the wait ends after %v with %d %s", time.Since(start), w.Code, w.Body)
				}
			})
		})
	}
}

// TestWaitForNoTime checks that a request that waits for no time says when too few requests match.
func TestWaitForNoTime(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for query, timedOut := range map[string]bool{"count=1&wait=0s": true, "count=1": true, "wait=0s": false, "": false} {
		a := w.Must(t, Get("/admin/requests?status=418&"+query))
		if got := JournalOf(t, a); got.TimedOut != timedOut {
			t.Errorf("%q: timedOut is %t", query, got.TimedOut)
		}
	}
}

// TestRequestsThatChanged checks that entries of requests that changed the data say so.
func TestRequestsThatChanged(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for range 2 { // the second request changes nothing
		w.Must(t, Patch("/pets/1", `{"name": "Bello"}`))
	}
	w.Must(t, Get("/pets/1"))
	requests := JournalOf(t, w.Must(t, Get("/admin/requests"))).Requests
	if len(requests) != 3 || !requests[0].Changed || requests[1].Changed || requests[2].Changed {
		t.Errorf("the requests are %+v", requests)
	}
}

// TestUndoneRequests checks that the journal marks exactly the requests whose changes are undone, in its entries and
// in HTTP Archives, also after an undo of a restored snapshot.
func TestUndoneRequests(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	undone := func(when, want string) {
		t.Helper()
		var ids, archived string
		for _, e := range JournalOf(t, w.Must(t, Get("/admin/requests"))).Requests {
			if e.Undone {
				ids += fmt.Sprint(e.ID, " ")
			}
		}
		var har struct {
			Log struct {
				Entries []struct {
					ID     int64 `json:"_id"`
					Undone bool  `json:"_undone"`
				} `json:"entries"`
			} `json:"log"`
		}
		w.Must(t, Get("/admin/requests?format=har")).Decode(t, &har)
		for _, e := range har.Log.Entries {
			if e.Undone {
				archived += fmt.Sprint(e.ID, " ")
			}
		}
		if ids != want || archived != want {
			t.Errorf("%s, the requests %q are undone, and %q in the archive, want %q", when, ids, archived, want)
		}
	}
	undo := func(body string) { w.Must(t, Post("/admin/undo", body)) }
	w.Must(t, Put("/admin/snapshots/before", ""))
	w.Must(t, Patch("/pets/1", `{"name": "Bello"}`)) // 1
	w.Must(t, Delete("/pets/2"))                     // 2
	undone("first", "")
	undo("")
	w.Must(t, Get("/pets/1")) // 3
	undone("after one undo", "2 ")
	undo("")
	undone("after another undo", "1 2 ")
	w.Must(t, Patch("/pets/1", `{"name": "Rexina"}`)) // 4
	undone("after a write", "1 2 ")
	w.Must(t, Post("/admin/snapshots/before/restore", ""))
	w.Must(t, Patch("/pets/1", `{"name": "Ada"}`)) // 5
	undo("")
	undo("")
	undone("after undoing the restore", "1 2 5 ")
	w.Must(t, Patch("/pets/1", `{"name": "Ada"}`)) // 6
	undo(`{"steps": 2}`)
	undone("after undoing all", "1 2 4 5 6 ")
	w.Must(t, Post("/admin/reset?only=data", ""))
	w.Must(t, Patch("/pets/1", `{"name": "Zoe"}`)) // 7
	undone("after a reset of the data", "1 2 4 5 6 ")
}
