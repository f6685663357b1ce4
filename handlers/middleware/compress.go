package middleware

import (
	"net/http"

	"github.com/klauspost/compress/gzhttp"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/journal"
)

// minCompressed is the least size in bytes that is worth compressing.
const minCompressed = 1024

// Compress answers with gzip where the client takes it and it is worth it.
func Compress() rest.Link {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.MinSize(minCompressed),
		gzhttp.SuffixETag(rest.GzipSuffix),
		gzhttp.EnableZstd(false),
		gzhttp.ExceptContentTypes([]string{"text/event-stream"}), // an event must not wait in a compressor
	)
	if err != nil {
		panic(err) // constant options
	}
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if x.R.Header["Accept-Encoding"] == nil {
				return next(x)
			}
			plain := x.W
			defer func() { x.W = plain }()
			var err error
			wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				x.W = w
				if x.Sent.Before != nil {
					x.Plain = &rest.Plain{ResponseWriter: w, Most: journal.MaxBody, Size: -1}
					x.W = x.Plain
				}
				err = next(x)
			})).ServeHTTP(plain, x.R)
			return err
		}
	}
}
