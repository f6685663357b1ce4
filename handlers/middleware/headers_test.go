package middleware

import (
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers/rest"
)

func TestVaryAndCacheControl(t *testing.T) {
	t.Parallel()
	const preflight = varies + ", Access-Control-Request-Method, Access-Control-Request-Headers, Access-Control-Request-Private-Network"
	for _, test := range []struct {
		method    string
		operation *rest.Operation
		vary      string
	}{
		{http.MethodGet, &rest.Operation{}, varies},
		{http.MethodGet, &rest.Operation{Vary: "Accept"}, varies + ", Accept"},
		{http.MethodGet, nil, varies},
		{http.MethodOptions, nil, preflight},
		{http.MethodOptions, &rest.Operation{Vary: "Accept"}, preflight},
	} {
		for range 2 { // what one answer does to its header is no other's
			v := newVisit(test.method, "/", nil)
			v.x.Operation = test.operation
			v.to(Headers(""), func(x *rest.Exchange) error {
				x.W.Header().Add("Vary", "Accept-Encoding") // as libraries do
				x.W.WriteHeader(http.StatusNotFound)
				return nil
			})
			v.expectPassed(t)
			v.expectHeader(t, "Vary", test.vary)
			v.expectHeader(t, "Cache-Control", "no-cache")
		}
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	link := Headers("")
	longest := strings.Repeat("x", 128)
	for _, test := range []struct {
		sent []string
		id   string
	}{
		{nil, "req-1"},
		{[]string{"mine"}, "mine"},
		{[]string{"!"}, "!"},
		{[]string{"~"}, "~"},
		{[]string{longest}, longest},
		{[]string{longest + "x"}, "req-2"},
		{[]string{""}, "req-3"},
		{[]string{"two words"}, "req-4"},
		{[]string{"caf\u00e9"}, "req-5"},
		{[]string{"a\x7f"}, "req-6"},
		{[]string{"one", "two"}, "req-7"},
	} {
		v := newVisit(http.MethodGet, "/pets", http.Header{"X-Request-Id": test.sent}).through(link)
		v.expectPassed(t)
		v.expectHeader(t, "X-Request-Id", test.id)
		v.expectHeader(t, "X-Content-Type-Options", "nosniff")
		if v.x.ID != test.id {
			t.Errorf("%q: id = %q, want %q", test.sent, v.x.ID, test.id)
		}
	}
}

// TestReplica is on every answer of a server that has a name, and on none of another.
func TestReplica(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{"": nil, "eu-2": {"eu-2"}} {
		v := newVisit(http.MethodGet, "/pets", nil).through(Headers(name))
		v.expectPassed(t)
		v.expectHeader(t, "X-Petstore-Replica", want...)
	}
}

// TestControlPlaneIsNotEmbedded is about every response of the control plane, of errors too.
func TestControlPlaneIsNotEmbedded(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][]string{
		"/admin": {"same-origin"}, "/admin/nowhere": {"same-origin"}, "/sandboxes/ada/admin/state": {"same-origin"},
		"/metrics": {"same-origin"}, "/mcp": {"same-origin"},
		"/pets": nil, "/docs": nil, "/pages/shell.css": nil, "/administrators": nil,
	} {
		v := newVisit(http.MethodGet, path, nil).through(Headers(""))
		v.expectPassed(t)
		v.expectHeader(t, "Cross-Origin-Resource-Policy", want...)
	}
}
