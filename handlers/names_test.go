package handlers_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/admin"
)

// named are texts and the names that they stand for: section 9 of the design. The
// digits are those that sha256sum gives.
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
		"日本":                      hashed("", "日本"),
		"-ada":                    hashed("ada-", "-ada"),
		"50%":                     hashed("50-", "50%"),
		"50%25":                   hashed("50-25-", "50%25"),
		"a+b":                     hashed("a-b-", "a+b"),
		"**":                      hashed("", "**"),
		".":                       hashed("", "."),
		"Default":                 hashed("default-", "Default"),
		long + "x":                hashed(long[:50]+"-", long+"x"),
		widest:                    hashed("", widest),
	}
}

// TestSandboxNames wants any text to name a sandbox, by header or by path, and its
// canonical form to name the same one.
func TestSandboxNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for text, canonical := range named() {
		encoded := url.PathEscape(text)
		a := w.must(t, inSandbox(encoded, post("/pets", newPet)))
		a.expectHeader(t, "X-Sandbox", canonical)
		a.expectHeader(t, "Location", "/pets/7")
		a = w.must(t, post("/sandboxes/"+encoded+"/pets", newPet))
		a.expectHeader(t, "X-Sandbox", canonical)
		a.expectHeader(t, "Location", "/sandboxes/"+encoded+"/pets/8")
		w.get(t, "/sandboxes/"+canonical+"/pets/8").expect(t, 200, "")
		w.do(t, inSandbox(encoded, request{method: "GET", path: "/sandboxes/" + canonical + "/pets/8"})).expect(t, 200, "")
	}
	raw := w.must(t, inSandbox("Zoë", request{method: "GET", path: "/pets/8"})) // plain UTF-8
	raw.expectHeader(t, "X-Sandbox", named()["Zoë"])
	w.must(t, inSandbox("%64efault", request{method: "GET", path: "/sandboxes/default/pets"})).expectHeader(t, "X-Sandbox", "default")

	var list []admin.Sandbox
	w.get(t, "/admin/sandboxes").decode(t, &list)
	titles := make(map[string]string)
	for _, sb := range list {
		titles[sb.Title] = sb.Name
	}
	want := named()
	want["default"] = "default"
	if diff := cmp.Diff(want, titles); diff != "" {
		t.Errorf("titles and names, -want +got:\n%s", diff)
	}
}

// TestTitleIsTheFirstText wants the text that made a sandbox to stay its title.
func TestTitleIsTheFirstText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	canonical := named()["Ada Lovelace"]
	w.get(t, "/sandboxes/"+canonical+"/pets")
	w.get(t, "/sandboxes/Ada%20Lovelace/pets")
	w.must(t, put("/admin/sandboxes/Grace%20Hopper", ""))
	w.must(t, post("/admin/sandboxes/Grace%20Hopper/fork", `{"name": "Grace 2"}`)).expectHeader(t, "Location",
		"/admin/sandboxes/"+fmt.Sprintf("grace-2-%.6x", sha256.Sum256([]byte("Grace 2"))))
	var list []admin.Sandbox
	w.get(t, "/admin/sandboxes").decode(t, &list)
	var titles []string
	for _, sb := range list {
		titles = append(titles, sb.Title)
	}
	if diff := cmp.Diff([]string{canonical, "default", "Grace 2", "Grace Hopper"}, titles); diff != "" {
		t.Errorf("titles in the order of names, -want +got:\n%s", diff)
	}
	w.must(t, drop("/admin/sandboxes/Ada%20Lovelace"))
	w.do(t, drop("/admin/sandboxes/"+canonical)).expect(t, 404, "not_found")
}

// TestBadSandboxNames refuses what is no name, and two names at once. What is
// refused before a sandbox is found carries no X-Sandbox.
func TestBadSandboxNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := strings.Repeat("ä", 201)
	for _, name := range []string{"", "*", "%2A", "%", "%zz", "ada%2", "%FF", "\xe4", "a%0Ab", "%00", "%7F", "%C2%80", long, url.PathEscape(long)} {
		a := w.do(t, inSandbox(name, request{method: "GET", path: "/pets"}))
		a.expect(t, 400, "invalid_parameter", "X-Sandbox")
		a.expectHeader(t, "X-Sandbox")
	}
	for _, name := range []string{"", "*", "%2A", "%FF", "a%0Ab", "%00", "%C2%80", url.PathEscape(long)} {
		a := w.do(t, request{method: "GET", path: "/sandboxes/" + name + "/pets"})
		a.expect(t, 400, "invalid_parameter", "sandbox")
		a.expectHeader(t, "X-Sandbox")
	}
	for _, names := range [][]string{{"bob"}, {"Ada"}, {"ada", "bob"}, {"ada", "ada"}} {
		r := request{method: "GET", path: "/sandboxes/ada/pets", header: http.Header{"X-Sandbox": names}}
		w.do(t, r).expect(t, 400, "invalid_parameter", "X-Sandbox")
	}
	w.do(t, request{method: "GET", path: "/sandboxes/*/nope"}).expect(t, 404, "not_found") // the route is refused first
	if got := w.summaryOf(t, "").Sandboxes; got != 1 {
		t.Errorf("there are %d sandboxes, want default alone", got)
	}
}
