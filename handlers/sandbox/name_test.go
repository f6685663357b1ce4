package sandbox

import (
	"errors"
	"strings"
	"testing"
)

func TestValidName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"a": true, "0": true, "a.b_c-d": true, "default": true, strings.Repeat("z", 63): true,
		"": false, strings.Repeat("z", 64): false, ".a": false, "_a": false, "-a": false, "A": false, "aB": false,
		"a b": false, "a/b": false, "ä": false, "a\x00": false, "a\n": false,
	} {
		if ValidName(name) != want {
			t.Errorf("ValidName(%q) = %t", name, !want)
		}
	}
}

// TestParseName: somebody may have written a canonical name down, so that it is the
// same in every version. The digits are those of sha256sum.
func TestParseName(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 63)
	for text, want := range map[string]string{
		"ada": "ada", "default": "default", long: long,
		"TestShop/with spaces#01": "testshop-with-spaces-01-0c28dad21b2a",
		"Default":                 "default-21b111cbfe6e",
		" default":                "default-1227de1e71b0",
		"日本":                      "cf2abf0c5be3",
		"...":                     "ab5df625bc76",
		long + "x":                strings.Repeat("x", 50) + "-7ce100971f64",
	} {
		name, err := ParseName(text)
		if err != nil || name.Canonical != want || name.Title != text {
			t.Errorf("ParseName(%q) = %q, %v; want %s", text, name, err, want)
		}
		if again, err := ParseName(name.Canonical); err != nil || again.Canonical != name.Canonical {
			t.Errorf("the canonical form of %q stands for %q, %v", name.Canonical, again, err)
		}
	}
	for _, text := range []string{strings.Repeat("日", 200), "\u00a0", "\u2028", "**", "*a"} {
		if name, err := ParseName(text); err != nil || !ValidName(name.Canonical) {
			t.Errorf("ParseName(%q) = %q, %v; want a valid name", text, name, err)
		}
	}
	for _, text := range []string{"", "*", ".", "..", strings.Repeat("a", 201), strings.Repeat("日", 201), "a\x00", "a\nb", "\x7f", "\u0085", "\xff", "a\xed\xa0\x80"} {
		if name, err := ParseName(text); !errors.Is(err, ErrBadName) {
			t.Errorf("ParseName(%q) = %q, %v; want ErrBadName", text, name, err)
		}
	}
}

// TestTitleOf has the titles that the tests of the other clients have.
func TestTitleOf(t *testing.T) {
	t.Parallel()
	x := strings.Repeat("x", 187)
	for text, want := range map[string]string{
		"":                       "",
		"ada":                    "ada",
		"a line\nand another":    "a line and another 644a4eede1f2",
		strings.Repeat("x", 200): strings.Repeat("x", 200),
		strings.Repeat("x", 201): x + " 84a0678c9093",
		strings.Repeat("x", 202): x + " f762e174a759",
		strings.Repeat("🐕", 201): strings.Repeat("🐕", 187) + " b1ea9e560ae7",
		"..":                     ".. 5ec1f7e700f3",
		"*":                      "* 684888c0ebb1",
		"half a rune \xf0\x9f":   "half a rune \ufffd\ufffd fc092f74f529",
	} {
		if got := TitleOf(text); got != want {
			t.Errorf("TitleOf(%q) = %q, want %q", text, got, want)
		} else if _, err := ParseName(got); err != nil && text != "" {
			t.Errorf("TitleOf(%q) = %q: %v", text, got, err)
		}
	}
}

// TestNamesDiffer: what differs in anything has names of its own.
func TestNamesDiffer(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 63)
	seen := make(map[string]string)
	for _, text := range []string{
		"ada", "Ada", "aDa", "TestShop/with_spaces", "TestShop/with-spaces", "TestShop/with spaces#01", "testshop/with spaces#01",
		"-", "--", "/", "ä", "...", "a.", "日本", long, long + "x", long + "y", "X" + long, "Default", " default", "default",
	} {
		name, err := ParseName(text)
		if other, ok := seen[name.Canonical]; ok || err != nil {
			t.Errorf("%q stands for %q, as does %q; %v", text, name, other, err)
		}
		seen[name.Canonical] = text
	}
}
