package middleware

import (
	"net/http"
	"strings"
	"testing"
)

func TestStandardHeaders(t *testing.T) {
	t.Parallel()
	link := StandardHeaders("")
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
		v := newVisit(http.MethodGet, "/pets", nil).through(StandardHeaders(name))
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
		v := newVisit(http.MethodGet, path, nil).through(StandardHeaders(""))
		v.expectPassed(t)
		v.expectHeader(t, "Cross-Origin-Resource-Policy", want...)
	}
}
