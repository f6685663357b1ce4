package admin_test

import (
	"fmt"
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
}

// foreignPages are origins whose pages must not change data or follow events.
var foreignPages = []string{
	"https://evil.example", "http://127.0.0.1.evil.example", "http://localhost.evil.example", "http://127.0.0.1:80@evil.example", "null", "",
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
			w.Do(t, Request{Method: op.Method, Path: op.Path, Header: header}).Expect(t, 403, "forbidden")
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
	w := NewWorld(t, func(c *handlers.Config) { c.AdminKey = "secret" })
	before := w.State(t)
	for _, op := range controls() {
		for _, header := range append(foreign, http.Header{}, http.Header{"Origin": {"https://evil.example"}}) {
			w.Do(t, Request{Method: op.Method, Path: op.Path, Header: header}).Expect(t, 401, "unauthorized")
		}
		for _, key := range []string{"Bearer wrong", "Bearer demo-key", "Basic c2VjcmV0"} {
			w.Do(t, Request{Method: op.Method, Path: op.Path, Header: Authorization(key)}).Expect(t, 401, "unauthorized")
		}
	}
	if w.State(t) != before {
		t.Error("a refused request changed the state")
	}
	for _, op := range controls() {
		for _, header := range append(foreign, http.Header{"Origin": {"https://evil.example"}}) {
			header = header.Clone()
			header.Set("Authorization", "Bearer secret")
			if a := w.Do(t, Request{Method: op.Method, Path: op.Path, Header: header}); a.Status == 401 || a.Status == 403 {
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

// TestAdminKeyOpens checks that the admin key is sufficient for the control plane, and that no
// other key is.
func TestAdminKeyOpens(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.AdminKey, c.APIKeys = "secret", []string{"api"} })
	for path, key := range map[string]string{"/admin": "secret", "/pets": "api"} {
		for _, token := range []string{"secret", "api"} {
			status := 401
			if token == key {
				status = 200
			}
			a := w.Do(t, Get(path).WithKey(token))
			if a.Status != status {
				t.Errorf("%s with %s = %d, want %d", path, token, a.Status, status)
			}
		}
	}
	if text := fmt.Sprint(w.Do(t, Get("/admin")).Header); strings.Contains(text, "secret") {
		t.Errorf("the refusal tells the key: %s", text)
	}
}

// TestStrangersMakeNoSandboxes checks that only authorized requests create sandboxes. Otherwise
// clients without a key could fill the server and lock out the others.
func TestStrangersMakeNoSandboxes(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) {
		c.APIKeys, c.AdminKey, c.MaxSandboxes = []string{"api"}, "secret", 3
	})
	for i := range 5 {
		prefix := fmt.Sprintf("/sandboxes/s%d", i)
		for _, r := range []Request{
			Get(prefix + "/pets"), Get(prefix + "/admin"), Get(prefix + "/nope"),
			Get(prefix + "/healthz"), Get(prefix + "/docs/"), {Method: "OPTIONS", Path: prefix + "/pets"},
			Get(prefix+"/admin").With("Host", "evil.example").WithKey("wrong"),
		} {
			if a := w.Do(t, r); a.Status == 503 {
				t.Errorf("%s %s = %d %s", r.Method, r.Path, a.Status, a.Body)
			}
		}
	}
	if all := w.Server.Sandboxes().Len(); all != 1 {
		t.Errorf("strangers have made %d sandboxes", all-1)
	}
	w.Do(t, Get("/sandboxes/ada/pets").WithKey("api")).Expect(t, 200, "")
	if all := w.Server.Sandboxes().Len(); all != 2 {
		t.Errorf("after a request with the key there are %d sandboxes, want default and ada", all)
	}
}
