package middleware

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzhttp"

	"example.com/petstore/handlers/rest"
)

// TestCompressorsAreBounded occupies every compressor with a slow client, besides clients that
// stream. The next response is not compressed, and a later one is.
func TestCompressorsAreBounded(t *testing.T) {
	t.Parallel()
	link := Compress()
	var begun, ended sync.WaitGroup
	finish := make(chan struct{})
	ask := func(contentType string, wait bool) *visit {
		v := newVisit(http.MethodGet, "/pets", http.Header{"Accept-Encoding": {"gzip"}})
		v.to(link, func(x *rest.Exchange) error {
			x.W.Header().Set("Content-Type", contentType)
			_, err := io.WriteString(x.W, strings.Repeat("x", minCompressed))
			if wait {
				begun.Done()
				<-finish
			}
			return err
		})
		return v
	}
	slow := func(n int, contentType string) {
		begun.Add(n)
		for range n {
			ended.Go(func() { ask(contentType, true) })
		}
		begun.Wait()
	}
	slow(2*maxCompressors, eventStream)
	slow(maxCompressors-1, "application/json")
	ask("application/json", false).expectHeader(t, "Content-Encoding", "gzip")
	slow(1, "application/json")
	one := ask("application/json", false)
	one.expectHeader(t, "Content-Encoding")
	one.expectHeader(t, gzhttp.HeaderNoCompression)
	if one.answer.Body.Len() != minCompressed {
		t.Errorf("the answer that is not compressed has %d bytes, want %d", one.answer.Body.Len(), minCompressed)
	}
	close(finish)
	ended.Wait()
	ask("application/json", false).expectHeader(t, "Content-Encoding", "gzip")
}

// TestCompressorsAreForLongResponses checks that no compressor is used for a response whose length
// is short, for a stream, or before a response begins.
func TestCompressorsAreForLongResponses(t *testing.T) {
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
		c := compressing{ResponseWriter: w, used: make(chan struct{}, 1)}
		c.WriteHeader(test.status)
		if taken := len(c.used) == 1; taken != test.taken {
			t.Errorf("%s: a compressor is taken: %t, want %t", name, taken, test.taken)
		}
		c.release()
		if len(c.used) != 0 {
			t.Errorf("%s: the compressor is not given back", name)
		}
	}
}
