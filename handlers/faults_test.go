package handlers_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
)

func TestFaults(t *testing.T) { runScenarios(t, faultScenarios()) }

func faultScenarios() []scenario {
	const full = `{"match": {"operationId": "createPet", "method": "POST", "path": "/pets", "headers": {"X-Client": "web"}},
		"probability": 0.3, "times": 2, "delay": {"fixedMs": 200, "jitterMs": 100}, "status": 503, "code": "unavailable",
		"message": "later", "headers": {"Retry-After": "1"}, "when": "after"%s}`
	replace := func(body string) request { return request{method: "PUT", path: "/admin/faults", body: body} }
	add := func(body string) request { return post("/admin/faults", body) }
	list, clearing := request{method: "GET", path: "/admin/faults"}, request{method: "DELETE", path: "/admin/faults"}
	del := func(id string) request { return request{method: "DELETE", path: "/admin/faults/" + id} }
	two := []request{add(`{"status": 500}`), add(`{"abort": "hang", "match": {"path": "/nowhere"}}`)}
	flags := func(c *handlers.Config) {
		c.Latency, c.ErrorRate = handlers.Latency{Min: time.Millisecond, Max: 3 * time.Millisecond}, 0.25
	}
	invalid := func(r request, fields ...string) scenario {
		return scenario{name: r.method + " " + r.body, request: r, status: 400, code: "validation_failed", fields: fields}
	}
	return []scenario{
		{name: "no faults", request: list, status: 200, want: `[]`},
		{name: "faults", request: list, before: two, status: 200,
			want: `[{"id": 1, "applied": 0, "status": 500}, {"id": 2, "applied": 0, "abort": "hang", "match": {"path": "/nowhere"}}]`},
		{name: "faults of the flags", config: flags, request: list, before: two[1:], status: 200,
			want: `[{"id": 3, "applied": 0, "abort": "hang", "match": {"path": "/nowhere"}},
				{"id": 1, "applied": 0, "probability": 0.25, "delay": {"fixedMs": 1, "jitterMs": 2}, "status": 503},
				{"id": 2, "applied": 0, "delay": {"fixedMs": 1, "jitterMs": 2}}]`},
		{name: "faults of another sandbox", request: inSandbox("ada", list), before: append(two, put("/admin/sandboxes/ada", "")), status: 200, want: `[]`},
		{name: "add", request: add(fmt.Sprintf(full, "")), status: 201, want: fmt.Sprintf(full, `, "id": 1, "applied": 0`),
			headers: http.Header{"Location": {"/admin/faults/1"}}},
		{name: "add by the path prefix", request: post("/sandboxes/ada/admin/faults", `{"delay": {"p50Ms": 1, "p99Ms": 2}}`), status: 201,
			want: `{"id": 1, "applied": 0, "delay": {"p50Ms": 1, "p99Ms": 2}}`, headers: http.Header{"Location": {"/sandboxes/ada/admin/faults/1"}}},
		{name: "add a second", request: add(`{}`), before: two[1:], status: 201, want: `{"id": 2, "applied": 0}`},
		{name: "add what was listed", request: add(`{"id": 9, "applied": 8, "abort": "truncate"}`), status: 201, want: `{"id": 1, "applied": 0, "abort": "truncate"}`},
		{name: "add nothing", request: request{method: "POST", path: "/admin/faults", header: http.Header{"Content-Type": {"application/json"}}}, status: 400, code: "invalid_json"},
		{name: "add a list", request: add(`[{}]`), status: 400, code: "invalid_json"},
		{name: "add text", request: textual(add(`{}`)), status: 415, code: "unsupported_media_type"},
		{name: "add one too many", request: add(`{}`), before: []request{replace("[" + strings.Repeat("{},", 999) + "{}]")}, status: 507, code: "sandbox_full"},
		invalid(add(`{"stauts": 503}`), "/stauts"),
		invalid(add(`{"Status": 503}`), "/Status"),
		invalid(add(`{"status": "503", "match": {"paths": "/a"}, "probability": 2}`), "/match/paths", "/status", "/probability"),
		invalid(add(`{"match": {"operationId": "getPets"}}`), "/match/operationId"),
		invalid(add(`{"match": {"operationId": "getHealth"}}`), "/match/operationId"),
		invalid(add(`{"match": {"operationId": "getAdmin"}}`), "/match/operationId"),
		invalid(add(`{"status": 0, "times": 0}`), "/times", "/status"),
		invalid(add(`{"status": 503, "headers": {"Content-Type": "text/html", "X-A": "a\r\nb: c"}}`), "/headers/Content-Type", "/headers/X-A"),
		{name: "replace", request: replace(`[{"status": 418}, {}]`), before: two, config: flags, status: 200,
			want: `[{"id": 5, "applied": 0, "status": 418}, {"id": 6, "applied": 0}]`},
		{name: "replace by none", request: replace(`[]`), before: two, status: 200, want: `[]`},
		{name: "replace by an object", request: replace(`{}`), status: 400, code: "invalid_json"},
		invalid(replace(`[{}, {"status": 99, "x": 1}, null]`), "/1/x", "/2", "/1/status"),
		{name: "replace by text", request: textual(replace(`[]`)), status: 415, code: "unsupported_media_type"},
		{name: "replace by too many", request: replace("[" + strings.Repeat("{},", 1000) + "{}]"), status: 507, code: "sandbox_full"},
		{name: "replace by text", request: request{method: "PUT", path: "/admin/faults", body: "[]", header: http.Header{"Content-Type": {"text/plain"}}}, status: 415, code: "unsupported_media_type"},
		{name: "add one too many", request: add(`{}`), before: []request{replace("[" + strings.Repeat("{},", 999) + "{}]")}, status: 507, code: "sandbox_full"},
		{name: "clear", request: clearing, before: two, status: 204},
		{name: "delete", request: del("1"), before: two, status: 204},
		{name: "delete twice", request: del("1"), before: append(two[:2:2], del("1")), status: 404, code: "not_found"},
		{name: "delete what is not there", request: del("3"), before: two, status: 404, code: "not_found"},
		{name: "delete by no id", request: del("x"), status: 400, code: "invalid_parameter", fields: []string{"faultId"}},
	}
}

// fault adds a rule to the world's default sandbox.
func (w *world) fault(t *testing.T, rule string) { t.Helper(); w.must(t, post("/admin/faults", rule)) }

// loose returns the world seen by a client that takes any answer: a fault is one
// that the documents do not promise. Each request has a connection of its own.
func (w *world) loose() *world {
	other := *w
	other.client = &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &other
}

// applied returns how often each rule was applied.
func (w *world) applied(t *testing.T) []int {
	t.Helper()
	var rules []struct{ Applied int }
	w.get(t, "/admin/faults").decode(t, &rules)
	var counts []int
	for _, r := range rules {
		counts = append(counts, r.Applied)
	}
	return counts
}

// awaitFault returns once the first rule has been applied.
func (w *world) awaitFault(t *testing.T) {
	t.Helper()
	for w.applied(t)[0] == 0 {
	}
}

func TestFaultAnswers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		rule          string
		status        int
		code, message string
		headers       http.Header
		empty         bool
	}{
		{rule: `"status": 503`, status: 503, code: "unavailable", message: "fault rule 1 answers with status 503, so the operation did not run",
			headers: http.Header{"Retry-After": {"1"}}},
		{rule: `"status": 503, "headers": {"retry-after": "7", "X-Why": "b c"}`, status: 503, code: "unavailable",
			headers: http.Header{"Retry-After": {"7"}, "X-Why": {"b c"}}},
		{rule: `"status": 502`, status: 502, code: "bad_gateway"},
		{rule: `"status": 422, "code": "pet_is_ill", "message": "it sneezes"`, status: 422, code: "pet_is_ill", message: "it sneezes"},
		{rule: `"status": 401`, status: 401, code: "unauthorized", headers: http.Header{"Www-Authenticate": {`Bearer realm="petstore"`}}},
		{rule: `"status": 200, "message": "<script>"`, status: 200, code: "ok", message: "<script>"},
		{rule: `"status": 302, "headers": {"Location": "/elsewhere"}`, status: 302, code: "found", headers: http.Header{"Location": {"/elsewhere"}}},
		{rule: `"status": 204, "headers": {"X-Why": "b"}`, status: 204, empty: true, headers: http.Header{"X-Why": {"b"}}},
		{rule: `"status": 304`, status: 304, empty: true},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			before := w.state(t)
			w.fault(t, "{"+test.rule+"}")
			a := w.loose().do(t, request{method: "DELETE", path: "/pets/1"})
			if a.status != test.status || w.state(t) != before {
				t.Errorf("status = %d, ran: %t", a.status, w.state(t) != before)
			}
			for name, want := range test.headers {
				a.expectHeader(t, name, want...)
			}
			a.expectHeader(t, "X-Content-Type-Options", "nosniff")
			if test.empty {
				if len(a.body) > 0 || a.header.Get("Content-Type") != "" {
					t.Errorf("body %s of %q", a.body, a.header.Get("Content-Type"))
				}
				return
			}
			a.expectHeader(t, "Content-Type", "application/json")
			if p := a.problem(t); p.Code != test.code || p.Status != test.status || test.message != "" && p.Message != test.message {
				t.Errorf("%+v", p)
			}
		})
	}
}

// TestFaultsReachTheServiceAlone makes everything fail that can.
func TestFaultsReachTheServiceAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.ErrorRate = 1 })
	w.get(t, "/pets").expect(t, 503, "unavailable")
	w.do(t, request{method: "HEAD", path: "/pets"}).expect(t, 503, "")
	w.get(t, "/messages").expect(t, 401, "unauthorized") // no rule sees what is not let in
	w.do(t, request{method: "GET", path: "/messages", header: demoKey}).expect(t, 503, "unavailable")
	w.get(t, "/nowhere").expect(t, 404, "not_found")
	w.do(t, request{method: "OPTIONS", path: "/pets"}).expect(t, 204, "")
	for _, path := range []string{"/healthz", "/admin", "/admin/faults", "/openapi.json", "/docs/", "/"} {
		w.get(t, path).expect(t, 200, "")
	}
	if diff := cmp.Diff([]int{3}, w.applied(t)); diff != "" {
		t.Errorf("applied, -want +got:\n%s", diff)
	}
	w.must(t, request{method: "DELETE", path: "/admin/faults"})
	w.get(t, "/pets").expect(t, 200, "")
	w.must(t, post("/admin/reset?only=faults", ""))
	w.get(t, "/pets").expect(t, 503, "unavailable")
}

// TestFaultComesFirst has requests that are wrong in another way too.
func TestFaultComesFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, at(handlers.DefaultSunset()), func(c *handlers.Config) { c.Strict = true })
	w.fault(t, `{"status": 503}`)
	for _, r := range []request{
		{method: "GET", path: "/pets/1"}, // 410
		{method: "POST", path: "/pets", header: http.Header{"Content-Type": {"text/plain"}}, body: "x"}, // 415
		{method: "GET", path: "/pets?limit=0&x=y"},
		{method: "GET", path: "/categories/99"},
		{method: "GET", path: "/pets", header: prefer("code=0")},
	} {
		w.do(t, r).expect(t, 503, "unavailable")
	}
}

func TestFaultMatchesBehindThePrefix(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(t, post("/sandboxes/ada/admin/faults", `{"match": {"path": "/pets/*", "method": "GET"}, "status": 503, "times": 2}`))
	w.get(t, "/pets/1").expect(t, 200, "")
	w.get(t, "/sandboxes/ada/pets").expect(t, 200, "")
	w.get(t, "/sandboxes/ada/pets/1").expect(t, 503, "unavailable")
	w.do(t, inSandbox("ada", request{method: "GET", path: "/pets/2"})).expect(t, 503, "unavailable")
	w.get(t, "/sandboxes/ada/pets/1").expect(t, 200, "")
}

// TestFaultsAreJournalled tells which rule hit which request; 0 is a status of none.
func TestFaultsAreJournalled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(t, request{method: "PUT", path: "/admin/faults", body: `[{"times": 1, "status": 418}, {"times": 1, "abort": "reset"}, {"times": 1, "abort": "truncate"}]`})
	for range 4 {
		_, _ = w.loose().try(t.Context(), request{method: "GET", path: "/pets"})
	}
	type entry struct{ Status, Fault int }
	var journal struct{ Requests []entry }
	w.get(t, "/admin/requests?count=4&wait=20s").decode(t, &journal)
	// A client may see its answer break off before the journal has it.
	slices.SortFunc(journal.Requests, func(a, b entry) int { return a.Fault - b.Fault })
	if got, want := fmt.Sprint(journal.Requests), "[{200 0} {418 1} {0 2} {0 3}]"; got != want {
		t.Errorf("status and fault of each are %s, want %s", got, want)
	}
}

// TestFaultAfterTheWrite is what a retry must survive: the write happened, and its
// answer was lost.
func TestFaultAfterTheWrite(t *testing.T) {
	t.Parallel()
	for name, rule := range map[string]string{
		"an answer":           `{"times": 1, "when": "after", "status": 503}`,
		"a reset":             `{"times": 1, "when": "after", "abort": "reset"}`,
		"a broken-off answer": `{"times": 1, "abort": "truncate"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.fault(t, rule)
			create := request{method: "POST", path: "/pets", body: newPet, header: http.Header{"Idempotency-Key": {`"k1"`}}}
			lost, err := w.loose().try(t.Context(), create)
			if err == nil {
				lost.expect(t, 503, "unavailable")
				for _, leak := range []string{"Location", "Etag", "Idempotency-Replayed"} {
					lost.expectHeader(t, leak)
				}
				if want := "fault rule 1 answers with status 503 in the place of the operation, which has run"; lost.problem(t).Message != want {
					t.Errorf("message = %q", lost.problem(t).Message)
				}
			} else if name == "an answer" {
				t.Fatal(err)
			}
			if got := w.server.Sandboxes().Default().Store.View().Counts().Pets; got != 6 {
				t.Fatalf("%d pets after the lost answer, want 6", got)
			}
			again := w.do(t, create)
			again.expect(t, 201, "")
			again.expectHeader(t, "Idempotency-Replayed", "true")
			again.expectHeader(t, "Location", "/pets/7")
			w.get(t, "/pets/8").expect(t, 404, "not_found")
		})
	}
}

// TestFaultAfterAFailure keeps the operation's own refusal away too.
func TestFaultAfterAFailure(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fault(t, `{"when": "after", "status": 500, "code": "oops"}`)
	w.get(t, "/pets/99").expect(t, 500, "oops")
	w.get(t, "/pets/1").expect(t, 500, "oops") // the headers of its age stay
}

func TestFaultDelays(t *testing.T) {
	t.Parallel()
	for _, when := range []string{"before", "after"} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.must(t, request{method: "PUT", path: "/admin/clock", body: `{"frozen": true}`})
			w.fault(t, fmt.Sprintf(`{"delay": {"fixedMs": 30}, "when": %q}`, when))
			start := time.Now()
			a := w.do(t, post("/pets", newPet))
			if waited := time.Since(start); waited < 30*time.Millisecond {
				t.Errorf("it took %v", waited)
			}
			a.expect(t, 201, "")
			a.expectHeader(t, "Location", "/pets/7")
		})
	}
}

// TestFaultDelayMoment looks at what has happened while a client still waits.
func TestFaultDelayMoment(t *testing.T) {
	t.Parallel()
	for when, pets := range map[string]int{"before": 5, "after": 6} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.fault(t, fmt.Sprintf(`{"delay": {"fixedMs": 600000}, "when": %q}`, when))
			answered := make(chan *answer)
			go func() {
				a, err := w.loose().try(t.Context(), post("/pets", newPet))
				if err != nil {
					t.Error(err)
				}
				answered <- a
			}()
			w.awaitFault(t)
			count := func() int { return w.server.Sandboxes().Default().Store.View().Counts().Pets }
			for when == "after" && count() == 5 {
			}
			if got := count(); got != pets {
				t.Errorf("%d pets while it waits, want %d", got, pets)
			}
			w.server.Close()
			(<-answered).expect(t, 503, "unavailable")
		})
	}
}

// TestFaultsAreReplayed runs 1,000 requests with faults at 30 % on two servers.
func TestFaultsAreReplayed(t *testing.T) {
	t.Parallel()
	run := func(sandbox string) []string {
		server, err := handlers.New(config())
		if err != nil {
			t.Fatal(err)
		}
		do := func(method, path, body string) *httptest.ResponseRecorder {
			r := httptest.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("X-Sandbox", sandbox)
			recorder := httptest.NewRecorder()
			server.ServeHTTP(recorder, r)
			return recorder
		}
		if a := do("PUT", "/admin/faults", `[{"probability": 0.3, "status": 503}, {"probability": 0.1, "status": 500, "when": "after"}]`); a.Code != 200 {
			t.Fatal(a.Body)
		}
		var answers []string
		for i := range 1000 {
			if i%7 == 0 {
				do("GET", "/healthz", "") // takes no number
				do("GET", "/admin/faults", "")
			}
			a := do("POST", "/pets", newPet)
			answers = append(answers, fmt.Sprint(a.Code, a.Body))
		}
		return answers
	}
	first := run("default")
	if diff := cmp.Diff(first, run("default")); diff != "" {
		t.Errorf("the second run differs:\n%s", diff)
	}
	if diff := cmp.Diff(first, run("ada")); diff != "" {
		t.Errorf("another sandbox of the seed differs:\n%s", diff)
	}
	failed := 0
	for _, a := range first {
		if strings.HasPrefix(a, "503") {
			failed++
		}
	}
	if failed < 250 || failed > 350 {
		t.Errorf("%d of 1,000 failed, want about 300", failed)
	}
}

// TestFaultOfAStream has an operation that would answer for ever.
func TestFaultOfAStream(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fault(t, `{"match": {"operationId": "streamEvents"}, "when": "after", "status": 503, "times": 1}`)
	w.get(t, "/events").expect(t, 503, "unavailable")
	w.must(t, request{method: "PUT", path: "/admin/faults", body: `[{"match": {"operationId": "streamEvents"}, "abort": "truncate"}]`})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, w.url+"/events", nil)
	response, err := w.loose().client.Do(r)
	if err == nil {
		_, err = io.ReadAll(response.Body)
		response.Body.Close()
	}
	if err == nil || ctx.Err() != nil {
		t.Errorf("the stream ended with %v", err)
	}
}
