package handlers_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestNearestPath checks the path that the response to an unknown path suggests. The transcript
// routes.txt has more.
func TestNearestPath(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for path, nearest := range map[string]string{
		"/pets/1/":                   "/pets/1",
		"/pet/7c-x":                  "/pets/7c-x",
		"/store/order/3":             "/store/orders/3",
		"/stores/inventory/2":        "/store/inventory/2",
		"/order/3":                   "/store/orders/3",
		"/api/v3/pet/1":              "/pets/1",
		"/helthz":                    "/healthz",
		"/sandboxes/ada/pets/":       "/sandboxes/ada/pets",
		"/admin/reste":               "/admin/reset",
		"/admin/operation/getPet":    "/admin/operations/getPet",
		"/sandboxes/ada/admin/clok":  "/sandboxes/ada/admin/clock",
		"/docs/oauth.html":           "",
		"/%F0%9F%90%95":              "",
		"/../pets/./7":               "/pets/7",
		"/pets/7/..":                 "/pets",
		"/pets/../..":                "",
		"/sandboxes/ada/pets/../pet": "/sandboxes/ada/pets",
		"/admin/../pets":             "/pets",
		"/admin/data/../clock":       "/admin/clock",
		"/admin/data/pets/../pet/1":  "/admin/data/pets/1",
		"/1/2/3/4/5/6":               "",

		"/admin/data/pet/1": "/admin/data/pets/1", "/admin/data/orders": "/admin/data/store/orders", "/admin/data/": "",
		"/admin/data/healthz": "", "/admin/data/helthz": "", "/admin/data/events": "", "/admin/data/admin": "",
		"/admin/data/admin/data/pets": "", "/admin/data/docs/": "", "/admin/data/pets%2F1": "",
		"/sandboxes/ada/admin/data/pet": "/sandboxes/ada/admin/data/pets",
	} {
		document := "/openapi.json"
		if strings.Contains(path, "admin") {
			document = "/admin/openapi.json"
		}
		prefix := ""
		if strings.HasPrefix(path, "/sandboxes/ada") {
			prefix = "/sandboxes/ada"
		}
		hint := ""
		if nearest != "" {
			hint = "did you mean " + nearest + "? "
		}
		want := fmt.Sprintf("%s%s%s describes every path", hint, prefix, document)
		a := w.Get(t, path)
		a.Expect(t, 404, "not_found")
		if _, got, _ := strings.Cut(a.Problem(t).Message, "; "); got != want {
			t.Errorf("%s: the advice is %q, want %q", path, got, want)
		}
	}
}

// TestNotFoundWithProxyPrefix checks that a 404 for a path with a proxy's prefix names the flag that
// configures the prefix, unless the flag is set.
func TestNotFoundWithProxyPrefix(t *testing.T) {
	t.Parallel()
	direct := NewWorld(t)
	behind := NewWorld(t, func(c *handlers.Config) { c.PublicURL, c.AdminKey = "http://localhost:5173/petstore", "k" }).
		Unchecked()
	for path, prefix := range map[string]string{
		"/petstore/pets":                "/petstore",
		"/petstore/pets/7":              "/petstore",
		"/api/v3/healthz":               "/api/v3",
		"/petstore/":                    "/petstore", // the dashboard
		"/petstore/docs/":               "/petstore",
		"/api/openapi.json":             "/api",
		"/api/events":                   "/api",
		"/api/admin/data/pets":          "/api",
		"/api/pets/":                    "",
		"/petstore/sandboxes/ada/pets":  "/petstore",
		"/petstore/pet":                 "",
		"/pets/1/pets":                  "",
		"/pets/":                        "",
		"//pets":                        "",
		"/%F0%9F%90%95/pets":            "",
		"/sandboxes/ada/petstore/pets":  "",
		"/petstore/../categories/pets/": "",
	} {
		known := strings.TrimPrefix(strings.Replace(path, "/sandboxes/ada", "", 1), prefix)
		want := "did you mean " + known + "? if a proxy adds " + prefix +
			", start the server with --public-url and the address that users see, such as http://localhost:5173" +
			prefix + "; "
		a := direct.Get(t, path)
		a.Expect(t, 404, "not_found")
		if message := a.Problem(t).Message; prefix != "" && !strings.Contains(message, want) || prefix == "" &&
			strings.Contains(message, "proxy") {
			t.Errorf("%s: %q, want %q in it", path, message, want)
		}
		if a := behind.Get(t, path); a.Status == 404 && strings.Contains(a.Problem(t).Message, "proxy") {
			t.Errorf("%s, with --public-url: %q", path, a.Problem(t).Message)
		}
	}
}

// TestNearestPathNeedsNoParameter checks that a path without parameters is preferred, because it
// can be requested as it is.
func TestNearestPathNeedsNoParameter(t *testing.T) {
	t.Parallel()
	for _, paths := range [][]string{{"/pets/{petId}/orders", "/store/orders"},
		{"/store/orders", "/pets/{petId}/orders"}} {
		if got := handlers.Nearest("/orders", paths...); got != "/store/orders" {
			t.Errorf("of %q, %q is nearest to /orders", paths, got)
		}
	}
	if got := handlers.Nearest("/photo", "/pets", "/pets/{petId}/photo"); got != "/pets/{petId}/photo" {
		t.Errorf("%q is nearest to /photo", got)
	}
}
