package admin_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/registry"
)

func TestRequests(t *testing.T) { RunScenarios(t, requestScenarios()) }

// requestScenarios returns scenarios that the transcript requests.txt lacks.
func requestScenarios() []Scenario {
	at := func(query string) Request { return Get("/admin/requests" + query) }
	some := []Request{
		Get("/pets"), Get("/pets/1"), Delete("/pets/2"),
		Get("/healthz"), Get("/openapi.json"), Get("/admin"), Get("/"),
	}
	lists := func(want string) func(*testing.T, *Answer) {
		return func(t *testing.T, a *Answer) {
			t.Helper()
			if got := JournalOf(t, a).String(); got != want {
				t.Errorf("requests are\n%swant\n%s", got, want)
			}
		}
	}
	const all = "1 GET /pets = 200\n2 GET /pets/1 = 200\n3 DELETE /pets/2 = 204\nmatched 3, dropped 0, oldest 1\n"
	bad := func(query, field string) Scenario {
		return Refused("bad "+query, at(query), 400, "invalid_parameter", field)
	}
	off := func(c *handlers.Config) { c.Journal = new(0) }
	without := func(query, field string) Scenario {
		return Refused("without a journal "+query, at(query), 400, "invalid_parameter", field).On(off)
	}
	return []Scenario{
		{Name: "requests of another status class", Request: at("?status=4xx"), Before: some, Status: 200,
			Check: lists("matched 0, dropped 0, oldest 1\n")},
		{Name: "oldest first", Request: at("?order=asc"), Before: some, Status: 200, Check: lists(all)},
		{Name: "newest first, once they come", Request: at("?order=desc&count=3&wait=60s&limit=1"), Before: some,
			Status: 200,
			Check:  lists("3 DELETE /pets/2 = 204\nmatched 3, dropped 0, oldest 1\n")},
		without("?count=1&wait=60s", "count"), without("?count=5000", "count"), without("?wait=60s", "wait"),
		{Name: "as many as are wanted", Request: at("?count=3&wait=60s"), Before: some, Status: 200, Check: lists(all)},
		{Name: "an archive", Request: at("?format=har&order=desc&limit=2"), Before: some, Status: 200,
			Check:   isArchive("DELETE /pets/2 = 204", "GET /pets/1 = 200"),
			Headers: http.Header{"Content-Type": {"application/har+json"}}},
		{Name: "an archive of nothing", Request: at("?format=har"), Status: 200, Check: isArchive()},
		{Name: "requests as JSON", Request: at("?format=json"), Before: some, Status: 200, Check: lists(all)},
		bad("?format=", "format"),
		bad("?path=/**/1", "path"), bad("?status=600", "status"),
		bad("?status=6xx", "status"), bad("?status=0xx", "status"), bad("?status=xx", "status"),
		bad("?status=44xx", "status"), bad("?status=4xX", "status"), bad("?status=", "status"),
		bad("?order=", "order"),
		// More than the journal's capacity.
		bad("?since=-1", "since"), bad("?limit=1001", "limit"), bad("?count=0", "count"),
		bad("?count=1001&wait=1ms", "count"),
		bad("?wait=5", "wait"), bad("?wait=-1s", "wait"), bad("?wait=61s", "wait"), bad("?method=", "method"),
		Refused("requests without the key", at(""),
			401, "unauthorized").On(func(c *handlers.Config) { c.AdminKey = "secret" }),
		Answered("requests after a reset", at(""),
			200, `{"requests": [], "matched": 0, "dropped": 0}`).After(append(some, Post("/admin/reset", ""))...),
	}
}

// isArchive checks that the response is an HTTP Archive of these requests.
func isArchive(want ...string) func(*testing.T, *Answer) {
	return func(t *testing.T, a *Answer) {
		t.Helper()
		var archive struct {
			Log struct {
				Entries []struct {
					Request  struct{ Method, URL string }
					Response struct{ Status int }
				}
			}
		}
		a.Decode(t, &archive)
		var got []string
		for _, e := range archive.Log.Entries {
			address, err := url.Parse(e.Request.URL)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%s %s = %d", e.Request.Method, address.Path, e.Response.Status))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// TestHARHasBothTimes sets the clock of a sandbox and checks that an entry has the machine's
// time, by which browsers sort, and the sandbox's time.
func TestHARHasBothTimes(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Put("/sandboxes/ada/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`))
	w.Get(t, "/sandboxes/ada/pets?limit=1")
	var archive struct {
		Log struct {
			Entries []struct {
				StartedDateTime time.Time
				SandboxTime     time.Time `json:"_time"`
				Request         struct{ URL string }
			}
		}
	}
	w.Get(t, "/sandboxes/ada/admin/requests?format=har").Decode(t, &archive)
	e := archive.Log.Entries[0]
	if !e.StartedDateTime.Equal(Now) || e.SandboxTime.Year() != 2031 ||
		e.Request.URL != w.URL+"/sandboxes/ada/pets?limit=1" {
		t.Errorf("the entry is %+v", e)
	}
}

func TestJournalOfUnknownPaths(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, r := range []Request{
		Get("/nope"), Post("/pets/1", ""), {Method: "OPTIONS", Path: "/pets"},
		{Method: "OPTIONS", Path: "/orders",
			Header: http.Header{"Origin": {"http://app.example"}, "Access-Control-Request-Method": {"PUT"}}},
		Get("/admin/nope"), Put("/admin", ""), {Method: "OPTIONS", Path: "/admin/reset"},
	} {
		w.Do(t, r)
	}
	const want = "1 GET /nope = 404\n2 POST /pets/1 = 405\n3 OPTIONS /pets = 204\n4 OPTIONS /orders = 204\nmatched " +
		"4, dropped 0, oldest 1\n"
	if got := JournalOf(t, w.Get(t, "/admin/requests")).String(); got != want {
		t.Errorf("requests are\n%swant\n%s", got, want)
	}
}

func TestWaitingEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*handlers.Server, context.CancelFunc){
		"with the server":  func(s *handlers.Server, _ context.CancelFunc) { s.Close() },
		"with the sandbox": func(s *handlers.Server, _ context.CancelFunc) { _ = s.Sandboxes().Drop("ada") },
		"with the client":  func(_ *handlers.Server, leave context.CancelFunc) { leave() },
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
				end(server, leave)
				w := <-ended
				a := &Answer{Status: w.Code, Header: w.Header(), Body: w.Body.Bytes()}
				if a.Status != 200 || !JournalOf(t, a).TimedOut || time.Since(start) != 0 {
					t.Errorf("the wait ends after %v with %d %s", time.Since(start), a.Status, a.Body)
				}
			})
		})
	}
}
