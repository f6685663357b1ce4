package middleware_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
)

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
	if diff := cmp.Diff(want, titles); diff != "" {
		t.Errorf("titles and names, -want +got:\n%s", diff)
	}
}

// TestTitleIsTheFirstText checks that a sandbox keeps the text that created it as its title.
func TestTitleIsTheFirstText(t *testing.T) {
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
	if diff := cmp.Diff([]string{canonical, "default", "Grace 2", "Grace Hopper"}, titles); diff != "" {
		t.Errorf("titles in the order of names, -want +got:\n%s", diff)
	}
	w.Must(t, Delete("/admin/sandboxes/Ada%20Lovelace"))
	w.Do(t, Delete("/admin/sandboxes/"+canonical)).Expect(t, 404, "not_found")
}

// TestBadSandboxNames checks that invalid names, and two names at once, are refused. A refusal
// before the sandbox is found has no X-Sandbox header.
func TestBadSandboxNames(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	long := strings.Repeat("ä", 201)
	for _, name := range []string{"", "*", ".", "..", "%2E%2E", "%2A", "%", "%zz", "ada%2", "%FF", "\xe4", "a%0Ab", "%00", "%7F", "%C2%80", long, url.PathEscape(long)} {
		a := w.Do(t, InSandbox(name, Get("/pets")))
		a.Expect(t, 400, "invalid_parameter", "X-Sandbox")
		a.ExpectHeader(t, "X-Sandbox")
	}
	for _, name := range []string{"%FF", "\xe4"} {
		a := w.Do(t, InSandbox(name, Get("/pets")))
		if message := a.Problem(t).Message; !strings.HasSuffix(message, " is not UTF-8; percent-encode the name in UTF-8, as encodeURIComponent does") {
			t.Errorf("X-Sandbox: %q: %s", name, message)
		}
	}
	for _, name := range []string{"", "*", ".", "%2e%2E", "%2A", "%FF", "a%0Ab", "%00", "%C2%80", url.PathEscape(long)} {
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
		t.Errorf("there are %d sandboxes, want default alone", got)
	}
}
