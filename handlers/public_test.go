package handlers_test

import (
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
)

const shopURL = "https://shop.example/petstore"

// behindProxy configures a server that users reach by [shopURL].
func behindProxy(c *handlers.Config) { c.PublicURL, c.AdminKey = shopURL, "secret" }

// TestPublicServerOfDocuments checks that documents name the public address. The transcript
// public.txt has the addresses in responses.
func TestPublicServerOfDocuments(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, behindProxy).Unchecked() // the documents do not have the prefix
	for path, want := range map[string]string{"/openapi.json": shopURL, "/petstore/openapi.json": shopURL,
		"/petstore/sandboxes/ada/admin/openapi.json": shopURL + "/sandboxes/ada"} {
		var document struct{ Servers []struct{ URL string } }
		w.Must(t, Get(path).WithKey("secret")).Decode(t, &document)
		if got := document.Servers[0].URL; got != want {
			t.Errorf("%s names the server %s, want %s", path, got, want)
		}
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
