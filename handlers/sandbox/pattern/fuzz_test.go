package pattern

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzMatch compares a pattern with the equivalent regular expression.
func FuzzMatch(f *testing.F) {
	for pattern, paths := range map[string][]string{
		"/pets":       {"/pets", "/pets/", "/pets/7", "/pet"},
		"/pets/7":     {"/pets"},
		"/pets/*":     {"/pets/7", "/pets", "/pets/", "/pets/7/8"},
		"/*/orders":   {"/store/orders", "/store/inventory", "//orders"},
		"/pets/**":    {"/pets", "/pets/", "/pets/7", "/pets/7/8/9", "/petsitters"},
		"/store/*/**": {"/store/orders/7", "/store"},
		"/*/*/**":     {"/a/b/c/d"},
		"/**":         {"/", "/anything/at/all", "//"},
		"/":           {"/", "/pets"},
	} {
		for _, path := range paths {
			f.Add(pattern, path)
		}
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if Check(pattern) != "" || !strings.HasPrefix(path, "/") || len(pattern)+len(path) > 4<<10 ||
			!utf8.ValidString(pattern+path) {
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
