package registry

import (
	"testing"
	"time"
)

// TestValidKey checks which texts are valid keys: tokens that a header can carry.
func TestValidKey(t *testing.T) {
	t.Parallel()
	for key, valid := range map[string]bool{"k": true, "!": true, "~": true, "a.b-c": true, "": false, " ": false, "two words": false, "schl\u00fcssel": false, "a\x7f": false, "a\n": false} {
		if ValidKey(key) != valid {
			t.Errorf("ValidKey(%q) = %t", key, !valid)
		}
	}
}

// TestOneKeyOfMany checks that a key of several sandboxes is known until the last of them loses
// it.
func TestOneKeyOfMany(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	shared := DigestOf("shared")
	for _, name := range []string{"ada", "bob"} {
		_, _, _, err := r.MakeOwned(name, CreateOptions{}, Ownership{Key: new("shared")})
		must(err)
	}
	must(r.Drop("ada"))
	if !r.KnowsKey(&shared) {
		t.Error("bob's key is not known any more")
	}
	must(r.Drop("bob"))
	if r.KnowsKey(&shared) {
		t.Error("the key of no sandbox is known")
	}
}
