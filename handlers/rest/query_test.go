package rest

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestBoundsOfParameters checks that an error reports the parameter's bounds, even for a number of
// more than 64 bits.
func TestBoundsOfParameters(t *testing.T) {
	t.Parallel()
	const huge = "99999999999999999999"
	for value, want := range map[string]string{
		"1": "", "9": "",
		"0":        "must be from 1 to 9, not 0",
		"10":       "must be from 1 to 9, not 10",
		huge:       "must be from 1 to 9, not " + huge,
		"-" + huge: "must be from 1 to 9, not -" + huge,
		"1.0":      `must be an integer, written without a fraction or exponent, not "1.0"`,
		"ten":      `must be an integer such as 7, not "ten"`,
	} {
		q := NewExchange(new(Server), httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/pets?limit="+value, nil)).ReadQuery()
		q.Int("limit", 0, 1, 9)
		got := ""
		if len(q.problems.Problems) > 0 {
			got = q.problems.Problems[0].Message
		}
		if got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/events", nil)
	r.Header.Set("Last-Event-ID", huge)
	_, err := NewExchange(new(Server), httptest.NewRecorder(), r).lastEventID()
	if want := "Last-Event-ID: must be from 0 to 9223372036854775807, not " + huge; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
