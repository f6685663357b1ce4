package middleware

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
)

// TestCompressorsAreForLongAnswers wants no compressor to be taken by an answer that says
// that it is short, by a stream, or before an answer begins.
func TestCompressorsAreForLongAnswers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status int
		header http.Header
		taken  bool
	}{
		"short":              {200, http.Header{"Content-Length": {strconv.Itoa(minCompressed - 1)}}, false},
		"just long enough":   {200, http.Header{"Content-Length": {strconv.Itoa(minCompressed)}}, true},
		"of unknown length":  {200, http.Header{}, true},
		"a stream":           {200, http.Header{"Content-Type": {eventStream}}, false},
		"early hints":        {103, http.Header{}, false},
		"an error, long too": {400, http.Header{"Content-Length": {"5000"}}, true},
	} {
		w := httptest.NewRecorder()
		for key, values := range test.header {
			w.Header()[key] = values
		}
		c := compressing{ResponseWriter: w, free: make(chan struct{}, 1)}
		c.WriteHeader(test.status)
		if taken := len(c.free) == 1; taken != test.taken {
			t.Errorf("%s: a compressor is taken: %t, want %t", name, taken, test.taken)
		}
		c.release()
		if len(c.free) != 0 {
			t.Errorf("%s: the compressor is not given back", name)
		}
	}
}
