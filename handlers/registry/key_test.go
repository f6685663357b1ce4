package registry

import (
	"strings"
	"testing"
	"time"
)

// TestValidKey is which texts can travel in a header as a token.
func TestValidKey(t *testing.T) {
	t.Parallel()
	for key, valid := range map[string]bool{"k": true, "!": true, "~": true, "a.b-c": true, "": false, " ": false, "two words": false, "schl\u00fcssel": false, "a\x7f": false, "a\n": false} {
		if ValidKey(key) != valid {
			t.Errorf("ValidKey(%q) = %t", key, !valid)
		}
	}
}

// TestCheckKey bounds the key of a sandbox.
func TestCheckKey(t *testing.T) {
	t.Parallel()
	wantErr(t, "200", CheckKey(strings.Repeat("k", 200)), nil)
	wantErr(t, "201", CheckKey(strings.Repeat("k", 201)), ErrBadKey)
	wantErr(t, "none", CheckKey(""), ErrBadKey)
}

// TestKeys gives a sandbox keys, one after the other.
func TestKeys(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	own := func(o Ownership) string {
		t.Helper()
		_, _, key, err := r.MakeOwned("ada", CreateOptions{}, o)
		must(err)
		return key
	}
	opened := func(key string) bool {
		digest := DigestOf(key)
		sb, err := r.Find("ada")
		must(err)
		return sb.OpenedBy(&digest) && r.KnowsKey(&digest)
	}
	expect := func(when string, keyed, private bool) {
		t.Helper()
		sb, err := r.Find("ada")
		must(err)
		if sb.Keyed() != keyed || sb.Private() != private {
			t.Errorf("%s: keyed %t, private %t; want %t, %t", when, sb.Keyed(), sb.Private(), keyed, private)
		}
	}
	known := func() int { r.mu.Lock(); defer r.mu.Unlock(); return len(r.keys) }
	own(Ownership{})
	expect("at first", false, false)
	if key := own(Ownership{Key: new("first")}); key != "first" || !opened("first") || opened("second") {
		t.Errorf("the key is %q", key)
	}
	expect("with a key", true, false)
	if key := own(Ownership{Private: new(true)}); key != "" || !opened("first") {
		t.Errorf("made private it has another key, %q", key)
	}
	expect("private", true, true)
	if key := own(Ownership{Key: new("second")}); key != "second" || opened("first") || !opened("second") || known() != 1 {
		t.Errorf("the second key is %q, and %d are known", key, known())
	}
	expect("with another key", true, true)
	if key := own(Ownership{}); key != "" || !opened("second") {
		t.Errorf("made again it has another key, %q", key)
	}
	if _, _, err := r.Make("ada", CreateOptions{Fresh: true}); err != nil || !opened("second") {
		t.Errorf("made fresh it is nobody's: %v", err)
	}
	fork, err := r.Fork("ada", "fork")
	must(err)
	if fork.Keyed() {
		t.Error("a fork has the key of its source")
	}
	own(Ownership{Key: new("")})
	expect("without a key", false, false)
	if known() != 0 {
		t.Errorf("%d keys are known, want none", known())
	}
	first, second := own(Ownership{Private: new(true)}), own(Ownership{Key: new(""), Private: new(false)})
	if len(first) < 20 || second != "" || first == own(Ownership{Private: new(true)}) {
		t.Errorf("the keys that it makes are %q and %q", first, second)
	}
	ada, _ := r.Find("ada")
	must(r.Drop("ada"))
	if known() != 0 || !ada.Private() {
		t.Errorf("dropped, %d keys are known; private for who still speaks to it: %t", known(), ada.Private())
	}
	if visit(t, r, "ada").Keyed() {
		t.Error("made anew it has the key of before")
	}
}

// TestOneKeyOfMany is that of several sandboxes until none has it any more.
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
