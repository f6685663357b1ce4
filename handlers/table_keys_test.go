package handlers_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/rest"
)

// TestKeysOpenOperations sends every operation of the table every key, in servers
// with and without keys: the kinds decide, as section 8 of the design has it.
func TestKeysOpenOperations(t *testing.T) {
	t.Parallel()
	any := []string{"", "demo-key", "k1", "k2", "root"}
	for _, server := range []struct {
		name    string
		config  func(*handlers.Config)
		service []string // the keys that open the service; "" is none
		private []string
		admin   []string
	}{
		{"no keys", func(*handlers.Config) {}, any, []string{"demo-key"}, any},
		{"API keys", func(c *handlers.Config) { c.APIKeys = []string{"k1", "k2"} }, []string{"k1", "k2"}, []string{"k1", "k2"}, any},
		{"an admin key", func(c *handlers.Config) { c.AdminKey = "root" }, any, []string{"demo-key"}, []string{"root"}},
		{"both", func(c *handlers.Config) { c.APIKeys, c.AdminKey = []string{"k1"}, "root" }, []string{"k1"}, []string{"k1"}, []string{"root"}},
	} {
		t.Run(server.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, server.config)
			for _, op := range w.Server.Table() {
				if op.Anybody {
					continue
				}
				keys := any
				if op.Kind == rest.Page { // long, and the same for all
					keys = []string{"", "root"}
				}
				for _, key := range keys {
					opened := map[rest.Kind][]string{
						rest.Service: server.service, rest.Private: server.private, rest.Admin: server.admin,
						rest.Health: {"", "demo-key", "k1", "k2", "root"}, rest.Page: {"", "demo-key", "k1", "k2", "root"},
					}[op.Kind]
					path := address(op.Path)
					r := request{Method: op.Method, Path: path}
					if key != "" {
						r.Header = authorization("Bearer " + key)
					}
					a := w.Do(t, r)
					if want, got := slices.Contains(opened, key), a.Status != 401; want != got {
						t.Errorf("%s %s with the key %q = %d, want it open: %t", op.Method, path, key, a.Status, want)
					}
				}
			}
		})
	}
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
		if !isAdmin(path) || strings.HasPrefix(path, "/join") { // which are for no page of another server
			continue
		}
		for _, prefix := range []string{"", "/sandboxes/ada", "/sandboxes/*"} {
			for origin, allowed := range map[string]bool{"http://localhost:5173": true, "https://app.example": false, "null": false} {
				reader := ""
				if allowed {
					reader = origin
				}
				for _, method := range append([]string{"PATCH"}, methods...) {
					w.Do(t, fetch(method, prefix+path, origin, nil)).ExpectReadableBy(t, reader)
				}
				w.Do(t, preflight(prefix+path, origin, methods[0], "authorization")).ExpectReadableBy(t, reader)
			}
		}
	}
}
