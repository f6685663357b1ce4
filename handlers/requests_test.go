package handlers_test

import (
	"net/http/httptest"
	"testing/synctest"
	"time"

	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
)

func TestRequests(t *testing.T) { runScenarios(t, requestScenarios()) }

func requestScenarios() []scenario {
	at := func(query string) request { return request{method: "GET", path: "/admin/requests" + query} }
	clearing := request{method: "DELETE", path: "/admin/requests"}
	some := []request{
		{method: "GET", path: "/pets"}, {method: "GET", path: "/pets/1"}, {method: "DELETE", path: "/pets/2"},
		{method: "GET", path: "/healthz"}, {method: "GET", path: "/openapi.json"}, {method: "GET", path: "/admin"}, {method: "GET", path: "/"},
	}
	lists := func(want string) func(*testing.T, *answer) {
		return func(t *testing.T, a *answer) {
			t.Helper()
			if got := a.journal(t).String(); got != want {
				t.Errorf("requests are\n%swant\n%s", got, want)
			}
		}
	}
	const all = "1 GET /pets = 200\n2 GET /pets/1 = 200\n3 DELETE /pets/2 = 204\nmatched 3, dropped 0, oldest 1\n"
	bad := func(query, field string) scenario {
		return scenario{name: "bad " + query, request: at(query), status: 400, code: "invalid_parameter", fields: []string{field}}
	}
	small := func(c *handlers.Config) { c.Journal = new(2) }
	off := func(c *handlers.Config) { c.Journal = new(0) }
	return []scenario{
		{name: "requests", request: at(""), before: some, status: 200, check: lists(all)},
		{name: "no requests", request: at(""), status: 200, want: `{"requests": [], "matched": 0, "dropped": 0}`},
		{name: "requests by operation", request: at("?operationId=getPet"), before: some, status: 200,
			check: lists("2 GET /pets/1 = 200\nmatched 1, dropped 0, oldest 1\n")},
		{name: "requests by method", request: at("?method=DELETE"), before: some, status: 200,
			check: lists("3 DELETE /pets/2 = 204\nmatched 1, dropped 0, oldest 1\n")},
		{name: "requests by path", request: at("?path=/pets/*"), before: some, status: 200,
			check: lists("2 GET /pets/1 = 200\n3 DELETE /pets/2 = 204\nmatched 2, dropped 0, oldest 1\n")},
		{name: "requests by status", request: at("?status=204"), before: some, status: 200,
			check: lists("3 DELETE /pets/2 = 204\nmatched 1, dropped 0, oldest 1\n")},
		{name: "requests since", request: at("?since=2"), before: some, status: 200,
			check: lists("3 DELETE /pets/2 = 204\nmatched 1, dropped 0, oldest 1\n")},
		{name: "the first requests", request: at("?limit=1"), before: some, status: 200,
			check: lists("1 GET /pets = 200\nmatched 3, dropped 0, oldest 1\n")},
		{name: "requests of a small journal", request: at(""), config: small, before: some, status: 200,
			check: lists("2 GET /pets/1 = 200\n3 DELETE /pets/2 = 204\nmatched 2, dropped 1, oldest 2\n")},
		{name: "no journal", request: at(""), config: off, before: some, status: 200, want: `{"requests": [], "matched": 0, "dropped": 0}`},
		{name: "waiting without a journal", request: at("?wait=60s"), config: off, status: 200,
			want: `{"requests": [], "matched": 0, "dropped": 0, "timedOut": true}`},
		{name: "as many as are wanted", request: at("?count=3&wait=60s"), before: some, status: 200, check: lists(all)},
		{name: "fewer than are wanted, now", request: at("?count=4"), before: some, status: 200, check: lists(all)},
		{name: "fewer than are wanted, later", request: at("?count=4&wait=1ms"), before: some, status: 200, check: lists(all + "timed out\n")},
		bad("?operationId=getPets", "operationId"), bad("?path=pets", "path"), bad("?path=/**/1", "path"), bad("?status=600", "status"),
		bad("?since=-1", "since"), bad("?limit=0", "limit"), bad("?limit=1001", "limit"), bad("?count=0", "count"), bad("?count=1001&wait=1ms", "count"), // more than the journal keeps
		bad("?wait=5", "wait"), bad("?wait=-1s", "wait"), bad("?wait=61s", "wait"), bad("?method=", "method"),
		{name: "requests without the key", request: at(""), config: func(c *handlers.Config) { c.AdminKey = "secret" }, status: 401, code: "unauthorized"},
		{name: "clear", request: clearing, before: some, status: 204},
		{name: "requests after a clearing", request: at(""), before: append(some, clearing, request{method: "GET", path: "/pets/3"}), status: 200,
			check: lists("4 GET /pets/3 = 200\nmatched 1, dropped 0, oldest 4\n")},
		{name: "requests after a reset", request: at(""), before: append(some, request{method: "POST", path: "/admin/reset"}), status: 200,
			want: `{"requests": [], "matched": 0, "dropped": 0}`},
	}
}

// journal is the answer of listRequests.
type journal struct{ admin.Requests }

func (a *answer) journal(t *testing.T) journal {
	t.Helper()
	var j journal
	a.decode(t, &j.Requests)
	return j
}

func (j journal) String() string {
	var b strings.Builder
	for _, e := range j.Requests.Requests {
		fmt.Fprintf(&b, "%d %s %s = %d\n", e.ID, e.Method, e.Path, e.Status)
	}
	fmt.Fprintf(&b, "matched %d, dropped %d, oldest %d\n", j.Matched, j.Dropped, j.Oldest)
	if j.TimedOut {
		b.WriteString("timed out\n")
	}
	return b.String()
}

func TestJournalHasWhatNoOperationAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, r := range []request{
		{method: "GET", path: "/nope"}, {method: "POST", path: "/pets/1"}, {method: "OPTIONS", path: "/pets"},
		{method: "OPTIONS", path: "/orders", header: http.Header{"Origin": {"http://app.example"}, "Access-Control-Request-Method": {"PUT"}}},
		{method: "GET", path: "/admin/nope"}, {method: "PUT", path: "/admin"}, {method: "OPTIONS", path: "/admin/reset"},
	} {
		w.do(t, r)
	}
	const want = "1 GET /nope = 404\n2 POST /pets/1 = 405\n3 OPTIONS /pets = 204\n4 OPTIONS /orders = 204\nmatched 4, dropped 0, oldest 1\n"
	if got := w.get(t, "/admin/requests").journal(t).String(); got != want {
		t.Errorf("requests are\n%swant\n%s", got, want)
	}
}

// TestJournalHasNoKeys sends keys everywhere where a client may, and where it may not.
func TestJournalHasNoKeys(t *testing.T) {
	t.Parallel()
	const key, adminKey = "s3rv1c3-k3y", "adm1n-k3y"
	w := newWorld(t, func(c *handlers.Config) { c.APIKeys, c.AdminKey = []string{key}, adminKey })
	for _, secret := range []string{key, adminKey} {
		header := http.Header{
			"Authorization": {"Bearer " + secret}, "Proxy-Authorization": {"Bearer " + secret}, "X-Api-Key": {secret},
			"Cookie": {"key=" + secret}, "Referer": {"http://localhost/events?access_token=" + secret},
		}
		for _, path := range []string{"/pets", "/pets?access_token=" + secret, "/messages", "/nope?access%5ftoken=" + secret, "/events?access_token=" + secret} {
			w.do(t, request{method: "GET", path: path, header: header})
		}
		w.do(t, request{method: "GET", path: "/events?access_token=" + secret})
	}
	a := w.do(t, request{method: "GET", path: "/admin/requests?count=12&wait=30s", header: authorization("Bearer " + adminKey)})
	if j := a.journal(t); j.Matched != 12 || j.TimedOut {
		t.Errorf("%d requests, want 12\n%s", j.Matched, j)
	}
	if bytes.Contains(a.body, []byte(key)) || bytes.Contains(a.body, []byte(adminKey)) {
		t.Errorf("a key is in the journal: %s", a.body)
	}
}

func TestJournalHasBodies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := `{"message": "` + strings.Repeat("x", 4000) + `", "more": "` + strings.Repeat("y", 500) + `"}`
	w.must(t, request{method: "POST", path: "/messages", body: long, header: authorization("Bearer demo-key")})
	w.do(t, request{method: "POST", path: "/pets", body: `{"name":`})
	w.do(t, request{method: "POST", path: "/pets", body: `<xml/>`, header: http.Header{"Content-Type": {"text/xml"}}})
	entries := w.get(t, "/admin/requests").journal(t).Requests.Requests
	type body struct {
		Text string
		Cut  bool
	}
	var got []body
	for _, e := range entries {
		got = append(got, body{e.Body, e.BodyTruncated})
	}
	if diff := cmp.Diff([]body{{long[:4096], true}, {`{"name":`, false}, {}}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestWaitingForRequests has a client wait while another works. Whoever of them is
// first, the answer is the same.
func TestWaitingForRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := make(chan journal, 1)
	go func() {
		a, err := w.try(t.Context(), request{method: "GET", path: "/admin/requests?operationId=createOrder&count=2&wait=60s"})
		if err != nil {
			t.Error(err)
			close(got)
			return
		}
		var j journal
		a.decode(t, &j.Requests)
		got <- j
	}()
	for range 2 {
		w.must(t, request{method: "GET", path: "/pets"})
		w.must(t, request{method: "POST", path: "/store/orders", body: `{}`})
	}
	if j := <-got; j.Matched != 2 || j.TimedOut {
		t.Errorf("waited for two, got\n%s", j)
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
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := newServer(t)
				if _, _, err := server.Sandboxes().Make("ada", nil); err != nil {
					t.Fatal(err)
				}
				ctx, leave := context.WithCancel(t.Context())
				defer leave()
				ended := make(chan *httptest.ResponseRecorder)
				start := time.Now()
				go func() {
					w := httptest.NewRecorder()
					serveTo(server, w, httptest.NewRequestWithContext(ctx, "GET", "http://localhost/sandboxes/ada/admin/requests?wait=60s", nil))
					ended <- w
				}()
				synctest.Wait()
				end(server, leave)
				w := <-ended
				a := &answer{status: w.Code, header: w.Header(), body: w.Body.Bytes()}
				if a.status != 200 || !a.journal(t).TimedOut || time.Since(start) != 0 {
					t.Errorf("the wait ends after %v with %d %s", time.Since(start), a.status, a.body)
				}
			})
		})
	}
}
