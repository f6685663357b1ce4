package middleware

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"example.com/petstore/handlers/rest"
)

// TestCompressorsAreBounded occupies every compressor with a slow client, besides clients of streams
// and of short responses. The next response is not compressed, and a later one is.
func TestCompressorsAreBounded(t *testing.T) {
	t.Parallel()
	link := Compress()
	var begun, ended sync.WaitGroup
	finish := make(chan struct{})
	ask := func(contentType string, size int, wait bool) *visit {
		v := newVisit(http.MethodGet, "/pets", http.Header{"Accept-Encoding": {"gzip"}})
		v.to(link, func(x *rest.Exchange) error {
			x.W.Header().Set("Content-Type", contentType)
			_, err := io.WriteString(x.W, strings.Repeat("x", size))
			if wait {
				begun.Done()
				<-finish
			}
			return err
		})
		return v
	}
	slow := func(n int, contentType string, size int) {
		begun.Add(n)
		for range n {
			ended.Go(func() { ask(contentType, size, true) })
		}
		begun.Wait()
	}
	slow(2*maxCompressors, eventStream, minCompressed)
	slow(2*maxCompressors, "application/json", minCompressed-1)
	slow(maxCompressors-1, "application/json", minCompressed)
	ask("application/json", minCompressed, false).expectHeader(t, "Content-Encoding", "gzip")
	slow(1, "application/json", minCompressed)
	one := ask("application/json", minCompressed, false)
	one.expectHeader(t, "Content-Encoding")
	if one.answer.Body.Len() != minCompressed {
		t.Errorf("the answer that is not compressed has %d bytes, want %d", one.answer.Body.Len(), minCompressed)
	}
	close(finish)
	ended.Wait()
	ask("application/json", minCompressed, false).expectHeader(t, "Content-Encoding", "gzip")
}
