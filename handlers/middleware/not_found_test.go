package middleware

import (
	"net/http"
	"testing"
)

func TestNotFound(t *testing.T) {
	t.Parallel()
	guess := func(string) (string, string) { return "/pets", "" }
	newVisit(http.MethodGet, "/pets", nil).through(NotFound(guess)).expectPassed(t)

	v := newVisit(http.MethodOptions, "/pets", nil)
	v.x.Operation, v.x.Allow = nil, "GET, OPTIONS"
	v.through(NotFound(guess))
	v.expectHeader(t, "Allow", "GET, OPTIONS")
	if v.reached || v.err != nil || v.answer.Code != http.StatusNoContent {
		t.Errorf("OPTIONS is handed on: %t, error %v, status %d", v.reached, v.err, v.answer.Code)
	}

	v = newVisit(http.MethodDelete, "/pets", nil)
	v.x.Operation, v.x.Allow = nil, "GET, OPTIONS"
	e := v.through(NotFound(guess)).expectRefused(t, http.StatusMethodNotAllowed, "method_not_allowed")
	if e.Header.Get("Allow") != "GET, OPTIONS" {
		t.Errorf("Allow = %q", e.Header.Get("Allow"))
	}

	for _, method := range []string{http.MethodGet, http.MethodOptions} {
		v = newVisit(method, "/pet", nil)
		v.x.Operation = nil
		v.through(NotFound(guess)).expectRefused(t, http.StatusNotFound, "not_found")
	}
}
