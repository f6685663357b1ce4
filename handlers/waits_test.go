package handlers_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/petstoretest"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
)

// waits are the ways to make a request wait for an hour or a minute.
var waits = map[string]struct {
	rule   string
	header http.Header
}{
	"a fault":             {rule: `{"delay": {"fixedMs": 600000}}`},
	"a fault that fails":  {rule: `{"delay": {"fixedMs": 600000}, "status": 503}`},
	"a fault that resets": {rule: `{"delay": {"fixedMs": 600000}, "abort": "reset"}`},
	"a fault that hangs":  {rule: `{"abort": "hang"}`},
	"Prefer":              {header: Prefer("delay=60000")},
}

// TestWaitsEndWithTheClient disconnects while the request waits, for each kind of wait and of
// body. The operation must not run afterwards.
func TestWaitsEndWithTheClient(t *testing.T) {
	t.Parallel()
	for why, wait := range waits {
		for name, r := range map[string]Request{
			"no body":               Delete("/pets/100"),
			"a body":                Post("/pets", NewPet),
			"a body without length": {Method: "POST", Path: "/pets", Body: NewPet, Chunked: true},
			"a body of no use": {Method: "DELETE", Path: "/pets/100", Body: NewPet,
				Header: http.Header{"Content-Type": {"text/plain"}}},
			"a body that is large": Post("/pets", `{"name": "`+strings.Repeat("x", 2<<20)+`", "categoryId": 1}`),
		} {
			t.Run(why+", "+name, func(t *testing.T) {
				testmain.Bubble(t, func(t *testing.T) {
					srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
					w := &World{URL: srv.URL, Client: srv.Client}
					if wait.rule != "" {
						w.Must(t, Post("/admin/faults", wait.rule))
					}
					before := w.Get(t, "/admin/state").Body
					start := time.Now()
					ctx, leave := context.WithCancel(t.Context())
					left := make(chan error, 1)
					go func() {
						r.Header = with(r.Header, wait.header)
						_, err := w.Try(ctx, r)
						left <- err
					}()
					synctest.Wait()
					leave()
					if err := <-left; !errors.Is(err, context.Canceled) {
						t.Errorf("error = %v", err)
					}
					synctest.Wait()
					if entries := srv.Requests(petstoretest.Filter{}); len(entries) != 1 || entries[0].Status != 0 {
						t.Errorf("the journal has %+v, want one request without an answer", entries)
					}
					if diff := cmp.Diff(string(before), string(w.Get(t, "/admin/state").Body)); diff != "" {
						t.Errorf("the operation ran:\n%s", diff)
					}
					if waited := time.Since(start); waited != 0 {
						t.Errorf("it waited for %v", waited)
					}
				})
			})
		}
	}
}

// with returns the headers and the additional ones.
func with(header, more http.Header) http.Header {
	all := header.Clone()
	if all == nil {
		all = make(http.Header)
	}
	for name, values := range more {
		all[name] = values
	}
	return all
}

// TestWaitsOutlastBodyTimeout checks that a wait may be longer than the time for reading a body, because the
// client has already sent its body. An error of the body is returned after the wait.
func TestWaitsOutlastBodyTimeout(t *testing.T) {
	t.Parallel()
	large := `{"name": "` + strings.Repeat("x", 2<<20) + `", "categoryId": 1}`
	for name, test := range map[string]struct {
		Request
		status int
	}{
		"no body":                     {Delete("/pets/100"), 204},
		"a body":                      {Post("/pets", NewPet), 201},
		"a body of no use":            {Textual(Request{Method: "DELETE", Path: "/pets/100", Body: NewPet}), 204},
		"a body without length":       {Request{Method: "POST", Path: "/pets", Body: NewPet, Chunked: true}, 201},
		"a large body":                {Post("/pets", large), 413},
		"a large body without length": {Request{Method: "POST", Path: "/pets", Body: large, Chunked: true}, 413},
		"a body of another type":      {Textual(Post("/pets", "x")), 415},
	} {
		t.Run(name, func(t *testing.T) {
			testmain.Bubble(t, func(t *testing.T) {
				srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
				start := time.Now()
				a, err := (&World{URL: srv.URL, Client: srv.Client}).Try(t.Context(), test.With("Prefer", "delay=50000"))
				if err != nil {
					t.Fatal(err)
				}
				if a.Expect(t, test.status, ""); time.Since(start) != 50*time.Second {
					t.Errorf("it took %v", time.Since(start))
				}
				a.ExpectHeader(t, "Preference-Applied", "delay=50000")
				if took := srv.Requests(petstoretest.Filter{})[0].DurationMS; took != 50_000 {
					t.Errorf("the journal says that it took %v ms", took)
				}
			})
		})
	}
}

// TestWaitsEndWithTheSandbox drops or resets the object of a wait. The response, if there is one,
// gives the reason and says that the operation did not run, and it did not.
func TestWaitsEndWithTheSandbox(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*handlers.Server, *registry.Entry){
		"the sandbox was dropped":        func(s *handlers.Server, _ *registry.Entry) { _ = s.Sandboxes().Drop("ada") },
		"the server was stopped":         func(s *handlers.Server, _ *registry.Entry) { s.Close() },
		"the sandbox was reset":          func(_ *handlers.Server, sb *registry.Entry) { sb.Reset() },
		"the sandbox was reset, in part": func(_ *handlers.Server, sb *registry.Entry) { sb.Reset(sandbox.PartData) },
		"the key or the privacy of the sandbox changed": func(s *handlers.Server, _ *registry.Entry) {
			_, _, _, _ = s.Sandboxes().Make("ada", registry.CreateOptions{Private: new(true)})
		},
		"the sandbox was reset to other data": func(s *handlers.Server, sb *registry.Entry) {
			_, _, _, _ = s.Sandboxes().Make("ada", registry.CreateOptions{Baseline: new(sb.Baseline())})
		},
	} {
		for why, wait := range waits {
			t.Run(name+", "+why, func(t *testing.T) {
				testmain.Bubble(t, func(t *testing.T) {
					server := NewServer(t)
					sb, _, _, err := server.Sandboxes().Make("ada", registry.CreateOptions{})
					if err != nil {
						t.Fatal(err)
					}
					if wait.rule != "" {
						arrange(t, server, "ada", wait.rule)
					}
					before := DataOf(t, sb)
					start := time.Now()
					ended := make(chan *httptest.ResponseRecorder)
					ask := func() {
						r := httptest.NewRequest("POST", "/sandboxes/ada/pets", strings.NewReader(NewPet))
						r.Header = with(wait.header, http.Header{"Content-Type": {"application/json"}})
						w := httptest.NewRecorder()
						Serve(server, w, r)
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
					if entries, _ := sb.Journal.Size(); entries > 0 &&
						(strings.HasSuffix(name, "reset") || strings.HasSuffix(name, "other data")) {
						t.Errorf("the new journal has %d requests of before the reset", entries)
					}
					if DataOf(t, sb) != before {
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

// expectInterrupted checks the response to a request whose wait was interrupted.
func expectInterrupted(t *testing.T, response *http.Response, cause string) {
	t.Helper()
	var p Problem
	must.Succeed(t, json.NewDecoder(response.Body).Decode(&p))
	if response.StatusCode != 503 || p.Code != "unavailable" ||
		p.Message != cause+" while the request waited, so the operation did not run" {
		t.Errorf("%d %+v", response.StatusCode, p)
	}
	if header := response.Header; header.Get("Retry-After") == "" || header["Preference-Applied"] != nil {
		t.Errorf("headers %v", header)
	}
}

// TestWaitsOutlastOtherChanges checks that requests which do not reset data, and ordinary writes,
// do not end a wait.
func TestWaitsOutlastOtherChanges(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
		w := &World{URL: srv.URL, Client: srv.Client}
		statuses := make(chan int)
		go func() {
			a, err := w.Try(t.Context(), Post("/pets", NewPet).With("Prefer", "delay=1000"))
			if err != nil {
				t.Error(err)
			}
			statuses <- a.Status
		}()
		synctest.Wait()
		w.Must(t, Post("/admin/reset?only=faults,clock,lifecycle,journal,report,keys,limit,snapshots", ""))
		w.Must(t, Put("/admin/state", string(w.Get(t, "/admin/state").Body)))
		w.Must(t, Post("/admin/undo", ""))
		if status := <-statuses; status != http.StatusCreated {
			t.Errorf("status = %d", status)
		}
	})
}

// TestWaitsPastTheSunset checks that a request which arrives before a sunset and waits past it gets
// the response that its Warning announces.
func TestWaitsPastTheSunset(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
		w := &World{URL: srv.URL, Client: srv.Client}
		w.Must(t, Request{Method: "PATCH", Path: "/admin/operations/getPet", Body: `{"enforceSunset": true}`})
		srv.SetTime(config.DefaultSunset().Add(-time.Second))
		a := must.Get(w.Try(t.Context(), Request{Method: "GET", Path: "/pets/1", Header: Prefer("delay=2000")}))(t)
		if warning := a.Header.Get("Warning"); a.Status != http.StatusOK ||
			!strings.Contains(warning, "will be removed") {
			t.Errorf("%d with %q", a.Status, warning)
		}
	})
}

// TestJournalWaitsEndWithTheOwner checks that a wait for requests ends at once when the key of its
// sandbox changes, and does not end when the same key is set again.
func TestJournalWaitsEndWithTheOwner(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		server := NewServer(t)
		own := func(key string) {
			if _, _, _, err := server.Sandboxes().
				Make("ada", registry.CreateOptions{Key: &key}); err != nil {
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
			Serve(server, w, r)
			ended <- w
		}()
		synctest.Wait()
		own("old")
		synctest.Wait()
		own("new")
		expectInterrupted(t, (<-ended).Result(), "the key or the privacy of the sandbox changed")
		if waited := time.Since(start); waited != 0 {
			t.Errorf("it waited for %v", waited)
		}
	})
}
