package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers"
)

// TestAdminHosts is a Host header and whether the control plane answers to it:
// only its own names, which stops DNS rebinding.
func TestAdminHosts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.AllowedHosts = []string{"petstore.test"} })
	port := w.url[strings.LastIndex(w.url, ":"):]
	for host, allowed := range map[string]bool{
		"127.0.0.1" + port: true, "127.0.0.1": true, "127.8.8.8": true, "localhost": true, "localhost" + port: true, "LOCALHOST": true,
		"ada.localhost": true, "[::1]" + port: true, "[::1]": true, "petstore.test": true, "Petstore.Test:99": true,
		"petstore.example": false, "localhost.evil.example": false, "127.0.0.1.evil.example": false, "evil.example" + port: false,
		"evil-localhost": false, "notlocalhost": false, "xpetstore.test": false, "petstore.test.evil.example": false,
		"10.0.0.1": false, "0.0.0.0": false, "[::]": false, "169.254.169.254": false,
	} {
		header := http.Header{"Host": {host}}
		for _, r := range []request{
			{method: "GET", path: "/admin"}, {method: "POST", path: "/admin/reset"}, {method: "GET", path: "/admin/openapi.json"},
		} {
			r.header = header
			a := w.do(t, r)
			if allowed {
				a.expect(t, 200, "")
			} else {
				a.expect(t, 403, "forbidden")
			}
		}
		w.do(t, request{method: "GET", path: "/pets/1", header: header}).expect(t, 200, "") // the service is for everyone
	}
}

// TestAdminOrigins is an Origin and whether a page from there may use the control
// plane. Origins are compared whole, never by a prefix.
func TestAdminOrigins(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.AdminOrigins = []string{"https://teacher.example"} })
	port := w.url[strings.LastIndex(w.url, ":"):]
	for origin, allowed := range map[string]bool{
		w.url: true, "http://localhost:5173": true, "http://127.0.0.1": true, "https://localhost": true, "http://[::1]:80": true,
		"http://ada.localhost:3000": true, "https://teacher.example": true,
		"null": false, "https://evil.example": false, "http://127.0.0.1.evil.example": false, "http://localhost.evil.example": false,
		"http://127.0.0.1:80@evil.example": false, "http://localhost@evil.example": false, "http://evil.example#localhost": false,
		"http://evil.example/http://localhost": false, "http://evil.example?localhost": false, "http://teacher.example": false,
		"https://teacher.example.evil.example": false, "https://teacher.example:444": false, "https://xteacher.example": false,
		"file://localhost": false, "localhost": false, "http://": false, "http://127.0.0.1" + port + "/": false, "http://127.0.0.1:80 ": true,
		"chrome-extension://localhost": false, "*": false,
	} {
		origin := origin
		before := w.state(t)
		for _, method := range []string{"GET", "POST"} {
			path := map[string]string{"GET": "/admin", "POST": "/admin/reset"}[method]
			w.must(t, request{method: "PATCH", path: "/pets/1", body: `{"status": "sold"}`})
			a := w.do(t, fetch(method, path, origin, nil))
			trimmed := strings.TrimSpace(origin)
			if allowed {
				a.expect(t, 200, "")
				a.expectHeader(t, "Access-Control-Allow-Origin", trimmed)
				continue
			}
			if a.status != 403 {
				t.Errorf("%s %s from %q = %d, want 403", method, path, origin, a.status)
			}
			a.expectHeader(t, "Access-Control-Allow-Origin") // nor may it read the answer
			w.do(t, preflight(path, origin, method, "authorization")).expectHeader(t, "Access-Control-Allow-Origin")
		}
		if allowed && w.state(t) != before {
			t.Errorf("the reset from %q did nothing", origin)
		}
		w.server.Sandboxes().Default().Reset()
	}
}

// TestAdminFetchMetadata wants what a browser says of a request without Origin to
// count as well.
func TestAdminFetchMetadata(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for site, status := range map[string]int{"cross-site": 403, "same-site": 403, "same-origin": 200, "none": 200, "": 200} {
		header := http.Header{}
		if site != "" {
			header.Set("Sec-Fetch-Site", site)
		}
		w.do(t, request{method: "POST", path: "/admin/reset", header: header}).expect(t, status, "")
	}
	// Reading by a link is no change; the Host check stands before it.
	w.do(t, request{method: "GET", path: "/admin", header: http.Header{"Sec-Fetch-Site": {"cross-site"}}}).expect(t, 200, "")
	w.do(t, request{method: "POST", path: "/pets", header: http.Header{"Sec-Fetch-Site": {"cross-site"}}, body: `{"name": "Bello", "categoryId": 1}`}).
		expect(t, 201, "")
}
