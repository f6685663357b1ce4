package rest

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"example.com/petstore/store/field"
)

// TestCommasAreAdvisedOn gives the advice to repeat a parameter only where that makes
// its values good.
func TestCommasAreAdvisedOn(t *testing.T) {
	t.Parallel()
	for value, advised := range map[string]bool{
		"sold,pending": true, " sold , pending ": true, "sold,pending,lost": true,
		"sold,lost": false, "lost,sold": false, "lost,gone": false, "lost": false, "sold,": false, ",sold": false, " sold": false,
	} {
		query := url.Values{"status": {value}}
		q := NewExchange(new(Server), httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/pets?"+query.Encode(), nil)).ReadQuery()
		q.Statuses("status")
		err := q.Err()
		if err == nil {
			t.Fatalf("%q is taken", value)
		}
		_, advice, _ := strings.Cut(err.Error(), "; ")
		want := ""
		if advised {
			want = "repeat the parameter for several values: status=sold&status=pending"
		}
		if advice != want {
			t.Errorf("%q: the advice is %q, want %q", value, advice, want)
		}
	}
}

// TestBoundsOfParameters tells those of the parameter, also where a number has more than 64
// bits.
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

// TestShort holds how much of a path an error repeats.
func TestShort(t *testing.T) {
	t.Parallel()
	whole := "/" + strings.Repeat("x", 199)
	for path, want := range map[string]string{"/pets": "/pets", whole: whole, whole + "y": whole + "…"} {
		if got := short(path); got != want {
			t.Errorf("%s is repeated as %s", path, field.Quote(got))
		}
	}
}
