package journal

import "testing"

// TestQueriesOfOddFormsAreRedacted: empty pairs hide no key behind them, nor do escapes
// in its name.
func TestQueriesOfOddFormsAreRedacted(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"&a=1&token=k":   "&a=1&token=[redacted]",
		"a=1&&b=2&key=3": "a=1&&b=2&key=3",
		"&&token=k&":     "&&token=[redacted]&",
		";token=k;":      ";token=[redacted];",
		"tok%65n=k":      "tok%65n=[redacted]",
		"to%ken=k":       "to%ken=k", // no escape, and no name of a key
		"token=":         "token=[redacted]",
		"token":          "token",
		"&":              "&",
	} {
		if got := redactQuery(query); got != want {
			t.Errorf("%s is kept as %s, want %s", query, got, want)
		}
	}
}
