package middleware_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/petstoretest"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
)

// TestWaitsEndWithTheSandbox has what a request waits in go away, or begin anew. Where
// anything is answered it is why and that the operation did not run, and it did not.
func TestWaitsEndWithTheSandbox(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*handlers.Server, *registry.Entry){
		"the sandbox was dropped":        func(s *handlers.Server, _ *registry.Entry) { _ = s.Sandboxes().Drop("ada") },
		"the server was stopped":         func(s *handlers.Server, _ *registry.Entry) { s.Close() },
		"the sandbox was reset":          func(_ *handlers.Server, sb *registry.Entry) { sb.Reset() },
		"the sandbox was reset, in part": func(_ *handlers.Server, sb *registry.Entry) { sb.Reset(sandbox.PartData) },
		"the key or the privacy of the sandbox changed": func(s *handlers.Server, _ *registry.Entry) {
			_, _, _, _ = s.Sandboxes().MakeOwned("ada", registry.CreateOptions{}, registry.Ownership{Private: new(true)})
		},
		"the sandbox was reset to other data": func(s *handlers.Server, sb *registry.Entry) {
			_, _, _ = s.Sandboxes().Make("ada", registry.CreateOptions{Baseline: new(sb.Baseline())})
		},
	} {
		for why, wait := range waits {
			t.Run(name+", "+why, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					server := newServer(t)
					sb, _, err := server.Sandboxes().Make("ada", registry.CreateOptions{})
					if err != nil {
						t.Fatal(err)
					}
					if wait.rule != "" {
						arrange(t, server, "ada", wait.rule)
					}
					before := dataOf(t, sb)
					start := time.Now()
					ended := make(chan *httptest.ResponseRecorder)
					ask := func() {
						r := httptest.NewRequest("POST", "/sandboxes/ada/pets", strings.NewReader(newPet))
						r.Header = with(wait.header, http.Header{"Content-Type": {"application/json"}})
						w := httptest.NewRecorder()
						serveTo(server, w, r)
						ended <- w
					}
					go ask()
					synctest.Wait()
					end(server, sb)
					w := <-ended
					if strings.Contains(wait.rule, "hang") {
						if w.Flushed || w.Body.Len() > 0 {
							t.Errorf("%d %s, want nothing", w.Code, w.Body)
						}
					} else {
						cause, _, _ := strings.Cut(name, ",")
						cause, _, _ = strings.Cut(cause, " to ")
						expectInterrupted(t, w.Result(), cause)
					}
					if entries, _ := sb.Journal.Size(); entries > 0 && (strings.HasSuffix(name, "reset") || strings.HasSuffix(name, "other data")) {
						t.Errorf("the new journal has %d requests of before the reset", entries)
					}
					if dataOf(t, sb) != before {
						t.Error("the operation ran")
					}
					if waited := time.Since(start); waited != 0 {
						t.Errorf("it waited for %v", waited)
					}
				})
			})
		}
	}
}

// expectInterrupted wants the answer to a request whose wait was cut short.
func expectInterrupted(t *testing.T, response *http.Response, cause string) {
	t.Helper()
	var p problem
	if err := json.NewDecoder(response.Body).Decode(&p); err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != 503 || p.Code != "unavailable" || p.Message != cause+" while the request waited, so the operation did not run" {
		t.Errorf("%d %+v", response.StatusCode, p)
	}
	if header := response.Header; header.Get("Retry-After") == "" || header["Preference-Applied"] != nil {
		t.Errorf("headers %v", header)
	}
}

// TestWaitsOutlastOtherChanges: what resets no data ends no waits, nor does what is a
// write like another.
func TestWaitsOutlastOtherChanges(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
		w := &world{URL: srv.URL, Client: srv.Client}
		statuses := make(chan int)
		go func() {
			a, err := w.Try(t.Context(), request{Method: "POST", Path: "/pets", Body: newPet, Header: prefer("delay=1000")})
			if err != nil {
				t.Error(err)
			}
			statuses <- a.Status
		}()
		synctest.Wait()
		w.Must(t, request{Method: "POST", Path: "/admin/reset?only=faults,clock,lifecycle,journal,report,keys,limit,snapshots"})
		w.Must(t, put("/admin/state", string(w.Get(t, "/admin/state").Body)))
		w.Must(t, request{Method: "POST", Path: "/admin/undo"})
		if status := <-statuses; status != http.StatusCreated {
			t.Errorf("status = %d", status)
		}
	})
}

// TestWaitAfterwardsEndsWithTheServer is of an operation that has run.
func TestWaitAfterwardsEndsWithTheServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := newServer(t)
		arrange(t, server, "default", `{"delay": {"fixedMs": 1000}, "when": "after"}`)
		ended := make(chan *httptest.ResponseRecorder)
		go func() {
			w := httptest.NewRecorder()
			serveTo(server, w, httptest.NewRequest("DELETE", "/pets/5", nil))
			ended <- w
		}()
		synctest.Wait()
		server.Close()
		w := <-ended
		var p problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != 503 || p.Code != "unavailable" || !strings.Contains(p.Message, "returned status 204") {
			t.Errorf("%d %+v %v", w.Code, p, err)
		}
		if _, err := server.Sandboxes().Default().Store.View().FindPet(5); err == nil {
			t.Error("the operation did not run")
		}
	})
}

// TestJournalWaitsEndWithTheOwner: who waits for requests by an old key is not told of them.
func TestJournalWaitsEndWithTheOwner(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := newServer(t)
		own := func(key string) {
			if _, _, _, err := server.Sandboxes().MakeOwned("ada", registry.CreateOptions{}, registry.Ownership{Key: &key}); err != nil {
				t.Error(err)
			}
		}
		own("old")
		start := time.Now()
		ended := make(chan *httptest.ResponseRecorder)
		go func() {
			r := httptest.NewRequest("GET", "/sandboxes/ada/admin/requests?wait=60s", nil)
			r.Host, r.Header = "localhost", http.Header{"Authorization": {"Bearer old"}}
			w := httptest.NewRecorder()
			serveTo(server, w, r)
			ended <- w
		}()
		synctest.Wait()
		own("old") // which changes nothing
		synctest.Wait()
		own("new")
		expectInterrupted(t, (<-ended).Result(), "the key or the privacy of the sandbox changed")
		if waited := time.Since(start); waited != 0 {
			t.Errorf("it waited for %v", waited)
		}
	})
}
