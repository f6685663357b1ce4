package handlers_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	"example.com/petstore/handlers/config"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// full returns a server that has room for two sandboxes besides the default one, with both taken.
func full(t *testing.T, take ...Request) (w *World, pass func(time.Duration)) {
	t.Helper()
	config, pass := Movable(func(c *handlers.Config) { c.MaxSandboxes = 3 })
	w = NewWorld(t, config)
	for i, r := range take {
		w.Must(t, Behind(fmt.Sprint("s", i), r))
		pass(time.Second)
	}
	return w, pass
}

// TestFullServerEvictsLeastRecentlyUsed checks that the least recently used sandbox is evicted, of those that
// requests have created and that have not changed.
func TestFullServerEvictsLeastRecentlyUsed(t *testing.T) {
	t.Parallel()
	read := Get("/pets")
	w, pass := full(t, read, read) // at 0 s and at 1 s
	w.Get(t, "/sandboxes/s0/pets") // so s1 is the least recently used one
	pass(9*time.Second - 1)
	w.Get(t, "/sandboxes/s2/pets").Expect(t, 503, "sandbox_limit_reached")
	pass(1)
	w.Get(t, "/sandboxes/s2/pets").Expect(t, 200, "")
	w.ExpectNames(t, "default", "s0", "s2")
}

// TestChangedSandboxesAreEvictedLast checks that sandboxes which only the service has changed are evicted
// after a minute, and only if there is no unchanged sandbox to evict.
func TestChangedSandboxesAreEvictedLast(t *testing.T) {
	t.Parallel()
	w, pass := full(t, Post("/pets", NewPet), Get("/pets"))
	pass(time.Minute)
	w.Get(t, "/sandboxes/s2/pets").Expect(t, 200, "")
	w.ExpectNames(t, "default", "s0", "s2")
	w.Get(t, "/sandboxes/s3/pets").Expect(t, 200, "")
	w.ExpectNames(t, "default", "s2", "s3")
}

// TestSandboxesThatAreNotEvicted lists the reasons that keep a sandbox on a full server.
func TestSandboxesThatAreNotEvicted(t *testing.T) {
	t.Parallel()
	read := Get("/pets")
	for name, use := range map[string]func(t *testing.T, w *World, name string){
		"a write of admin": func(t *testing.T, w *World, name string) {
			w.Must(t, Put("/sandboxes/"+name+"/admin/clock", `{"frozen": true}`))
		},
		"a snapshot": func(t *testing.T, w *World, name string) {
			w.Must(t, Put("/sandboxes/"+name+"/admin/snapshots/first", ""))
		},
		"a key": func(t *testing.T, w *World, name string) {
			w.Must(t, Put("/admin/sandboxes/"+name, `{"key": "k"}`))
		},
		"being made by admin": func(t *testing.T, w *World, name string) {
			w.Must(t, Put("/admin/sandboxes/"+name, ""))
		},
		"a stream": func(t *testing.T, w *World, name string) {
			w.Listen(t, "/sandboxes/"+name+"/events", nil)
		},
		"a stream of admin": func(t *testing.T, w *World, name string) {
			w.Listen(t, "/sandboxes/"+name+"/admin/events", nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, pass := full(t, read, Post("/pets", NewPet))
			for _, name := range []string{"s0", "s1"} {
				use(t, w, name)
			}
			pass(10 * time.Minute)
			a := w.Get(t, "/sandboxes/s2/pets")
			if a.Expect(t, 503, "sandbox_limit_reached"); a.Header.Get("Retry-After") != "10" {
				t.Errorf("headers %v", a.Header)
			}
			for _, r := range []Request{
				Put("/admin/sandboxes/s2", ""), Post("/admin/sandboxes", ""),
				Put("/sandboxes/s2/admin/world", `{"format": 1, "baseline": {}, "state": {}}`),
				Post("/admin/sandboxes/s0/fork", `{"name": "s2"}`),
			} {
				w.Do(t, r).Expect(t, 503, "sandbox_limit_reached")
			}
			w.Get(t, "/sandboxes/s2/healthz").Expect(t, 200, "") // needs no room
			w.Get(t, "/sandboxes/s2/admin").Expect(t, 404, "unknown_sandbox")
			w.Get(t, "/sandboxes/s1/pets").Expect(t, 200, "") // is there
			if pass(config.DefaultSandboxTTL - 1); strings.HasPrefix(name, "a stream") {
				w.Must(t, Delete("/admin/sandboxes/s0"))
			}
			w.Get(t, "/sandboxes/s2/pets").Expect(t, 200, "") // s0 is idle for longer, or was dropped
			w.ExpectNames(t, "default", "s1", "s2")
		})
	}
}

// TestFloodOfSandboxesEndsAfterAMinute checks that a client which writes to every possible sandbox keeps
// new clients out for a minute only. Then each new client evicts one sandbox.
func TestFloodOfSandboxesEndsAfterAMinute(t *testing.T) {
	t.Parallel()
	const most = 50
	config, pass := Movable(func(c *handlers.Config) { c.MaxSandboxes = most })
	w := NewWorld(t, config)
	for i := range most - 1 {
		w.Must(t, Behind(fmt.Sprint("flood", i), Post("/pets", NewPet)))
	}
	w.Get(t, "/sandboxes/late/pets").Expect(t, 503, "sandbox_limit_reached")
	pass(time.Minute)
	for i := range most - 1 {
		w.Must(t, Behind(fmt.Sprint("guest", i), Post("/pets", NewPet)))
		if names := w.Names(); len(names) != most {
			t.Fatalf("%d sandboxes", len(names))
		}
	}
	w.Get(t, "/sandboxes/late/pets").Expect(t, 503, "sandbox_limit_reached")
}

// TestForkDoesNotEvictItsSource checks that a fork on a full server does not evict its source.
func TestForkDoesNotEvictItsSource(t *testing.T) {
	t.Parallel()
	read := Get("/pets")
	w, pass := full(t, read, read)
	pass(10 * time.Second)
	w.Must(t, Post("/admin/sandboxes/s0/fork", `{"name": "eve"}`))
	w.ExpectNames(t, "default", "eve", "s0")
}

// TestUnauthorizedRequestsEvictNothing checks that a full server makes room only for authorized requests.
func TestUnauthorizedRequestsEvictNothing(t *testing.T) {
	t.Parallel()
	config, pass := Movable(func(c *handlers.Config) { c.MaxSandboxes, c.APIKeys = 2, []string{"k1"} })
	w := NewWorld(t, config)
	key := Authorization("Bearer k1")
	w.Must(t, Request{Method: "GET", Path: "/sandboxes/ada/pets", Header: key})
	pass(time.Hour - 1)
	for _, path := range []string{"/sandboxes/bob/pets", "/sandboxes/bob/nope", "/sandboxes/bob/healthz"} {
		w.Get(t, path)
	}
	w.Get(t, "/sandboxes/bob/pets").Expect(t, 401, "unauthorized")
	w.ExpectNames(t, "ada", "default")
	w.Must(t, Request{Method: "GET", Path: "/sandboxes/bob/pets", Header: key})
	w.ExpectNames(t, "bob", "default")
}

// TestChangesMarkSandbox checks that exactly the requests that may have changed a sandbox mark it as
// changed.
func TestChangesMarkSandbox(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	noted := func(r Request, want bool) {
		t.Helper()
		before := w.Server.Sandboxes().Changed()
		w.Do(t, r)
		if got := w.Server.Sandboxes().Changed() != before; got != want {
			t.Errorf("%s %s: noted %t, want %t", r.Method, r.Path, got, want)
		}
	}
	noted(Get("/pets/1"), false)
	noted(Request{Method: "HEAD", Path: "/pets"}, false)
	noted(Get("/admin/state"), false)
	noted(Get("/sandboxes/ada/pets"), true) // creates the sandbox
	noted(Get("/sandboxes/ada/pets"), false)
	noted(Delete("/pets/2"), true)
	noted(Post("/pets", `{"name": "Rex", "categoryId": 1}`), true)
	noted(Put("/admin/clock", `{"frozen": true}`), true)
	noted(Post("/sandboxes/*/admin/reset", ""), true)
	noted(Post("/admin/faults", `{"times": 1, "status": 503}`), true)
	noted(Get("/pets/1"), true) // uses up the rule
	noted(Get("/pets/1"), false)
	noted(Delete("/admin/sandboxes/ada"), true)
}

// named returns texts and the names that they map to, by section 9 of the design. Users may have
// stored a name, so every version must map them the same way. The digits are those of sha256sum.
func named() map[string]string {
	hashed := func(readable, text string) string {
		return fmt.Sprintf("%s%.6x", readable, sha256.Sum256([]byte(text)))
	}
	long := strings.Repeat("x", 63)
	widest := strings.Repeat("ä", 200)
	return map[string]string{
		"ada": "ada", "0": "0", "a.b_c-d": "a.b_c-d", long: long,
		"TestShop/with spaces#01": "testshop-with-spaces-01-0c28dad21b2a",
		"Ada Lovelace":            hashed("ada-lovelace-", "Ada Lovelace"),
		"Zoë":                     hashed("zo-", "Zoë"),
		"日本":                      "cf2abf0c5be3",
		"-ada":                    hashed("ada-", "-ada"),
		"50%":                     hashed("50-", "50%"),
		"50%25":                   hashed("50-25-", "50%25"),
		"a+b":                     hashed("a-b-", "a+b"),
		"**":                      hashed("", "**"),
		"...":                     "ab5df625bc76",
		"Default":                 "default-21b111cbfe6e",
		long + "x":                long[:50] + "-7ce100971f64",
		widest:                    hashed("", widest),
	}
}

// TestSandboxNames checks that any text can name a sandbox, by header or by path, and that its
// canonical form names the same sandbox.
func TestSandboxNames(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for text, canonical := range named() {
		encoded := url.PathEscape(text)
		a := w.Must(t, InSandbox(encoded, Post("/pets", NewPet)))
		a.ExpectHeader(t, "X-Sandbox", canonical)
		a.ExpectHeader(t, "Location", "/pets/7")
		a = w.Must(t, Post("/sandboxes/"+encoded+"/pets", NewPet))
		a.ExpectHeader(t, "X-Sandbox", canonical)
		a.ExpectHeader(t, "Location", "/sandboxes/"+encoded+"/pets/8")
		w.Get(t, "/sandboxes/"+canonical+"/pets/8").Expect(t, 200, "")
		w.Do(t, InSandbox(encoded, Get("/sandboxes/"+canonical+"/pets/8"))).Expect(t, 200, "")
	}
	raw := w.Must(t, InSandbox("Zoë", Get("/pets/8"))) // unencoded UTF-8
	raw.ExpectHeader(t, "X-Sandbox", named()["Zoë"])
	w.Must(t, InSandbox("%64efault", Get("/sandboxes/default/pets"))).ExpectHeader(t, "X-Sandbox", "default")

	var list []admin.Sandbox
	w.Get(t, "/admin/sandboxes").Decode(t, &list)
	titles := make(map[string]string)
	for _, sb := range list {
		titles[sb.Title] = sb.Name
	}
	want := named()
	want["default"] = "default"
	must.Equal(t, want, titles, "titles and names")
}

// TestTitleIsFirstName checks that a sandbox keeps the text that created it as its title.
func TestTitleIsFirstName(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	canonical := named()["Ada Lovelace"]
	w.Get(t, "/sandboxes/"+canonical+"/pets")
	w.Get(t, "/sandboxes/Ada%20Lovelace/pets")
	w.Must(t, Put("/admin/sandboxes/Grace%20Hopper", ""))
	w.Must(t, Post("/admin/sandboxes/Grace%20Hopper/fork", `{"name": "Grace 2"}`)).ExpectHeader(t, "Location",
		"/admin/sandboxes/"+fmt.Sprintf("grace-2-%.6x", sha256.Sum256([]byte("Grace 2"))))
	var list []admin.Sandbox
	w.Get(t, "/admin/sandboxes").Decode(t, &list)
	var titles []string
	for _, sb := range list {
		titles = append(titles, sb.Title)
	}
	must.Equal(t, []string{canonical, "default", "Grace 2", "Grace Hopper"}, titles, "titles in the order of names")
	w.Must(t, Delete("/admin/sandboxes/Ada%20Lovelace"))
	w.Do(t, Delete("/admin/sandboxes/"+canonical)).Expect(t, 404, "not_found")
}

// TestBadSandboxNames checks that invalid names, and two names at once, are refused. A refusal
// before the sandbox is found has no X-Sandbox header.
func TestBadSandboxNames(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	long := strings.Repeat("ä", 201)
	for _, name := range []string{"", "*", ".", "..", "%2E%2E", "%2A", "%", "%zz", "ada%2", "%FF", "\xe4", "a%0Ab",
		"%00", "%7F", "%C2%80", long, url.PathEscape(long)} {
		a := w.Do(t, InSandbox(name, Get("/pets")))
		a.Expect(t, 400, "invalid_parameter", "X-Sandbox")
		a.ExpectHeader(t, "X-Sandbox")
	}
	for _, name := range []string{"%FF", "\xe4"} {
		a := w.Do(t, InSandbox(name, Get("/pets")))
		if message := a.Problem(t).Message; !strings.HasSuffix(message,
			" is not UTF-8; percent-encode the name in UTF-8, as encodeURIComponent does") {
			t.Errorf("X-Sandbox: %q: %s", name, message)
		}
	}
	for _, name := range []string{"", "*", ".", "%2e%2E", "%2A", "%FF", "a%0Ab", "%00", "%C2%80",
		url.PathEscape(long)} {
		a := w.Do(t, Get("/sandboxes/"+name+"/pets"))
		a.Expect(t, 400, "invalid_parameter", "sandbox")
		a.ExpectHeader(t, "X-Sandbox")
	}
	for _, names := range [][]string{{"bob"}, {"Ada"}, {"ada", "bob"}, {"ada", "ada"}} {
		r := Request{Method: "GET", Path: "/sandboxes/ada/pets", Header: http.Header{"X-Sandbox": names}}
		w.Do(t, r).Expect(t, 400, "invalid_parameter", "X-Sandbox")
	}
	w.Do(t, Get("/sandboxes/*/nope")).Expect(t, 404, "not_found") // the unknown route is reported first
	if got := len(w.Names()); got != 1 {
		t.Errorf("%d sandboxes, want default alone", got)
	}
}
