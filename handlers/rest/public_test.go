package rest

import (
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParsePublicURL(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]*PublicURL{
		"":                                     nil,
		"https://shop.example":                 {Origin: "https://shop.example"},
		"https://shop.example/":                {Origin: "https://shop.example"},
		"HTTPS://Shop.Example:443/petstore/":   {Origin: "https://shop.example", Path: "/petstore"},
		"http://shop.example:80/a/b-c_d.e~f":   {Origin: "http://shop.example", Path: "/a/b-c_d.e~f"},
		"http://shop.example:443":              {Origin: "http://shop.example:443"},
		"https://[2001:db8::7]:8443/petstore":  {Origin: "https://[2001:db8::7]:8443", Path: "/petstore"},
		"https://shop.example:8443/Petstore/v": {Origin: "https://shop.example:8443", Path: "/Petstore/v"},
	} {
		got, err := ParsePublicURL(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q, -want +got:\n%s", text, diff)
		}
	}
	for _, text := range []string{
		"shop.example", "//shop.example", "ftp://shop.example", "https://", "https:///petstore", "https://shop.example?x=1", "https://shop.example/?",
		"https://shop.example/#top", "https://me@shop.example", "https://shop.example//petstore", "https://shop.example/petstore//", "https://shop.example/..",
		"https://shop.example/.", "https://shop.example/a%2Fb", "https://shop.example/a b", "https://shop.example/ä", "https://shop.example/{x}",
		"https://shop.example:", "https://shop.example:0", "https://shop.example:65536", "https://shop.example:x", "https:shop.example",
	} {
		if got, err := ParsePublicURL(text); err == nil {
			t.Errorf("%q is taken for %+v", text, got)
		}
	}
}

// TestAddressesBehindAProxy wants each address to have the public path and the sandbox that
// the client named, whether the proxy took the path off or not.
func TestAddressesBehindAProxy(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ public, target, path, url, base string }{
		{"", "/pets", "/pets", "/pets", "http://127.0.0.1:8080"},
		{"", "/petstore/pets", "/petstore/pets", "/petstore/pets", "http://127.0.0.1:8080"},
		{"https://shop.example", "/pets", "/pets", "/pets", "https://shop.example"},
		{"https://shop.example/petstore", "/pets", "/pets", "/petstore/pets", "https://shop.example/petstore"},
		{"https://shop.example/petstore", "/petstore/pets", "/pets", "/petstore/pets", "https://shop.example/petstore"},
		{"https://shop.example/petstore", "/%70etstore/pets", "/pets", "/petstore/pets", "https://shop.example/petstore"},
		{"https://shop.example/petstore", "/petstore", "/", "/petstore/", "https://shop.example/petstore"},
		{"https://shop.example/petstore", "/petstore/", "/", "/petstore/", "https://shop.example/petstore"},
		{"https://shop.example/petstore", "/petstores", "/petstores", "/petstore/petstores", "https://shop.example/petstore"},
		{"https://shop.example/petstore", "/petstore/petstore", "/petstore", "/petstore/petstore", "https://shop.example/petstore"},
		{"https://shop.example/a/b", "/a/b/sandboxes/ada/pets", "/pets", "/a/b/sandboxes/ada/pets", "https://shop.example/a/b/sandboxes/ada"},
		{"https://shop.example/a/b", "/sandboxes/ada/pets", "/pets", "/a/b/sandboxes/ada/pets", "https://shop.example/a/b/sandboxes/ada"},
		{"https://shop.example/a/b", "/a%2Fb/pets", "/a%2Fb/pets", "/a/b/a%2Fb/pets", "https://shop.example/a/b"},
	} {
		public, err := ParsePublicURL(test.public)
		if err != nil {
			t.Fatal(err)
		}
		x := NewExchange(&Server{Address: public}, httptest.NewRecorder(), httptest.NewRequest("GET", "http://127.0.0.1:8080"+test.target, nil))
		if x.Path != test.path || x.URL(x.Path) != test.url || x.Base() != test.base {
			t.Errorf("%s behind %q has the path %s, the address %s and the base %s; want %s, %s, %s",
				test.target, test.public, x.Path, x.URL(x.Path), x.Base(), test.path, test.url, test.base)
		}
	}
}
