package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers"
)

// TestAdminIsGuarded reads every operation out of the control plane's document and
// tries each with a foreign Host, a foreign Origin and without the key.
func TestAdminIsGuarded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.AdminKey = "secret" })
	operations := 0
	before := w.state(t)
	for path, item := range adminDocument().Paths.Map() {
		for method := range item.Operations() {
			operations++
			for _, prefix := range []string{"", "/sandboxes/ada"} {
				w.tryGuard(t, method, prefix+address(path))
			}
		}
	}
	if operations < 29 {
		t.Errorf("only %d operations were tried", operations)
	}
	if w.state(t) != before {
		t.Error("a refused request changed the state")
	}
}

// tryGuard wants the operation refused for every reason there is.
func (w *world) tryGuard(t *testing.T, method, path string) {
	t.Helper()
	for _, c := range []struct {
		header, value string
		status        int
	}{
		{"Host", "petstore.evil.example", 403},
		{"Host", "127.0.0.1.evil.example", 403},
		{"Host", "localhost.evil.example", 403},
		{"Origin", "https://evil.example", 403},
		{"Origin", "http://127.0.0.1.evil.example", 403},
		{"Origin", "http://localhost.evil.example", 403},
		{"Origin", "http://127.0.0.1:80@evil.example", 403},
		{"Origin", "null", 403},
		{"Authorization", "", 401},
		{"Authorization", "Bearer wrong", 401},
		{"Authorization", "Bearer demo-key", 401},
		{"Authorization", "Basic c2VjcmV0", 401},
	} {
		header := http.Header{"Authorization": {"Bearer secret"}}
		if c.value == "" {
			header.Del(c.header)
		} else {
			header.Set(c.header, c.value)
		}
		a := w.do(t, request{method: method, path: path, header: header})
		if a.status != c.status {
			t.Errorf("%s %s with %s %q = %d, want %d", method, path, c.header, c.value, a.status, c.status)
		}
	}
}

// TestAdminKeyOpens wants the key alone to be enough, and to be the admin's only.
func TestAdminKeyOpens(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.AdminKey, c.APIKeys = "secret", []string{"api"} })
	for path, key := range map[string]string{"/admin": "secret", "/pets": "api"} {
		for _, token := range []string{"secret", "api"} {
			status := 401
			if token == key {
				status = 200
			}
			a := w.do(t, request{method: "GET", path: path, header: http.Header{"Authorization": {"Bearer " + token}}})
			if a.status != status {
				t.Errorf("%s with %s = %d, want %d", path, token, a.status, status)
			}
		}
	}
	if text := fmt.Sprint(w.do(t, request{method: "GET", path: "/admin"}).header); strings.Contains(text, "secret") {
		t.Errorf("the refusal tells the key: %s", text)
	}
}

// TestStrangersMakeNoSandboxes wants a sandbox for those alone who are let in:
// else who knows no key could fill the server and lock the others out.
func TestStrangersMakeNoSandboxes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) {
		c.APIKeys, c.AdminKey, c.MaxSandboxes = []string{"api"}, "secret", 3
	})
	for i := range 5 {
		prefix := fmt.Sprintf("/sandboxes/s%d", i)
		for _, r := range []request{
			{method: "GET", path: prefix + "/pets"}, {method: "GET", path: prefix + "/admin"}, {method: "GET", path: prefix + "/nope"},
			{method: "GET", path: prefix + "/healthz"}, {method: "GET", path: prefix + "/docs/"}, {method: "OPTIONS", path: prefix + "/pets"},
			{method: "GET", path: prefix + "/admin", header: http.Header{"Host": {"evil.example"}, "Authorization": {"Bearer secret"}}},
		} {
			if a := w.do(t, r); a.status == 503 {
				t.Errorf("%s %s = %d %s", r.method, r.path, a.status, a.body)
			}
		}
	}
	if all := w.server.Sandboxes().Len(); all != 1 {
		t.Errorf("strangers have made %d sandboxes", all-1)
	}
	w.do(t, request{method: "GET", path: "/sandboxes/ada/pets", header: http.Header{"Authorization": {"Bearer api"}}}).expect(t, 200, "")
	if all := w.server.Sandboxes().Len(); all != 2 {
		t.Errorf("after a request with the key there are %d sandboxes, want default and ada", all)
	}
}
