package rest

import (
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
