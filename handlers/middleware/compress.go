package middleware

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzhttp/writer"
	"github.com/klauspost/compress/gzhttp/writer/gzkp"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/journal"
)

// minCompressed is the minimum size of a body that is compressed, in bytes.
const minCompressed = 1024

// maxCompressors is the maximum number of responses that are compressed at the same time. A
// compressor uses 1 MB of memory until the client has received its output. The number is
// approximate: responses that begin at the same moment may get a few more compressors.
const maxCompressors = 32

// eventStream is the media type of event streams. They are never compressed, because an event must
// not wait in a compressor.
const eventStream = "text/event-stream"

// Compress compresses a response with gzip if the client accepts gzip, the response is large
// enough, and a compressor is free.
func Compress() rest.Link {
	var used atomic.Int64 // the number of compressors in use
	wrap, err := gzhttp.NewWrapper(
		gzhttp.MinSize(minCompressed),
		gzhttp.CompressionLevel(6), // the package's default, 5, makes texts 4 % larger and saves a tenth of the time
		gzhttp.SuffixETag(rest.GzipSuffix),
		gzhttp.EnableZstd(false),
		gzhttp.ContentTypeFilter(func(contentType string) bool {
			return !strings.HasPrefix(contentType, eventStream) && used.Load() < maxCompressors
		}),
		gzhttp.Implementation(writer.GzipWriterFactory{
			Levels: gzkp.Levels,
			New: func(w io.Writer, level int) writer.GzipWriter {
				used.Add(1)
				return compressor{gzkp.NewWriter(w, level), &used}
			},
		}),
	)
	if err != nil {
		panic(err) // cannot happen: the options are constant
	}
	return func(_ *rest.Operation, next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if x.R.Header["Accept-Encoding"] == nil {
				return next(x)
			}
			var err error // declared after the return above, because capturing it takes an allocation
			wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				x.W = plainWriter{w, &x.Sent}
				err = next(x)
			})).ServeHTTP(x.W, x.R)
			return err
		}
	}
}

// compressor is a gzip writer that is counted in used until it is closed.
type compressor struct {
	writer.GzipWriter
	used *atomic.Int64
}

// Close sends the rest of the output. The compressor then no longer counts as used.
func (c compressor) Close() error {
	defer c.used.Add(-1)
	return c.GzipWriter.Close()
}

// plainWriter is an http.ResponseWriter that copies the start of the body for the journal before
// the body is compressed.
type plainWriter struct {
	http.ResponseWriter
	sent *rest.Writer
}

// Unwrap returns the wrapped writer, for http.ResponseController.
func (w plainWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Write writes a part of the body.
func (w plainWriter) Write(p []byte) (int, error) {
	if w.sent.Before != nil { // the response has no journal entry yet
		if w.sent.Plain == nil {
			w.sent.Plain = &rest.Plain{Size: rest.ContentLength(w.Header())}
		}
		plain := w.sent.Plain
		plain.Body = append(plain.Body, p[:min(len(p), journal.MaxBody-len(plain.Body))]...)
	}
	return w.ResponseWriter.Write(p)
}
