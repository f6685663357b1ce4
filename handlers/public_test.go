package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
)

const shopURL = "https://shop.example/petstore"

// behindProxy configures a server that users reach by [shopURL].
func behindProxy(c *handlers.Config) { c.PublicURL, c.AdminKey = shopURL, "secret" }

// TestPublicURL checks that users can reach every address in a response, whether the proxy strips
// the prefix or passes it on.
func TestPublicURL(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"", "/petstore"} {
		w := NewWorld(t, behindProxy)
		if prefix != "" {
			w = w.Unchecked() // the documents do not have the prefix
		}
		do := func(method, path, body string) *Answer {
			t.Helper()
			return w.Do(t,
				Request{Method: method, Path: prefix + path, Body: body, Header: Authorization("Bearer secret")})
		}
		for _, test := range []struct {
			method, path, body string
			status             int
			header, want       string
		}{
			{"POST", "/pets", NewPet, 201, "Location", "/petstore/pets/7"},
			{"POST", "/sandboxes/ada/pets", NewPet, 201, "Location", "/petstore/sandboxes/ada/pets/7"},
			{"POST", "/admin/data/pets", NewPet, 201, "Location", "/petstore/admin/data/pets/8"},
			{"POST", "/admin/faults", `{"match": {"path": "/pets/9/photo"}, "status": 503}`, 201, "Location",
				"/petstore/admin/faults/1"},
			{"POST", "/admin/sandboxes/ada/fork", `{"name": "bob"}`, 201, "Location", "/petstore/admin/sandboxes/bob"},
			{"GET", "/pets?limit=10", "", 200, "Link",
				`</petstore/pets?limit=10&offset=0>; rel="first", </petstore/pets?limit=10&offset=0>; rel="last"`},
			{"GET", "/pets/1", "", 200, "Link",
				`</petstore/docs/#/Pets/getPet>; rel="deprecation", </petstore/pets?id=1>; rel="successor-version"`},
			{"GET", "/sandboxes/ada/pets/1", "", 200, "Link",
				`</petstore/sandboxes/ada/docs/#/Pets/getPet>; rel="deprecation", ` +
					`</petstore/sandboxes/ada/pets?id=1>; rel="successor-version"`},
			{"GET", "/docs", "", 308, "Location", "/petstore/docs/"},
			{"GET", "/sandboxes/ada/docs", "", 308, "Location", "/petstore/sandboxes/ada/docs/"},
		} {
			a := do(test.method, test.path, test.body)
			a.Expect(t, test.status, "")
			a.ExpectHeader(t, test.header, test.want)
		}
		for _, path := range []string{"/openapi.json", "/sandboxes/ada/admin/openapi.json"} {
			var document struct{ Servers []struct{ URL string } }
			do("GET", path, "").Decode(t, &document)
			_, sandbox, _ := strings.Cut(strings.TrimSuffix(strings.TrimSuffix(path, "/openapi.json"), "/admin"), "/")
			if want := strings.TrimSuffix(shopURL+"/"+sandbox, "/"); document.Servers[0].URL != want {
				t.Errorf("%s names the server %s, want %s", path, document.Servers[0].URL, want)
			}
		}
		var links map[string]string
		do("GET", "/", "").Decode(t, &links)
		for name, address := range links {
			if !strings.HasPrefix(address, "/petstore/") {
				t.Errorf("the index links %s to %s", name, address)
			}
		}
		do("GET", "/petstores", "").Expect(t, 404, "not_found") // the prefix must be a whole segment
		if problem := do("GET", "/petz", "").
			Problem(t); !strings.Contains(problem.Message, "did you mean /petstore/pets?") {
			t.Errorf("the 404 says %s", problem.Message)
		}
		var archive struct {
			Log struct {
				Entries []struct{ Request struct{ URL string } }
			}
		}
		do("GET", "/sandboxes/ada/admin/requests?format=har", "").Decode(t, &archive)
		if got, want := archive.Log.Entries[0].Request.URL, shopURL+"/sandboxes/ada/pets"; got != want {
			t.Errorf("the archive has a request to %s, want %s", got, want)
		}
	}
}

// TestPublicPages checks that no page leads a browser away from the prefix.
func TestPublicPages(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, behindProxy).Unchecked()
	html := http.Header{"Accept": {"text/html"}}
	for path, location := range map[string]string{"/petstore": "./petstore/", "/petstore/sandboxes/ada": "./ada/",
		"/sandboxes/ada": "./ada/", "/petstore/": "", "/": ""} {
		a := w.Do(t, Request{Method: "GET", Path: path, Header: html})
		if location == "" {
			a.Expect(t, 200, "")
			continue
		}
		a.Expect(t, 308, "")
		a.ExpectHeader(t, "Location", location)
	}
}

// TestJoinBehindAProxy checks that the server's own page, whose Origin is the public address, may
// send the form to join, and that no other page may.
func TestJoinBehindAProxy(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, behindProxy, func(c *handlers.Config) { c.Workshop = true })
	for origin, status := range map[string]int{"https://shop.example": 201, "https://other.example": 403,
		"http://shop.example": 403, "https://shop.example:444": 403} {
		a := w.Do(t, Post("/join", `{"name": "Ada"}`).With("Origin", origin))
		a.Expect(t, status, "")
		if status != 201 {
			continue
		}
		var attendee struct{ URL, Docs, Dashboard string }
		a.Decode(t, &attendee)
		want := struct{ URL, Docs, Dashboard string }{shopURL + "/sandboxes/ada", shopURL + "/sandboxes/ada/docs/",
			shopURL + "/sandboxes/ada/"}
		if attendee != want {
			t.Errorf("Ada is sent to %+v, want %+v", attendee, want)
		}
	}
}

// TestCredentialsBehindAProxy checks that a page of a configured origin may send credentials,
// because a proxy may have a login.
func TestCredentialsBehindAProxy(t *testing.T) {
	t.Parallel()
	const app, other = "https://app.example", "https://other.example"
	for _, test := range []struct {
		origins []string
		readers map[string]string
	}{
		{nil, map[string]string{app: "*", "null": "*"}},
		{[]string{app}, map[string]string{app: app, other: ""}},
		{[]string{app, "*"}, map[string]string{app: app, other: "*"}},
	} {
		w := NewWorld(t, behindProxy, func(c *handlers.Config) { c.CORSOrigins = test.origins })
		for origin, reader := range test.readers {
			w.Do(t, Fetch("GET", "/pets/1", origin, nil)).ExpectReadableBy(t, reader)
		}
	}
}
