package rest

import (
	"net/url"
	"testing"
)

func TestReadPath(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ raw, prefix, name, behind string }{
		{"/pets/1", "", "", "/pets/1"},
		{"", "", "", ""},
		{"*", "", "", "*"},
		{"/%70ets/%31", "", "", "/pets/1"},
		{"/pets%2f1", "", "", "/pets%2F1"},
		{"/pets/a%20b%25%2F", "", "", "/pets/a b%25%2F"},
		{"/pets/%252F", "", "", "/pets/%252F"},
		{`/pets/1%2F"`, "", "", `/pets/1%2F"`},
		{"/sandboxes/ada/pets/1", "/sandboxes/ada", "ada", "/pets/1"},
		{"/sandboxes/ada", "/sandboxes/ada", "ada", "/"},
		{"/sandboxes/", "/sandboxes/", "", "/"},
		{"/sandboxes//pets", "/sandboxes/", "", "/pets"},
		{"/s%61ndboxes/%61da/pets", "/sandboxes/ada", "ada", "/pets"},
		{"/sandboxes/Ada%20L%C3%B6we/pets", "/sandboxes/Ada%20L%C3%B6we", "Ada Löwe", "/pets"},
		{"/sandboxes/a%2Fb%25/pets%2F1", "/sandboxes/a%2Fb%25", "a/b%", "/pets%2F1"},
		{"/sandboxes%2Fada/pets", "", "", "/sandboxes%2Fada/pets"},
		{"/sandboxes", "", "", "/sandboxes"},
	} {
		u, err := url.Parse(test.raw)
		if err != nil {
			t.Fatal(err)
		}
		prefix, name, behind := readPath(u, nil)
		if prefix != test.prefix || name != test.name || behind != test.behind {
			t.Errorf("%s is %q, %q, %q, want %q, %q, %q", test.raw, prefix, name, behind, test.prefix, test.name, test.behind)
		}
	}
}

// TestReadPathThatIsNotItsRawPath goes by the path that was set last: who embeds the
// server may have changed it, and left the raw one behind.
func TestReadPathThatIsNotItsRawPath(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"/old%2F", "/%zz"} {
		if _, _, behind := readPath(&url.URL{Path: "/pets/1", RawPath: raw}, nil); behind != "/pets/1" {
			t.Errorf("behind RawPath %s: %s", raw, behind)
		}
	}
}
