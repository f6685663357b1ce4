package handlers_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers"
)

// BenchmarkServe tells what an answer costs the service itself, without the
// connection: package budget compares whole servers.
func BenchmarkServe(b *testing.B) {
	for _, bench := range []struct{ name, method, path, body string }{
		{"GetPet", "GET", "/pets/42", ""},
		{"GetCategory", "GET", "/categories/3", ""},
		{"ListPets", "GET", "/pets", ""},
		{"CreatePet", "POST", "/pets", `{"name":"Rex","categoryId":3}`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			service, err := handlers.New(handlers.Config{MaxRecords: 1 << 40})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(service.Close)
			body := strings.NewReader("")
			r, err := http.NewRequest(bench.method, "http://127.0.0.1:8080"+bench.path, nil)
			if err != nil {
				b.Fatal(err)
			}
			r.RequestURI, r.RemoteAddr = bench.path, "127.0.0.1:50000"
			r.Body, r.ContentLength = io.NopCloser(body), int64(len(bench.body))
			r.Header = http.Header{"User-Agent": {"bench"}, "Accept": {"application/json"}}
			if bench.body != "" {
				r.Header["Content-Type"] = []string{"application/json"}
			}
			w := &discarded{header: make(http.Header, 16)}
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				body.Reset(bench.body)
				service.ServeHTTP(w, r)
				if w.status >= 300 {
					b.Fatal(w.status)
				}
			}
		})
	}
}

// discarded is an answer that nobody reads.
type discarded struct {
	header http.Header
	status int
}

func (d *discarded) Header() http.Header         { return d.header }
func (d *discarded) WriteHeader(status int)      { d.status = status }
func (d *discarded) Write(p []byte) (int, error) { return len(p), nil }

// A connection has deadlines, and setting one costs no error.
func (d *discarded) SetReadDeadline(time.Time) error  { return nil }
func (d *discarded) SetWriteDeadline(time.Time) error { return nil }
