package admin_test

import (
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestAdminHosts checks that the control plane accepts only its own names in a Host header, which
// prevents DNS rebinding.
func TestAdminHosts(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.AllowedHosts = []string{"petstore.test"} })
	port := w.URL[strings.LastIndex(w.URL, ":"):]
	for host, allowed := range map[string]bool{
		"127.0.0.1" + port: true, "127.0.0.1": true, "127.8.8.8": true, "localhost": true, "localhost" + port: true, "LOCALHOST": true,
		"ada.localhost": true, "[::1]" + port: true, "[::1]": true, "petstore.test": true, "Petstore.Test:99": true,
		"localhost.": true, "localhost." + port: true, "ada.localhost.": true, "127.0.0.1.": true, "petstore.test.": true, // fully qualified
		"localhost..": false, "localhost.evil.example.": false, "petstore.test.evil.example.": false,
		"petstore.example": false, "localhost.evil.example": false, "127.0.0.1.evil.example": false, "evil.example" + port: false,
		"evil-localhost": false, "notlocalhost": false, "xpetstore.test": false, "petstore.test.evil.example": false,
		"10.0.0.1": false, "0.0.0.0": false, "[::]": false, "169.254.169.254": false,
	} {
		header := http.Header{"Host": {host}}
		for _, r := range []Request{
			Get("/admin"), Post("/admin/reset", ""), Get("/admin/openapi.json"),
		} {
			r.Header = header
			a := w.Do(t, r)
			if allowed {
				a.Expect(t, 200, "")
			} else {
				a.Expect(t, 403, "forbidden")
			}
		}
		w.Do(t, Request{Method: "GET", Path: "/pets/1", Header: header}).Expect(t, 200, "") // the service accepts every host
	}
}

// TestAdminOrigins checks which origins may use the control plane. Origins are compared as a whole,
// never by a prefix.
func TestAdminOrigins(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.AdminOrigins = []string{"https://teacher.example"} })
	port := w.URL[strings.LastIndex(w.URL, ":"):]
	for origin, allowed := range map[string]bool{
		w.URL: true, "http://localhost:5173": true, "http://127.0.0.1": true, "https://localhost": true, "http://[::1]:80": true,
		"http://ada.localhost:3000": true, "http://localhost.:5173": true, "https://teacher.example": true,
		"null": false, "": false, "http://localhost..": false, "https://evil.example": false, "http://127.0.0.1.evil.example": false, "http://localhost.evil.example": false,
		"http://127.0.0.1:80@evil.example": false, "http://localhost@evil.example": false, "http://evil.example#localhost": false,
		"http://evil.example/http://localhost": false, "http://evil.example?localhost": false, "http://teacher.example": false,
		"https://teacher.example.evil.example": false, "https://teacher.example:444": false, "https://xteacher.example": false,
		"file://localhost": false, "localhost": false, "http://": false, "http://127.0.0.1" + port + "/": false, "http://127.0.0.1:80 ": true,
		"chrome-extension://localhost": false, "*": false,
	} {
		before := w.State(t)
		w.Must(t, Patch("/pets/1", `{"status": "sold"}`))
		for _, r := range []Request{
			Fetch("GET", "/admin", origin, nil), Fetch("POST", "/admin/reset", origin, nil), Fetch("GET", "/admin/events", origin, nil),
		} {
			a := w.Do(t, r)
			if reader := strings.TrimSpace(origin); allowed {
				a.Expect(t, 200, "")
				a.ExpectReadableBy(t, reader)
				continue
			}
			a.ExpectReadableBy(t, "")
			if r.Path != "/admin" { // it is harmless, since the page cannot read the response
				a.Expect(t, 403, "forbidden")
			}
			w.Do(t, Preflight(r.Path, origin, r.Method, "authorization")).ExpectReadableBy(t, "")
		}
		if allowed && w.State(t) != before {
			t.Errorf("the reset from %q did nothing", origin)
		}
		w.Server.Sandboxes().Default().Reset()
	}
}

// TestAdminFetchMetadata checks that Sec-Fetch-Site is respected in requests without Origin.
func TestAdminFetchMetadata(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for site, status := range map[string]int{"cross-site": 403, "same-site": 403, "same-origin": 200, "none": 200, "": 200} {
		header := http.Header{}
		if site != "" {
			header.Set("Sec-Fetch-Site", site)
		}
		w.Do(t, Request{Method: "POST", Path: "/admin/reset", Header: header}).Expect(t, status, "")
	}
	w.Do(t, Get("/admin/events").With("Sec-Fetch-Site", "cross-site")).Expect(t, 403, "forbidden")
	w.Do(t, Get("/admin/events").With("Sec-Fetch-Site", "same-origin")).Expect(t, 200, "")
	// A link to a page is allowed, since it changes nothing. The Host check comes before.
	w.Do(t, Get("/admin").With("Sec-Fetch-Site", "cross-site")).Expect(t, 200, "")
	w.Do(t, Post("/pets", `{"name": "Bello", "categoryId": 1}`).With("Sec-Fetch-Site", "cross-site")).
		Expect(t, 201, "")
}

// TestAdminOfTwoOrigins checks that a request with several origins is refused, in any order.
func TestAdminOfTwoOrigins(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	const dev, evil = "http://localhost:5173", "https://evil.example"
	for _, origins := range [][]string{{dev, evil}, {evil, dev}, {dev, dev}, {"", dev}, {dev, ""}, {dev + ", " + evil}} {
		for _, r := range []Request{Fetch("POST", "/admin/reset", "", nil), Fetch("GET", "/admin/events", "", nil)} {
			r.Header["Origin"] = origins
			a := w.Do(t, r)
			a.Expect(t, 403, "forbidden")
			a.ExpectReadableBy(t, "")
		}
	}
}

// TestAdminThroughProxies checks that the control plane responds without a key if the forwarding
// headers name a client on this machine, such as a page of a development server.
func TestAdminThroughProxies(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, test := range []struct {
		header  http.Header
		allowed bool
	}{
		{http.Header{"X-Forwarded-For": {"127.0.0.1"}}, true},
		{http.Header{"X-Forwarded-For": {"127.0.0.1"}, "X-Forwarded-Host": {"localhost:5173"}, "X-Forwarded-Proto": {"http"}}, true},
		{http.Header{"Forwarded": {`for="[::1]:4711";proto=http`}, "X-Forwarded-For": {"::1"}}, true},
		{http.Header{"Forwarded": {"for=127.0.0.1"}, "X-Forwarded-For": {"203.0.113.7"}}, false},
		{http.Header{"Forwarded": {"for=203.0.113.7"}, "X-Forwarded-For": {"127.0.0.1"}}, false},
		{http.Header{"X-Forwarded-For": {"127.0.0.1", "203.0.113.7"}}, false},
		{http.Header{"Via": {"1.1 proxy"}, "X-Forwarded-For": {"127.0.0.1"}}, false},
		{http.Header{"Via": {""}}, false},
	} {
		for _, r := range []Request{Get("/admin"), Post("/admin/reset", ""), Get("/admin/openapi.json")} {
			r.Header = test.header
			a := w.Do(t, r)
			if test.allowed {
				a.Expect(t, 200, "")
				continue
			}
			a.Expect(t, 403, "forbidden")
			if message := a.Problem(t).Message; !strings.Contains(message, "--admin-key") {
				t.Errorf("message = %q, which does not say what to do", message)
			}
		}
		w.Do(t, Request{Method: "GET", Path: "/pets/1", Header: test.header}).Expect(t, 200, "") // the service accepts every client
	}
}
