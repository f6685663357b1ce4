package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers"
)

// fetch is a request that a browser makes for a page of the origin.
func fetch(method, path, origin string, more http.Header) request {
	header := http.Header{"Origin": {origin}}
	for name, values := range more {
		header[name] = values
	}
	return request{method: method, path: path, header: header}
}

// preflight is what a browser asks first.
func preflight(path, origin, method, headers string) request {
	return fetch("OPTIONS", path, origin, http.Header{
		"Access-Control-Request-Method":  {method},
		"Access-Control-Request-Headers": {headers},
	})
}

// TestAnyOriginMayReadEveryAnswer includes the errors: a page must be able to
// show what went wrong.
func TestAnyOriginMayReadEveryAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, limited(2), func(c *handlers.Config) { c.MaxSandboxes = 4 })
	w.must(t, put("/sandboxes/faulty/admin/faults", `[{"status": 503}]`))
	w.get(t, "/sandboxes/eager/pets").expect(t, 200, "")
	w.get(t, "/sandboxes/eager/pets").expect(t, 200, "")
	w.must(t, put("/admin/sandboxes/ada", ""))
	w.must(t, post("/admin/reset?only=limit", ""))
	for path, status := range map[string]int{
		"/pets": 200, "/pets/1": 200, "/sandboxes/ada/pets/99": 404, "/sandboxes/ada/pets/x": 400, "/nowhere": 404, "/messages": 401, "/healthz": 200,
		"/openapi.json": 200, "/sandboxes/ada/openapi.json": 200, "/sandboxes/ada/nowhere": 404, "/sandboxes/Not%20one/pets": 400,
		"/sandboxes/eager/pets": 429, "/sandboxes/faulty/pets": 503, "/sandboxes/faulty/events": 503, "/sandboxes/bob/pets": 503,
	} {
		a := w.do(t, fetch("GET", path, "https://app.example", nil))
		a.expect(t, status, "")
		a.expectHeader(t, "Access-Control-Allow-Origin", "*")
		if a.header.Get("Access-Control-Expose-Headers") == "" {
			t.Errorf("GET %s exposes no header", path)
		}
	}
	a := w.do(t, fetch("PUT", "/pets", "https://app.example", nil))
	a.expect(t, 405, "method_not_allowed")
	a.expectHeader(t, "Access-Control-Allow-Origin", "*")
}

// TestExposedHeaders wants what section 7 of the design promises; that every
// header of every answer is among it is checked with every answer.
func TestExposedHeaders(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Accept", "Accept-Encoding", "Accept-Patch", "Allow", "Deprecation", "ETag", "Idempotency-Replayed", "Link", "Location", "Preference-Applied",
		"RateLimit", "RateLimit-Policy", "Retry-After", "Sunset", "Warning", "WWW-Authenticate", "X-Request-Id", "X-Sandbox",
		"X-Stability", "X-Total-Count", "Accept", "Vary", "X-Accel-Buffering", "X-Content-Type-Options",
	} {
		if !slices.Contains(exposedHeaders(), http.CanonicalHeaderKey(name)) {
			t.Errorf("%s is not exposed", name)
		}
	}
}

// TestFaultsCanExposeTheirHeaders lets a rule do what an API that has a header of
// its own does.
func TestFaultsCanExposeTheirHeaders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fault(t, `{"status": 503, "headers": {"X-Why": "tired", "Access-Control-Expose-Headers": "X-Why"}}`)
	a := w.loose().do(t, fetch("GET", "/pets", "https://app.example", nil))
	a.expect(t, 503, "unavailable")
	a.expectHeader(t, "X-Why", "tired")
	a.expectHeader(t, "Access-Control-Expose-Headers", "X-Why")
	a.expectHeader(t, "Access-Control-Allow-Origin", "*")
}

// TestAdminIsForKnownPages wants every path of the control plane, and what is no
// path there, to be readable by the pages that may use it and by no other. That no
// answer is for every page is checked with every answer.
func TestAdminIsForKnownPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.CORSOrigins = []string{"https://app.example"} })
	all := paths(w)
	all["/admin/nowhere"] = []string{"GET"}
	for path, methods := range all {
		if !isAdmin(path) {
			continue
		}
		for _, prefix := range []string{"", "/sandboxes/ada", "/sandboxes/Not%20one"} {
			for origin, allowed := range map[string]bool{"http://localhost:5173": true, "https://app.example": false, "null": false} {
				var want []string
				if allowed {
					want = []string{origin}
				}
				for _, method := range append([]string{"PATCH"}, methods...) {
					w.do(t, fetch(method, prefix+path, origin, nil)).expectHeader(t, "Access-Control-Allow-Origin", want...)
				}
				w.do(t, preflight(prefix+path, origin, methods[0], "authorization")).expectHeader(t, "Access-Control-Allow-Origin", want...)
			}
		}
	}
}

func TestPreflight(t *testing.T) {
	t.Parallel()
	withKeys := func(c *handlers.Config) { c.APIKeys, c.AdminKey = []string{"secret"}, "secret" } // a preflight has no key
	w := newWorld(t, withKeys)
	for _, test := range []struct{ path, method, headers string }{
		{"/pets", "POST", "content-type"},
		{"/pets/1", "PATCH", "authorization,content-type,if-match,prefer,x-request-id,x-sandbox"},
		{"/messages", "POST", "authorization,idempotency-key"},
		{"/pets/1", "DELETE", ""},
		{"/nowhere", "PUT", "authorization"}, // a page must be able to read the 404
		{"/sandboxes/ada/pets", "POST", "content-type,x-sandbox"},
		{"/events", "GET", "last-event-id"},
	} {
		a := w.do(t, preflight(test.path, "https://app.example", test.method, test.headers))
		a.expect(t, 204, "")
		a.expectHeader(t, "Access-Control-Allow-Origin", "*")
		a.expectHeader(t, "Access-Control-Allow-Methods", test.method)
		allowed := strings.ToLower(strings.Join(a.header.Values("Access-Control-Allow-Headers"), ","))
		// A * does not stand for Authorization (Fetch, CORS-preflight fetch).
		if allowed != test.headers {
			t.Errorf("%s %s: allowed headers = %q, want %q", test.method, test.path, allowed, test.headers)
		}
	}
}

func TestNarrowedOrigins(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.CORSOrigins = []string{"https://app.example", "http://localhost:5173"} })
	for origin, allowed := range map[string]bool{
		"https://app.example":           true,
		"http://localhost:5173":         true,
		"http://app.example":            false,
		"https://app.example:444":       false,
		"https://app.example.evil.test": false,
		"https://evil-app.example":      false,
		"http://localhost:51733":        false,
		"null":                          false,
	} {
		var want []string
		if allowed {
			want = []string{origin}
		}
		w.do(t, fetch("GET", "/pets/1", origin, nil)).expectHeader(t, "Access-Control-Allow-Origin", want...)
		w.do(t, preflight("/pets/1", origin, "PATCH", "authorization")).expectHeader(t, "Access-Control-Allow-Origin", want...)
	}
	// A cache must not give one origin's answer to another.
	if vary := strings.Join(w.get(t, "/pets/1").header.Values("Vary"), ","); !strings.Contains(vary, "Origin") {
		t.Errorf("Vary = %q", vary)
	}
}
