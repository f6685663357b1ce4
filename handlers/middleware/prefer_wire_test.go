package middleware_test

import (
	"fmt"
	"net/http"
	"testing"

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

func TestPreferForms(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, test := range []struct {
		prefer  []string
		status  int
		applied []string
	}{
		{[]string{"delay=1"}, 200, []string{"delay=1"}},
		{[]string{"delay=0"}, 200, []string{"delay=0"}},
		{[]string{"delay=1, code=502"}, 502, []string{"delay=1, code=502"}},
		{[]string{"delay=1", "code=502"}, 502, []string{"delay=1, code=502"}},
		{[]string{`CODE="502"`}, 502, []string{"code=502"}},
		{[]string{"code=502; because=test"}, 502, []string{"code=502"}},
		{[]string{"respond-async, return=minimal, code=502"}, 502, []string{"code=502"}},
		{[]string{"code=502, delay=1"}, 502, []string{"code=502, delay=1"}},
		{[]string{"code=502, code=503"}, 502, []string{"code=502"}}, // the first counts (RFC 7240, section 2)
		{[]string{"code=502", "CODE=503"}, 502, []string{"code=502"}},
		{[]string{"code=502, code=none"}, 502, []string{"code=502"}},
		{[]string{"delay=1, delay=60000"}, 200, []string{"delay=1"}},
		{[]string{"respond-async"}, 200, nil}, // others are ignored
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

// TestPreferIsWholeOrNothing checks that no preference of a refused header is applied.
func TestPreferIsWholeOrNothing(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, value := range []string{"delay=1, code=200", "delay=1, code", "code=503, delay=60001", "code=503, delay=-1", "delay=+1", "code=0503"} {
		a := w.Do(t, Get("/pets/1").With("Prefer", value))
		a.Expect(t, 400, "invalid_parameter", "Prefer")
		a.ExpectHeader(t, "Preference-Applied")
	}
}

// TestPreferIsForTheServiceAlone checks that the endpoints that monitor and control the service
// ignore the header.
func TestPreferIsForTheServiceAlone(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, path := range []string{"/healthz", "/admin", "/openapi.json", "/docs/", "/"} {
		a := w.Do(t, Get(path).With("Prefer", "code=503"))
		a.Expect(t, 200, "")
		a.ExpectHeader(t, "Preference-Applied")
	}
}
