package middleware

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzhttp"

	"example.com/petstore/handlers/rest"
)

func TestCompress(t *testing.T) {
	t.Parallel()
	link := Compress()
	for _, test := range []struct {
		name, accept, contentType string
		size                      int
		zipped                    bool
	}{
		{"long", "gzip", "application/json", 1024, true},
		{"one of several", "br, gzip;q=0.5", "application/json", 1024, true},
		{"short", "gzip", "application/json", 1023, false},
		{"refused", "gzip;q=0", "application/json", 1024, false},
		{"another", "zstd", "application/json", 1024, false},
		{"not asked for", "", "application/json", 1024, false},
		{"a stream", "gzip", "text/event-stream", 4096, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			header := http.Header{}
			if test.accept != "" {
				header.Set("Accept-Encoding", test.accept)
			}
			body := strings.Repeat("x", test.size)
			v := newVisit(http.MethodGet, "/pets", header)
			outer := v.x.W
			v.to(link, func(x *rest.Exchange) error {
				x.W.Header().Set("Content-Type", test.contentType)
				x.W.Header().Set("Etag", `"abc"`)
				_, err := io.WriteString(x.W, body)
				return err
			})
			v.expectPassed(t)
			if v.x.W != outer {
				t.Error("what is outside of the link writes to the compressor")
			}
			got, tag := v.answer.Body.Bytes(), `"abc"`
			if test.zipped {
				v.expectHeader(t, "Content-Encoding", "gzip")
				reader, err := gzip.NewReader(bytes.NewReader(got))
				if err != nil {
					t.Fatal(err)
				}
				if got, err = io.ReadAll(reader); err != nil {
					t.Fatal(err)
				}
				tag = `"abc-gzip"`
			} else {
				v.expectHeader(t, "Content-Encoding")
			}
			v.expectHeader(t, "Etag", tag)
			if string(got) != body {
				t.Errorf("the answer is %.50q… of %d bytes", got, len(got))
			}
		})
	}
}

// TestCompressPassesErrors wants an error to come out as it went in.
func TestCompressPassesErrors(t *testing.T) {
	t.Parallel()
	for _, header := range []http.Header{nil, {"Accept-Encoding": {"gzip"}}} {
		v := newVisit(http.MethodGet, "/pets", header).to(Compress(), func(x *rest.Exchange) error { return x.Injected(503) })
		if e := rest.AsError(v.err); e.Status != 503 {
			t.Errorf("%v: %v", header, v.err)
		}
	}
}

// TestCompressorsAreBounded has as many clients as there are compressors take their time,
// and others that listen: the next answer goes out as it is, and a later one compressed.
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
