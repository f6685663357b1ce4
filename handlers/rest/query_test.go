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
		q := NewExchange(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/pets?"+query.Encode(), nil)).ReadQuery()
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
