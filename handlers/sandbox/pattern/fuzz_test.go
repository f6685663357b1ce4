package pattern

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzMatch compares a pattern with the equivalent regular expression.
func FuzzMatch(f *testing.F) {
	for _, seed := range [][2]string{{"/pets/*", "/pets/7"}, {"/pets/**", "/pets"}, {"/*/*/**", "/a/b/c/d"}, {"/", "/"}, {"/**", "//"}, {"/a/**", "/a/"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if Check(pattern) != "" || !strings.HasPrefix(path, "/") || len(pattern)+len(path) > 4<<10 || !utf8.ValidString(pattern+path) {
			t.Skip("no pattern, or no path")
		}
		form := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, "*")
		form, rest := strings.CutSuffix(form, "/**")
		form = strings.ReplaceAll(form, "*", "[^/]+")
		if rest {
			form += "(/.*)?"
		}
		if got, want := Match(pattern, path), regexp.MustCompile("(?s)^"+form+"$").MatchString(path); got != want {
			t.Errorf("Match(%q, %q) = %t", pattern, path, got)
		}
	})
}
