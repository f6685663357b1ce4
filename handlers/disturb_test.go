package handlers_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestPreferCode checks that each status has the error code of the design, and that the operation
// does not run.
func TestPreferCode(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for status, code := range map[int]string{
		400: "validation_failed", 401: "unauthorized", 402: "payment_required", 403: "forbidden", 404: "not_found",
		405: "method_not_allowed", 407: "proxy_authentication_required", 426: "upgrade_required", 406: "not_acceptable", 408: "request_timeout", 409: "conflict", 410: "operation_sunset",
		412: "precondition_failed", 413: "payload_too_large", 415: "unsupported_media_type", 418: "im_a_teapot",
		422: "unknown_category", 423: "locked", 429: "rate_limited", 451: "unavailable_for_legal_reasons", 500: "internal_error",
		501: "not_implemented", 502: "bad_gateway", 503: "unavailable", 504: "gateway_timeout", 507: "sandbox_full", 599: "status_599",
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			before := w.State(t)
			a := w.Do(t, Delete("/pets/1").With("Prefer", fmt.Sprintf("code=%d", status)))
			a.Expect(t, status, code)
			a.ExpectHeader(t, "Preference-Applied", fmt.Sprintf("code=%d", status))
			retry := status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
			if got := a.Header.Get("Retry-After") != ""; got != retry {
				t.Errorf("Retry-After is there: %t, want %t", got, retry)
			}
			if got := a.Header.Get("WWW-Authenticate") != ""; got != (status == http.StatusUnauthorized) {
				t.Errorf("WWW-Authenticate = %q", a.Header.Get("WWW-Authenticate"))
			}
			if got := a.Header.Get("Allow") != ""; got != (status == http.StatusMethodNotAllowed) {
				t.Errorf("Allow = %q", a.Header.Get("Allow"))
			}
			if w.State(t) != before {
				t.Error("the operation ran")
			}
		})
	}
}

// TestPreferForms checks forms that the transcript prefer.txt lacks.
func TestPreferForms(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, test := range []struct {
		prefer  []string
		status  int
		applied []string
	}{
		{[]string{"delay=0"}, 200, []string{"delay=0"}},
		{[]string{"delay=1", "code=502"}, 502, []string{"delay=1, code=502"}},
		{[]string{"code=502; because=test"}, 502, []string{"code=502"}},
		{[]string{"respond-async, return=minimal, code=502"}, 502, []string{"code=502"}},
		{[]string{"code=502, delay=1"}, 502, []string{"code=502, delay=1"}},
		{[]string{"code=502", "CODE=503"}, 502, []string{"code=502"}},
		{[]string{"code=502, code=none"}, 502, []string{"code=502"}},
		{[]string{"delay=1, delay=60000"}, 200, []string{"delay=1"}},
		{[]string{`note="a, code=502", other="\", code=503"`}, 200, nil},
		{[]string{`note="a, code=502", code="503"`}, 503, []string{"code=503"}},
		{[]string{`note="a`, `code=502`}, 502, []string{"code=502"}}, // a line does not end an unterminated string
		{[]string{""}, 200, nil},
	} {
		t.Run(fmt.Sprint(test.prefer), func(t *testing.T) {
			t.Parallel()
			a := w.Do(t, Request{Method: "GET", Path: "/pets/1", Header: Prefer(test.prefer...)})
			a.Expect(t, test.status, "")
			a.ExpectHeader(t, "Preference-Applied", test.applied...)
		})
	}
}

// TestRateLimit uses the sandbox's clock, which stands still unless the test moves it.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, Limited(2), At(config.DefaultSunset()))
	expect := func(a *Answer, status int, code, limit string, retry ...string) {
		t.Helper()
		a.Expect(t, status, code)
		a.ExpectHeader(t, "RateLimit-Policy", `"default";q=2;w=1`)
		a.ExpectHeader(t, "RateLimit", limit)
		a.ExpectHeader(t, "Retry-After", retry...)
	}
	expect(w.Get(t, "/pets"), 200, "", `"default";r=1;t=1`)
	expect(w.Get(t, "/pets/1"), 410, "operation_sunset", `"default";r=0;t=1`) // on errors too
	expect(w.Get(t, "/pets"), 429, "rate_limited", `"default";r=0;t=1`, "1")
	w.AddFault(t, `{"status": 503}`)
	expect(w.Get(t, "/pets"), 429, "rate_limited", `"default";r=0;t=1`, "1") // the rate limit precedes faults
	w.Must(t, Delete("/admin/faults"))
	expect(w.Do(t, InSandbox("ada", Get("/pets"))), 200, "", `"default";r=1;t=1`)
	w.Get(t, "/messages").ExpectHeader(t, "RateLimit") // a 401 does not count
	w.Must(t, Put("/admin/clock", `{"advance": "500ms"}`))
	expect(w.Get(t, "/pets"), 200, "", `"default";r=0;t=1`)
	expect(w.Get(t, "/pets"), 429, "rate_limited", `"default";r=0;t=1`, "1")
	w.Must(t, Post("/admin/reset?only=limit", ""))
	for _, left := range []string{"1", "0"} {
		expect(w.Get(t, "/pets"), 200, "", `"default";r=`+left+`;t=1`)
	}
	w.Must(t, Put("/admin/clock", `{"advance": "1h"}`)) // restores no more than the quota
	for _, left := range []string{"1", "0"} {
		expect(w.Get(t, "/pets"), 200, "", `"default";r=`+left+`;t=1`)
	}
	w.Must(t, Put("/admin/clock", `{"advance": "-24h"}`))
	expect(w.Get(t, "/pets"), 429, "rate_limited", `"default";r=0;t=1`, "1")
	w.Must(t, Put("/admin/clock", `{"advance": "500ms"}`)) // half a second is enough, not a day
	expect(w.Get(t, "/pets"), 200, "", `"default";r=0;t=1`)
}

// TestRateLimitOfEachAddress checks that each address has its own limit, whatever headers it
// sends.
func TestRateLimitOfEachAddress(t *testing.T) {
	t.Parallel()
	server := NewServer(t, Limited(1))
	for i, test := range []struct {
		from   string
		status int
	}{
		{"192.0.2.1:1000", 200}, {"192.0.2.1:2000", 429}, {"192.0.2.2:1000", 200}, {"[2001:db8::1]:1", 200}, {"[2001:db8::1]:2", 429},
	} {
		r := httptest.NewRequest(http.MethodGet, "/pets", nil)
		r.RemoteAddr = test.from
		r.Header.Set("X-Forwarded-For", fmt.Sprintf("198.51.100.%d", i))
		recorder := httptest.NewRecorder()
		server.ServeHTTP(recorder, r)
		if recorder.Code != test.status {
			t.Errorf("%s = %d, want %d", test.from, recorder.Code, test.status)
		}
	}
}

// later returns the headers from the sunset on. The words replace "will be removed" in the
// warning.
func later(id, words string) http.Header {
	headers := Deprecated(id)
	headers["Warning"] = []string{strings.Replace(headers["Warning"][0], "will be removed", words, 1)}
	return headers
}

// TestDeprecation checks the headers of every response of the operation, including errors.
func TestDeprecation(t *testing.T) {
	sunset := config.DefaultSunset()
	keys := func(c *handlers.Config) { c.APIKeys = []string{"k1"} }
	get := func(path string, header http.Header) Request {
		return Request{Method: "GET", Path: path, Header: header}
	}
	RunScenarios(t, []Scenario{
		{Name: "head", Request: Request{Method: "HEAD", Path: "/pets/1"}, Status: 200, Headers: Deprecated("1")},
		{Name: "not modified", Request: get("/pets/1", http.Header{"If-None-Match": {"*"}}), Status: 304, Headers: Deprecated("1")},
		{Name: "a wrong id", Request: get("/pets/a%26b%3Ec", nil), Status: 400, Code: "invalid_parameter", Fields: []string{"petId"}, Headers: Deprecated("a%26b%3Ec")},
		{Name: "no key", Config: keys, Request: get("/pets/1", nil), Status: 401, Code: "unauthorized", Headers: Deprecated("1")},

		{Name: "the last moment", Config: At(sunset.Add(-time.Nanosecond)), Request: get("/pets/1", nil), Status: 200, Want: Rex, Headers: Deprecated("1")},
		{Name: "the sunset", Config: At(sunset), Request: get("/pets/1", nil), Status: 410, Code: "operation_sunset", Headers: later("1", "was removed")},
		{Name: "after the sunset", Config: At(sunset.AddDate(1, 0, 0)), Request: get("/pets/1", nil), Status: 410, Code: "operation_sunset", Headers: later("1", "was removed")},
		{Name: "the sunset in another zone", Config: At(sunset.In(time.FixedZone("", 14*3600))), Request: get("/pets/1", nil), Status: 410,
			Code: "operation_sunset", Headers: later("1", "was removed")},
		{Name: "the sunset, not enforced", Request: get("/pets/1", nil), Status: 200, Want: Rex, Headers: later("1", "was to be removed"),
			Config: func(c *handlers.Config) { c.Now = func() time.Time { return sunset.AddDate(10, 0, 0) } }},
		{Name: "the sunset, with another fault", Config: At(sunset), Request: get("/pets/1", Prefer("code=502")), Status: 502, Code: "bad_gateway",
			Headers: later("1", "was removed")},
		{Name: "before the deprecation", Request: get("/pets/1", nil), Status: 200, Want: Rex, Headers: Deprecated("1"),
			Config: func(c *handlers.Config) { c.Now = func() time.Time { return c.DeprecatedSince.AddDate(-10, 0, 0) } }},

		// Other operations continue to work. The checks of every response ensure that theirs have
		// no such headers.
		Answered("the successor after the sunset", get("/pets?id=1", nil), 200, `[`+Rex+`]`).On(At(sunset)),
		{Name: "a writer after the sunset", Config: At(sunset), Request: Delete("/pets/1"), Status: 204},
	})
}

// TestDeprecationFollowsTheConfig checks that the headers, the 410 and the document contain the
// configured dates.
func TestDeprecationFollowsTheConfig(t *testing.T) {
	t.Parallel()
	since := time.Date(2027, time.February, 3, 22, 30, 0, 0, time.FixedZone("", -2*3600))
	sunset := time.Date(2028, time.February, 29, 12, 0, 0, 0, time.UTC)
	dates := func(c *handlers.Config) { c.DeprecatedSince, c.Sunset = since, sunset }
	w := NewWorld(t, dates)
	a := w.Get(t, "/pets/1")
	a.ExpectHeader(t, "Deprecation", "@1801701000")
	a.ExpectHeader(t, "Sunset", "Tue, 29 Feb 2028 12:00:00 GMT")
	if warning := a.Header.Get("Warning"); !strings.Contains(warning, "since 2027-02-04 and will be removed on 2028-02-29;") {
		t.Errorf("Warning = %q, want its dates in UTC", warning)
	}
	served, err := openapi3.NewLoader().LoadFromData(w.Get(t, "/openapi.json").Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x-sunset", "x-deprecated-sunset"} {
		if got := served.Paths.Value("/pets/{petId}").Get.Extensions[name]; got != "2028-02-29" {
			t.Errorf("%s = %v", name, got)
		}
	}
	NewWorld(t, dates, At(sunset.Add(-1))).Get(t, "/pets/1").Expect(t, 200, "")
	gone := NewWorld(t, dates, At(sunset)).Get(t, "/pets/1")
	gone.Expect(t, 410, "operation_sunset")
	if message := gone.Problem(t).Message; !strings.Contains(message, "2028-02-29") || !strings.Contains(message, "/pets?id=1") {
		t.Errorf("message = %q, want the date and the successor in it", message)
	}
}

// TestFirstUseIsLogged checks that a caller's first use is logged once, at level warn, and again
// after a reset.
func TestFirstUseIsLogged(t *testing.T) {
	t.Parallel()
	var book logbook
	w := NewWorld(t, book.log(slog.LevelWarn))
	use := func(agent string) {
		w.Do(t, Get("/pets/1").With("User-Agent", agent))
	}
	use("app/1")
	use("app/1")
	use("app/2")
	w.Must(t, Get("/pets?id=1").With("User-Agent", "app/3"))
	w.Must(t, Post("/admin/reset", ""))
	use("app/1")
	var callers []string
	for _, e := range book.entries(t, "deprecated operation used") {
		callers = append(callers, e["caller"].(string))
		if warning := e["warning"].(string); !strings.Contains(warning, "getPet") || e["level"] != "WARN" {
			t.Errorf("line = %v", e)
		}
	}
	if got := strings.Join(callers, " "); got != "app/1 app/2 app/1" {
		t.Errorf("logged callers: %s", got)
	}
}
