package admin_test

import (
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/rest"
)

// foreign are headers of requests that an open control plane must refuse: they have another host
// name, were forwarded for a remote client, or have a foreign origin.
var foreign = []http.Header{
	{"Host": {"petstore.evil.example"}},
	{"Host": {"127.0.0.1.evil.example"}},
	{"Host": {"localhost.evil.example"}},
	{"Via": {"1.1 proxy"}},
	{"X-Forwarded-For": {"203.0.113.7"}},
	{"X-Real-Ip": {"203.0.113.7"}},
	{"Forwarded": {"for=203.0.113.7"}},
	{"Origin": {"http://localhost:5173", "https://evil.example"}},
	{"Origin": {"http://localhost:5173", "http://localhost:5173"}},
	{"Origin": {"", "http://localhost:5173"}},
}

// foreignPages are origins whose pages must not change data or follow events.
var foreignPages = []string{
	"https://evil.example", "http://127.0.0.1.evil.example", "http://localhost.evil.example",
	"http://127.0.0.1:80@evil.example", "null", "",
}

// TestAdminIsGuarded makes a request to every operation of the control plane with foreign headers
// and origins.
func TestAdminIsGuarded(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Put("/admin/sandboxes/ada", "")) // an unknown sandbox would be reported first
	before := w.State(t)
	for _, op := range controls() {
		for _, header := range foreign {
			a := w.Do(t, Request{Method: op.Method, Path: op.Path, Header: header})
			a.Expect(t, 403, "forbidden")
			a.ExpectReadableBy(t, "")
		}
		for _, page := range foreignPages {
			a := w.Do(t, Fetch(op.Method, op.Path, page, nil))
			if op.Method != http.MethodGet || op.Stream {
				a.Expect(t, 403, "forbidden")
			}
			a.ExpectReadableBy(t, "")
		}
	}
	if w.State(t) != before {
		t.Error("a refused request changed the state")
	}
}

// TestAdminKeyDecides checks that only the key decides if the server has one.
func TestAdminKeyDecides(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.AdminKey, c.APIKeys = "secret", []string{"api"} })
	before := w.State(t)
	for _, op := range controls() {
		for _, header := range append(foreign, http.Header{}, http.Header{"Origin": {"https://evil.example"}}) {
			w.Do(t, Request{Method: op.Method, Path: op.Path, Header: header}).Expect(t, 401, "unauthorized")
		}
		for _, key := range []string{"Bearer wrong", "Bearer api", "Bearer demo-key", "Basic c2VjcmV0"} {
			w.Do(t, Request{Method: op.Method, Path: op.Path, Header: Authorization(key)}).
				Expect(t, 401, "unauthorized")
		}
	}
	if w.State(t) != before {
		t.Error("a refused request changed the state")
	}
	for _, op := range controls() {
		for _, header := range append(foreign, http.Header{"Origin": {"https://evil.example"}}) {
			header = header.Clone()
			header.Set("Authorization", "Bearer secret")
			if a := w.Do(t, Request{Method: op.Method, Path: op.Path, Header: header}); a.Status == 401 ||
				a.Status == 403 {
				t.Errorf("%s %s with the key and %v = %d", op.Method, op.Path, header, a.Status)
			}
		}
	}
}

// controls returns every operation of the control plane, each with its path in two sandboxes.
func controls() []rest.Operation {
	var all []rest.Operation
	for _, op := range append(new(admin.Server).Operations(), dataOperations()...) {
		if op.Anybody {
			continue
		}
		for _, prefix := range []string{"", "/sandboxes/ada"} {
			inSandbox := op
			inSandbox.Path = prefix + Address(op.Path)
			all = append(all, inSandbox)
		}
	}
	return all
}

// TestAdminHosts checks that the control plane accepts only its own names in a Host header, which
// prevents DNS rebinding.
func TestAdminHosts(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.AllowedHosts = []string{"petstore0.test"} })
	port := w.URL[strings.LastIndex(w.URL, ":"):]
	for host, allowed := range map[string]bool{
		"127.0.0.1" + port: true, "127.0.0.1": true, "127.8.8.8": true, "localhost": true, "localhost" + port: true,
		"LOCALHOST":     true,
		"ada.localhost": true, "[::1]" + port: true, "[::1]": true, "petstore0.test": true, "Petstore0.Test:99": true,
		// Fully qualified.
		"localhost.": true, "localhost." + port: true, "ada.localhost.": true, "127.0.0.1.": true,
		"petstore0.test.": true, "localhost..": false, "localhost.evil.example.": false,
		"petstore0.test.evil.example.": false, "petstore.example": false, "localhost.evil.example": false,
		"127.0.0.1.evil.example": false,
		"evil.example" + port:    false,
		"evil-localhost":         false, "notlocalhost": false, "xpetstore0.test": false,
		"petstore0.test.evil.example": false,
		"10.0.0.1":                    false, "0.0.0.0": false, "[::]": false, "169.254.169.254": false,
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
		// The service accepts every host.
		w.Do(t, Request{Method: "GET", Path: "/pets/1", Header: header}).Expect(t, 200, "")
	}
}

// TestAdminOrigins checks which origins may use the control plane. Origins are compared as a whole,
// never by a prefix.
func TestAdminOrigins(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.AdminOrigins = []string{"https://teacher.example"} })
	port := w.URL[strings.LastIndex(w.URL, ":"):]
	for origin, allowed := range map[string]bool{
		w.URL: true, "http://localhost:5173": true, "http://127.0.0.1": true, "https://localhost": true,
		"http://[::1]:80": true, "http://ada.localhost:3000": true, "http://localhost.:5173": true,
		"https://teacher.example": true, "null": false, "": false, "http://localhost:5173, https://evil.example": false,
		"http://localhost..": false, "https://evil.example": false, "http://127.0.0.1.evil.example": false,
		"http://localhost.evil.example": false, "http://127.0.0.1:80@evil.example": false,
		"http://localhost@evil.example": false, "http://evil.example#localhost": false,
		"http://evil.example/http://localhost": false, "http://evil.example?localhost": false,
		"http://teacher.example": false, "https://teacher.example.evil.example": false,
		"https://teacher.example:444": false, "https://xteacher.example": false, "HTTPS://Teacher.example": true,
		"https://teacher.example.": false, "ftp://127.0.0.1": false, "http://%zz": false,
		"file://localhost": false, "localhost": false, "http://": false, "http://127.0.0.1" + port + "/": false,
		"http://127.0.0.1:80 ":         true,
		"chrome-extension://localhost": false, "*": false,
	} {
		before := w.State(t)
		w.Must(t, Patch("/pets/1", `{"status": "sold"}`))
		// Origin decides.
		site := http.Header{"Sec-Fetch-Site": {map[bool]string{true: "cross-site", false: "same-origin"}[allowed]}}
		for _, r := range []Request{
			Fetch("GET", "/admin", origin, site), Fetch("POST", "/admin/reset", origin, site),
			Fetch("GET", "/admin/events", origin, site),
			Fetch("HEAD", "/admin/events", origin, site),
		} {
			a := w.Do(t, r)
			if reader := strings.TrimSpace(origin); allowed {
				a.Expect(t, 200, "")
				a.ExpectReadableBy(t, reader)
				continue
			}
			a.ExpectReadableBy(t, "")
			if r.Path != "/admin" { // it is harmless, since the page cannot read the response
				a.Expect(t, 403, "")
			}
			w.Do(t, Preflight(r.Path, origin, r.Method, "authorization")).ExpectReadableBy(t, "")
		}
		if allowed && w.State(t) != before {
			t.Errorf("the reset from %q did nothing", origin)
		}
		w.Server.Sandboxes().Default().Reset()
	}
	for origin, says := range map[string]string{"null": "serve the page over HTTP", "https://a.b": `of "https://a.b"`} {
		a := w.Do(t, Fetch("POST", "/admin/reset", origin, nil))
		if message := a.Problem(t).Message; !strings.Contains(message, says) {
			t.Errorf("%s: %q", origin, message)
		}
	}
}

// TestAdminFetchMetadata checks that Sec-Fetch-Site is respected in requests without Origin.
func TestAdminFetchMetadata(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for site, status := range map[string]int{"cross-site": 403, "same-site": 403, "same-origin": 200, "none": 200,
		"": 200} {
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
