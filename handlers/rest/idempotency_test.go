package rest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestIdempotencyKey is a header and the key that it gives; an empty one is refused.
func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("k", longestKey)
	for header, want := range map[string]string{
		`"8e03978e"`: "8e03978e", "8e03978e": "8e03978e", "\t\"a\" ": "a", "!": "!", "~": "~", "'a'": "'a'",
		longest: longest, `"` + longest + `"`: longest,
		longest + "k": "", `"` + longest + `k"`: "", `""`: "", `"`: "", "": "", `"a`: "", `a"`: "", `"a"b"`: "", `a\b`: "", "a b": "", "\x7f": "", "ä": "",
	} {
		r := httptest.NewRequest(http.MethodPost, "/pets", nil)
		r.Header["Idempotency-Key"] = []string{header}
		if key, err := NewExchange(new(Server), httptest.NewRecorder(), r).IdempotencyKey(); key != want || (err == nil) != (want != "") {
			t.Errorf("%q gives the key %q, %v; want %q", header, key, err, want)
		}
	}
}
