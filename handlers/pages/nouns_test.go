package pages_test

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/store"
)

// TestPagesMatchNouns compares the nouns and the sizes in the modules of the pages with those of
// the store and of the fake data.
func TestPagesMatchNouns(t *testing.T) {
	t.Parallel()
	var nouns []string
	for noun := range reflect.TypeFor[store.Counts]().Fields() {
		nouns = append(nouns, noun.Tag.Get("json"))
	}
	for _, test := range []struct {
		file, list, name string // regular expressions of the list and of each name in it
		want             []string
	}{
		{"shell/api.js", `export const tables = \[\n(.*\n)*?\];`, `\{ name: "(\w+)"`, nouns},
		{"shell/api.js", `export const generated = .*`, `"(\w+)"`, fixtures.SizeNames()},
		{"dashboard/nouns.js", `const shown = \[\n(.*\n)*?\];`, `\n    name: "(\w+)"`, nouns},
	} {
		text := must.Get(os.ReadFile(test.file))(t)
		list := regexp.MustCompile(test.list).FindString(string(text))
		var got []string
		for _, match := range regexp.MustCompile(test.name).FindAllStringSubmatch(list, -1) {
			got = append(got, match[1])
		}
		slices.Sort(got)
		if want := slices.Sorted(slices.Values(test.want)); !slices.Equal(got, want) {
			t.Errorf("%s, %s: the names are\n%q, want\n%q", test.file, test.list, got, want)
		}
	}
}
