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
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// TestPreferCode checks that each status has the error code of the design. The transcript prefer.txt
// has the headers.
func TestPreferCode(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for status, code := range map[int]string{
		400: "validation_failed", 401: "unauthorized", 402: "payment_required", 403: "forbidden", 404: "not_found",
		405: "method_not_allowed", 407: "proxy_authentication_required", 426: "upgrade_required", 406: "not_acceptable",
		408: "request_timeout", 409: "conflict", 410: "operation_sunset",
		412: "precondition_failed", 413: "payload_too_large", 415: "unsupported_media_type", 418: "im_a_teapot",
		422: "unknown_category", 423: "locked", 429: "rate_limited", 451: "unavailable_for_legal_reasons",
		500: "internal_error",
		501: "not_implemented", 502: "bad_gateway", 503: "unavailable", 504: "gateway_timeout", 507: "sandbox_full",
		599: "status_599",
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			a := w.Do(t, Delete("/pets/1").With("Prefer", fmt.Sprintf("code=%d", status)))
			a.Expect(t, status, code)
			a.ExpectHeader(t, "Preference-Applied", fmt.Sprintf("code=%d", status))
		})
	}
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
		{"192.0.2.1:1000", 200}, {"192.0.2.1:2000", 429}, {"192.0.2.2:1000", 200}, {"[2001:db8::1]:1", 200},
		{"[2001:db8::1]:2", 429},
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
	if warning := a.Header.Get("Warning"); !strings.Contains(warning,
		"will be deprecated on 2027-02-04 and removed on 2028-02-29;") {
		t.Errorf("Warning = %q, want its dates in UTC", warning)
	}
	served := must.Get(openapi3.NewLoader().LoadFromData(w.Get(t, "/openapi.json").Body))(t)
	for _, name := range []string{"x-sunset", "x-deprecated-sunset"} {
		if got := served.Paths.Value("/pets/{petId}").Get.Extensions[name]; got != "2028-02-29" {
			t.Errorf("%s = %v", name, got)
		}
	}
	NewWorld(t, dates, At(sunset.Add(-1))).Get(t, "/pets/1").Expect(t, 200, "")
	gone := NewWorld(t, dates, At(sunset)).Get(t, "/pets/1")
	gone.Expect(t, 410, "operation_sunset")
	if message := gone.Problem(t).Message; !strings.Contains(message, "2028-02-29") ||
		!strings.Contains(message, "/pets?id=1") {
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
