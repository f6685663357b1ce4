package middleware

import (
	"net/http"
	"testing"
)

// TestCORS is an origin, and what the pages that come from there may do: of the
// service by what was configured, of the control plane if they are trusted.
func TestCORS(t *testing.T) {
	t.Parallel()
	const app, dev, other = "https://app.example", "http://localhost:5173", "https://other.example"
	trusted := func(origin string) bool { return origin == dev }
	for _, test := range []struct {
		configured   []string
		path, origin string
		allowed      string // Access-Control-Allow-Origin
		credentials  bool
		private      bool // a preflight from a public page is granted
		public       bool // the server stands behind a proxy
	}{
		{nil, "/pets", other, "*", false, true, true},
		{[]string{app}, "/pets", app, app, true, true, true},
		{[]string{app}, "/pets", other, "", false, false, true},
		{[]string{"*", app}, "/pets", app, app, true, true, true},
		{[]string{"*", app}, "/pets", other, "*", false, true, true},
		{nil, "/admin", dev, dev, true, false, true},
		{nil, "/admin/reset", app, "", false, false, true},
		{nil, "/pets", other, other, true, true, false},
		{nil, "/pets", "null", "*", false, true, false},
		{[]string{"*"}, "/pets", app, "*", false, true, false},
		{[]string{"*"}, "/pets", "null", "*", false, true, false},
		{[]string{"*", app}, "/pets", app, app, true, true, false},
		{[]string{"*", app}, "/pets", other, "*", false, true, false},
		{[]string{app}, "/pets", app, app, true, true, false},
		{[]string{app}, "/pets", other, "", false, false, false},
		{[]string{app}, "/pets", "null", "", false, false, false},
		{[]string{"https://*.example"}, "/pets", app, app, true, true, false},
		{nil, "/admin", dev, dev, true, false, false},
		{nil, "/admin/reset", app, "", false, false, false},
		{[]string{"*", app}, "/admin/reset", app, "", false, false, false},
		{[]string{"*"}, "/sandboxes/ada/admin", "null", "", false, false, false},
		{nil, "/administrator", app, app, true, true, false},
	} {
		link := CORS(test.configured, test.public, trusted)
		allowed, credentials, private := values(test.allowed), values(""), values("")
		if test.credentials {
			credentials = values("true")
		}
		if test.private {
			private = values("true")
		}

		v := newVisit(http.MethodPatch, test.path, http.Header{"Origin": {test.origin}}).through(link)
		v.expectPassed(t)
		v.expectHeader(t, "Access-Control-Allow-Origin", allowed...)
		v.expectHeader(t, "Access-Control-Allow-Credentials", credentials...)
		if got := v.answer.Header().Get("Access-Control-Expose-Headers"); (got != "") != (test.allowed != "") {
			t.Errorf("%s of %s may read %q", test.origin, test.path, got)
		}

		v = newVisit(http.MethodOptions, test.path, http.Header{
			"Origin": {test.origin}, "Access-Control-Request-Method": {"PATCH"}, "Access-Control-Request-Headers": {"x-a,x-b"},
			"Access-Control-Request-Private-Network": {"true"},
		}).through(link)
		if v.reached || v.answer.Code != http.StatusNoContent {
			t.Errorf("the preflight of %s for %s is handed on: %t, or is %d", test.origin, test.path, v.reached, v.answer.Code)
		}
		v.expectHeader(t, "Access-Control-Allow-Origin", allowed...)
		v.expectHeader(t, "Access-Control-Allow-Credentials", credentials...)
		v.expectHeader(t, "Access-Control-Allow-Private-Network", private...)
		if test.allowed != "" {
			v.expectHeader(t, "Access-Control-Allow-Headers", "x-a,x-b")
			v.expectHeader(t, "Access-Control-Allow-Methods", "PATCH")
			v.expectHeader(t, "Access-Control-Max-Age", "600")
		}
	}
}

func values(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// TestNoCORS is a request that comes from no page, or from one that cannot be known.
func TestNoCORS(t *testing.T) {
	t.Parallel()
	const app = "https://app.example"
	for _, header := range []http.Header{
		{},
		{"Origin": {""}},
		{"Origin": {app, app}},
		{"Access-Control-Request-Method": {"PUT"}},
		{"Origin": {app, "https://other.example"}, "Access-Control-Request-Method": {"PUT"}},
	} {
		v := newVisit(http.MethodOptions, "/pets", header).through(CORS(nil, false, nil))
		v.expectPassed(t)
		v.expectHeader(t, "Access-Control-Allow-Origin")
	}
	v := newVisit(http.MethodOptions, "/pets", http.Header{"Origin": {app}, "Access-Control-Request-Method": {""}}).through(CORS(nil, false, nil))
	v.expectPassed(t) // it asks for no method, and so is no preflight
	v.expectHeader(t, "Access-Control-Allow-Origin", app)
	newVisit(http.MethodPut, "/pets", http.Header{"Origin": {app}, "Access-Control-Request-Method": {"PUT"}}).through(CORS(nil, false, nil)).expectPassed(t)
}
