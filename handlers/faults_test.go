package handlers_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	. "example.com/petstore/handlers/internal/contracttest"
)

func TestFaultAnswers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		rule          string
		status        int
		code, message string
		headers       http.Header
		empty         bool
	}{
		{rule: `"status": 503`, status: 503, code: "unavailable",
			message: "fault rule 1 returned status 503, so the operation did not run",
			headers: http.Header{"Retry-After": {"1"}}},
		{rule: `"status": 503, "headers": {"retry-after": "7", "X-Why": "b c"}`, status: 503, code: "unavailable",
			headers: http.Header{"Retry-After": {"7"}, "X-Why": {"b c"}}},
		{rule: `"status": 502`, status: 502, code: "bad_gateway"},
		{rule: `"status": 422, "code": "pet_is_ill", "message": "it sneezes"`, status: 422, code: "pet_is_ill",
			message: "it sneezes"},
		{rule: `"status": 401`, status: 401, code: "unauthorized",
			headers: http.Header{"Www-Authenticate": {`Bearer realm="petstore"`}}},
		{rule: `"status": 405`, status: 405, code: "method_not_allowed",
			headers: http.Header{"Allow": {"DELETE, GET, HEAD, OPTIONS, PATCH, PUT"}}},
		{rule: `"status": 405, "headers": {"allow": "GET"}`, status: 405, code: "method_not_allowed",
			headers: http.Header{"Allow": {"GET"}}},
		{rule: `"status": 407`, status: 407, code: "proxy_authentication_required",
			headers: http.Header{"Proxy-Authenticate": {`Basic realm="petstore"`}}},
		{rule: `"status": 426`, status: 426, code: "upgrade_required", headers: http.Header{"Upgrade": {"HTTP/2.0"}}},
		{rule: `"status": 200, "message": "<script>"`, status: 200, code: "ok", message: "<script>"},
		{rule: `"status": 302, "headers": {"Location": "/elsewhere"}`, status: 302, code: "found",
			headers: http.Header{"Location": {"/elsewhere"}}},
		{rule: `"status": 503, "headers": {"Vary": "*", "Cache-Control": "max-age=60"}`, status: 503,
			code:    "unavailable",
			headers: http.Header{"Vary": {"*"}, "Cache-Control": {"max-age=60"}}},
		{rule: `"status": 503, "headers": {"X-Why": "b", "Access-Control-Expose-Headers": "X-Why"}`, status: 503,
			code:    "unavailable",
			headers: http.Header{"X-Why": {"b"}, "Access-Control-Expose-Headers": {"X-Why"}}},
		// Scripts can read the header.
		{rule: `"status": 503, "headers": {"X-Why": "b"}`, status: 503, code: "unavailable",
			headers: http.Header{"Access-Control-Expose-Headers": {strings.Join(ExposedHeaders(), ", ") + ", X-Why"}}},
		{rule: `"status": 204, "headers": {"X-Why": "b"}`, status: 204, empty: true,
			headers: http.Header{"X-Why": {"b"}}},
		{rule: `"status": 205`, status: 205, empty: true},
		{rule: `"status": 304`, status: 304, empty: true},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			w := NewWorld(t)
			before := w.State(t)
			w.AddFault(t, "{"+test.rule+"}")
			a := w.Loose().Do(t,
				Fetch("DELETE", "/pets/1", "https://app.example", http.Header{"Accept-Encoding": {"gzip"}}))
			a.ExpectReadableBy(t, "https://app.example")
			if a.Status != test.status || w.State(t) != before {
				t.Errorf("status = %d, ran: %t", a.Status, w.State(t) != before)
			}
			for name, want := range test.headers {
				a.ExpectHeader(t, name, want...)
			}
			a.ExpectHeader(t, "X-Content-Type-Options", "nosniff")
			if test.empty {
				if len(a.Body) > 0 || a.Header.Get("Content-Type") != "" {
					t.Errorf("body %s of %q", a.Body, a.Header.Get("Content-Type"))
				}
				return
			}
			a.ExpectHeader(t, "Content-Type", "application/json")
			if p := a.Problem(t); p.Code != test.code || p.Status != test.status || test.message != "" &&
				p.Message != test.message {
				t.Errorf("%+v", p)
			}
		})
	}
}

// TestFaultsAffectServiceOnly injects every kind of failure. The endpoints that monitor and
// control the service have none, and no rate limit.
func TestFaultsAffectServiceOnly(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, Limited(100), func(c *handlers.Config) { c.ErrorRate = 1 })
	w.Get(t, "/pets").Expect(t, 503, "unavailable")
	w.Do(t, Request{Method: "HEAD", Path: "/pets"}).Expect(t, 503, "")
	w.Get(t, "/messages").Expect(t, 401, "unauthorized") // rules do not see unauthorized requests
	w.Do(t, Get("/messages").WithKey("demo-key")).Expect(t, 503, "unavailable")
	w.Get(t, "/nowhere").Expect(t, 404, "not_found")
	w.Do(t, Request{Method: "OPTIONS", Path: "/pets"}).Expect(t, 204, "")
	for _, path := range []string{"/healthz", "/admin", "/admin/faults", "/openapi.json", "/docs/", "/"} {
		a := w.Do(t, Get(path).With("Prefer", "code=502"))
		a.Expect(t, 200, "")
		for _, name := range []string{"Preference-Applied", "RateLimit", "RateLimit-Policy"} {
			a.ExpectHeader(t, name)
		}
	}
	if diff := cmp.Diff([]int64{3}, w.Applied()); diff != "" {
		t.Errorf("applied, -want +got:\n%s", diff)
	}
	w.Must(t, Delete("/admin/faults"))
	w.Get(t, "/pets").Expect(t, 200, "")
	w.Must(t, Post("/admin/reset?only=faults", ""))
	w.Get(t, "/pets").Expect(t, 503, "unavailable")
}

// TestFaultBeforeOtherErrors sends requests that have another error too.
func TestFaultBeforeOtherErrors(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, At(config.DefaultSunset()), func(c *handlers.Config) { c.Strict = true })
	w.AddFault(t, `{"status": 503}`)
	for _, r := range []Request{
		Get("/pets/1"), // 410
		Post("/pets", "x").With("Content-Type", "text/plain"), // 415
		Get("/pets?limit=0&x=y"),
		Get("/categories/99"),
		Get("/pets").With("Prefer", "code=0"),
	} {
		w.Do(t, r).Expect(t, 503, "unavailable")
	}
}

func TestFaultMatchesBehindThePrefix(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t,
		Post("/sandboxes/ada/admin/faults",
			`{"match": {"path": "/pets/*", "method": "GET"}, "status": 503, "times": 2}`))
	w.Get(t, "/pets/1").Expect(t, 200, "")
	w.Get(t, "/sandboxes/ada/pets").Expect(t, 200, "")
	w.Get(t, "/sandboxes/ada/pets/1").Expect(t, 503, "unavailable")
	w.Do(t, InSandbox("ada", Get("/pets/2"))).Expect(t, 503, "unavailable")
	w.Get(t, "/sandboxes/ada/pets/1").Expect(t, 200, "")
}

// TestFaultOfAStream injects faults into an operation whose response is endless.
func TestFaultOfAStream(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.AddFault(t, `{"match": {"operationId": "streamEvents"}, "when": "after", "status": 503, "times": 1}`)
	w.Get(t, "/events").Expect(t, 503, "unavailable")
	w.Must(t, Put("/admin/faults", `[{"match": {"operationId": "streamEvents"}, "abort": "truncate"}]`))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, w.URL+"/events", nil)
	response, err := w.Loose().Client.Do(r)
	if err == nil {
		_, err = io.ReadAll(response.Body)
		response.Body.Close()
	}
	if err == nil || ctx.Err() != nil {
		t.Errorf("the stream ended with %v", err)
	}
}

// TestFaultAfterTheWrite covers lost responses: the write happened, and a retry must handle that.
func TestFaultAfterTheWrite(t *testing.T) {
	t.Parallel()
	for name, rule := range map[string]string{
		"an answer":           `{"times": 1, "when": "after", "status": 503}`,
		"a reset":             `{"times": 1, "when": "after", "abort": "reset"}`,
		"a broken-off answer": `{"times": 1, "abort": "truncate"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := NewWorld(t)
			w.AddFault(t, rule)
			create := Post("/pets", NewPet).With("Idempotency-Key", `"k1"`)
			lost, err := w.Loose().Try(t.Context(), create)
			if err == nil {
				lost.Expect(t, 503, "unavailable")
				for _, leak := range []string{"Location", "Etag", "Idempotency-Replayed"} {
					lost.ExpectHeader(t, leak)
				}
				if want := "fault rule 1 replaced the operation's response (status 201) with status 503"; lost.Problem(
					t).Message != want {
					t.Errorf("message = %q", lost.Problem(t).Message)
				}
			} else if name == "an answer" {
				t.Fatal(err)
			}
			if got := w.Server.Sandboxes().Default().Store.View().Counts().Pets; got != 6 {
				t.Fatalf("%d pets after the lost answer, want 6", got)
			}
			again := w.Do(t, create)
			again.Expect(t, 201, "")
			again.ExpectHeader(t, "Idempotency-Replayed", "true")
			again.ExpectHeader(t, "Location", "/pets/7")
			w.Get(t, "/pets/8").Expect(t, 404, "not_found")
		})
	}
}

// TestFaultAfterAFailure checks that a fault also replaces the operation's own error.
func TestFaultAfterAFailure(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.AddFault(t, `{"when": "after", "status": 500, "code": "oops"}`)
	for refused, want := range map[*Request]string{
		{Method: "GET",
			Path: "/pets/99"}: "fault rule 1 replaced the operation's response (status 404) with status 500",
		{Method: "POST", Path: "/pets",
			Body: `{}`}: "fault rule 1 replaced the operation's response (status 400) with status 500",
		{Method: "POST", Path: "/pets",
			Body: `{"name": "Rex", "categoryId": 99}`}: "fault rule 1 replaced the operation's response (status 422) " +
			"with status 500",
	} {
		a := w.Do(t, *refused)
		a.Expect(t, 500, "oops")
		if got := a.Problem(t).Message; got != want {
			t.Errorf("message = %q, want %q", got, want)
		}
	}
	w.Get(t, "/pets/1").Expect(t, 500, "oops") // keeps the deprecation headers
}

// TestFaultDelayMoment checks whether the operation has run while its client is still waiting.
func TestFaultDelayMoment(t *testing.T) {
	t.Parallel()
	for when, pets := range map[string]int{"before": 5, "after": 6} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			w := NewWorld(t)
			w.AddFault(t, fmt.Sprintf(`{"delay": {"fixedMs": 600000}, "when": %q}`, when))
			answered := make(chan *Answer)
			go func() {
				a, err := w.Loose().Try(t.Context(), Post("/pets", NewPet))
				if err != nil {
					t.Error(err)
				}
				answered <- a
			}()
			w.AwaitFault(t)
			count := func() int { return w.Server.Sandboxes().Default().Store.View().Counts().Pets }
			if when == "after" {
				Await(t, func() bool { return count() != 5 })
			}
			if got := count(); got != pets {
				t.Errorf("%d pets while it waits, want %d", got, pets)
			}
			w.Server.Close()
			a := <-answered
			a.Expect(t, 503, "unavailable")
			if contains := strings.Contains(a.Problem(t).Message,
				"returned status 201"); contains != (when == "after") {
				t.Errorf("message = %q", a.Problem(t).Message)
			}
		})
	}
}
