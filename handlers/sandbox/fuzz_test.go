package sandbox

import "testing"

// FuzzParseName parses names. The canonical name is valid and names the same sandbox.
func FuzzParseName(f *testing.F) {
	for _, seed := range []string{"default", "Ada Löwe", "TestPets/two", ".", "*", "a\x00", "\xff", "-._", "ada-lowe-0123456789ab"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, err := ParseName(text)
		if err != nil {
			return
		}
		if again, err := ParseName(name.Canonical); err != nil || again.Canonical != name.Canonical || !ValidName(name.Canonical) || name.Title != text {
			t.Errorf("ParseName(%q) = %+v, and of that %+v, %v", text, name, again, err)
		}
	})
}
