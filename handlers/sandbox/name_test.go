package sandbox

import (
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/testmain"
)

// TestTitleOf checks the titles that the tests of the other clients also check.
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

// TestCanonicalNames checks which characters of a title its canonical name keeps.
func TestCanonicalNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"Zz aA_0.9": "zz-aa_0.9-b9be593c5992", "A[`{@/:B": "a------b-555877330774"} {
		if name, err := ParseName(text); err != nil || name.Canonical != want {
			t.Errorf("ParseName(%q) = %q, %v; want %q", text, name.Canonical, err, want)
		}
	}
}

// FuzzParseName parses names. The canonical name is valid and names the same sandbox.
func FuzzParseName(f *testing.F) {
	for _, seed := range []string{"default", "Ada Löwe", "TestPets/two", ".", "*", "a\x00", "\xff", "-._",
		"ada-lowe-0123456789ab"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, err := ParseName(text)
		if err != nil {
			return
		}
		if again, err := ParseName(name.Canonical); err != nil || again.Canonical != name.Canonical ||
			!ValidName(name.Canonical) || name.Title != text {
			t.Errorf("ParseName(%q) = %+v, and of that %+v, %v", text, name, again, err)
		}
	})
}

func TestMain(m *testing.M) { testmain.Run(m) }
