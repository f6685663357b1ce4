package registry

import (
	"errors"
	"strings"
	"testing"

	"example.com/petstore/handlers/sandbox"
)

// TestShardOfName checks that only the end of the canonical name determines the shard.
func TestShardOfName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ada.two":      "",
		"ada.one.two":  "",
		"ada.two.one":  "but on one",
		"ada.three":    "but on three",
		"ada.tw_o":     "does not end in",
		"ada-two":      "does not end in",
		"two":          "does not end in",
		"Ada.two":      "does not end in", // its canonical name ends in a digest
		"default":      "does not end in",
		"Ada Lovelace": "/sandboxes/ada.two",
	} {
		_, err := Shard("two").parse(text)
		if want == "" && err == nil {
			continue
		}
		if want == "" || !errors.Is(err, ErrShard) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := Shard("").parse("ada.two"); err != nil {
		t.Errorf("a server without a shard: %v", err)
	}
}

// TestShardNamesAreValid checks that every name that a replica assigns is valid and belongs to the
// replica.
func TestShardNamesAreValid(t *testing.T) {
	t.Parallel()
	for _, shard := range []Shard{"", "2", Shard(strings.Repeat("x", 31))} {
		for _, attendee := range []string{"Ada", "Ж", strings.Repeat("a b ", 50)} {
			for _, suffix := range []string{"", "-2", "-10000", "-k3f9q2ab"} {
				name := sandbox.Name{Canonical: shard.assign(AttendeeName(attendee).Canonical, suffix)}
				if !sandbox.ValidName(name.Canonical) || shard != "" && shard.Check(name) != nil ||
					strings.Contains(name.Canonical, "-.") {
					t.Errorf("%q with %q in %q is %q", attendee, suffix, shard, name.Canonical)
				}
			}
		}
	}
	r := New(Options{Options: sandbox.Options{Machine: sandbox.Machine, Origin: testBaseline(3)}, Shard: "two"}, 10, 0)
	defer r.Close()
	if name := r.AnyName(); !sandbox.ValidName(name) || !strings.HasSuffix(name, ".two") || name == r.AnyName() {
		t.Errorf("any name is %q", name)
	}
}
