package handlers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestOwnersFaultsStayInTheirSandbox sets fault rules in each way that a sandbox's key allows,
// with that key and with the admin key.
func TestOwnersFaultsStayInTheirSandbox(t *testing.T) {
	t.Parallel()
	w := keyedWorld(t, func(c *handlers.Config) { c.AdminKey = "root" })
	w = w.Unchecked() // rules add undocumented responses
	own := strings.TrimPrefix(w.URL, "http://")
	for _, test := range []struct {
		status      int
		name, value string
		allowed     bool
	}{
		{503, "Set-Cookie", "a=b; Path=/", false}, {503, "set-cookie", "a=b", false},
		{503, "Clear-Site-Data", `"*"`, false},
		{503, "Strict-Transport-Security", "max-age=1", false}, {503, "Alt-Svc", "clear", false},
		{503, "Content-Security-Policy", "sandbox", false}, {503, "Public-Key-Pins", "max-age=1", false},
		{503, "Service-Worker-Allowed", "/", false}, {503, "Refresh", "0; url=/", false},
		{503, "Nel", "{}", false}, {503, "Report-To", "{}", false},
		{200, "Accept-CH", "Sec-CH-UA-Model", false}, {200, "Origin-Agent-Cluster", "?0", false},
		{200, "Set-Login", "logged-out", false},
		{200, "Use-As-Dictionary", `match="/*"`, false}, {404, "X-Lighttpd-Send-File", "/etc/passwd", false},
		{404, "X-Accel-Redirect", "/protected/x", false}, {404, "X-Sendfile", "/etc/passwd", false},
		{503, "Retry-After", "1", true}, {503, "X-Cookie", "a=b", true},
		{201, "Location", "https://evil.example/", true},

		{302, "Location", "/pets/1", true}, {307, "Location", "pets?limit=1", true},
		{302, "Location", "?page=2", true},
		{302, "Location", "http://" + own + "/pets", false}, {308, "Location", "//" + own + "/", false},
		{302, "Location", "///evil.example/", false}, {302, "Location", `/\evil.example/`, false},
		{302, "location", "/\t/evil.example/", false}, {302, "Location", "http:/evil.example/", false},
		{302, "Location", "javascript:alert(1)", false},
	} {
		header, _ := json.Marshal(map[string]string{test.name: test.value})
		rule := fmt.Sprintf(`{"status": %d, "headers": %s}`, test.status, header)
		for _, r := range []Request{Post("/admin/faults", rule), Put("/admin/faults", "["+rule+"]")} {
			for key, allowed := range map[string]bool{"bobs": test.allowed, "root": true} {
				r := Request{Method: r.Method, Path: "/sandboxes/bob" + r.Path, Body: r.Body,
					Header: Authorization("Bearer " + key)}
				if a := w.Do(t, r); (a.Status < 300) != allowed || !allowed && a.Status != 400 {
					t.Errorf("%s %s of %s with the key %q = %d %s, want it allowed: %t", r.Method, r.Path, rule, key,
						a.Status, a.Body, allowed)
				}
				if key == "bobs" && (w.Get(t, "/sandboxes/bob/pets").Header.Get(test.name) == test.value) != allowed {
					t.Errorf("after %s %s of %s the store answers otherwise", r.Method, r.Path, rule)
				}
				w.Must(t, Delete("/sandboxes/bob/admin/faults").WithKey("root"))
			}
		}
	}
	world := Put("/sandboxes/bob/admin/world", `{}`).WithKey("bobs")
	w.Do(t, world).Expect(t, 403, "forbidden") // so a world cannot set such a rule either
}

// TestOwnerResetKeepsAdminHeaders checks that headers which the admin set, in a template's rules or
// by a world, return with the owner's reset.
func TestOwnerResetKeepsAdminHeaders(t *testing.T) {
	t.Parallel()
	w := keyedWorld(t, func(c *handlers.Config) { c.AdminKey = "root" }).Unchecked()
	root := func(r Request) {
		t.Helper()
		r.Header = Authorization("Bearer root")
		w.Must(t, r)
	}
	root(Post("/sandboxes/eve/admin/faults", `{"status": 503, "headers": {"Set-Cookie": "a=b"}}`))
	root(Put("/admin/template", `{"from": "eve"}`))
	root(Put("/admin/sandboxes/mia", `{"key": "mias"}`))
	for _, path := range []string{"/admin/reset", "/admin/reset?only=faults"} {
		r := Post("/sandboxes/mia"+path, "")
		r.Header = Authorization("Bearer mias")
		w.Must(t, r)
		if a := w.Get(t, "/sandboxes/mia/pets"); a.Header.Get("Set-Cookie") != "a=b" {
			t.Errorf("after %s: %d %v", path, a.Status, a.Header)
		}
	}
}

// TestOwnersBehindProxy checks a server without an admin key: a sandbox's key opens the
// control plane to clients behind a proxy, except for operations that need the admin key.
func TestOwnersBehindProxy(t *testing.T) {
	t.Parallel()
	w := keyedWorld(t, func(*handlers.Config) {})
	for _, test := range []struct {
		Request
		status int
	}{
		{Post("/admin/reset", ""), 200}, {Post("/admin/reset", `{"seed": 2}`), 403},
		{Put("/admin/state?baseline=true", `{}`), 403},
		{Post("/admin/faults", `{"status": 503}`), 201},
		{Post("/admin/faults", `{"status": 503, "headers": {"Set-Cookie": "a=b"}}`), 400},
	} {
		r := test.Request
		r.Path, r.Header = "/sandboxes/bob"+r.Path,
			http.Header{"Authorization": {"Bearer bobs"}, "X-Real-Ip": {"203.0.113.7"}}
		w.Do(t, r).Expect(t, test.status, "")
	}
	// From the machine itself.
	w.Must(t, Post("/sandboxes/bob/admin/faults", `{"status": 503, "headers": {"Set-Cookie": "a=b"}}`))
}
