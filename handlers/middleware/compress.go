package middleware

import (
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/journal"
)

// minCompressed is the minimum size of a body that is compressed, in bytes.
const minCompressed = 1024

// maxCompressors is the maximum number of responses that are compressed at the same time. A
// compressor uses 1 MB of memory until the client has received its output.
const maxCompressors = 32

// eventStream is the media type of event streams. They are never compressed, because an event must
// not wait in a compressor.
const eventStream = "text/event-stream"

// Compress compresses a response with gzip if the client accepts gzip, the response is large
// enough, and a compressor is free.
func Compress() rest.Link {
	compressors := make(chan struct{}, maxCompressors)
	wrap, err := gzhttp.NewWrapper(
		gzhttp.MinSize(minCompressed),
		gzhttp.SuffixETag(rest.GzipSuffix),
		gzhttp.EnableZstd(false),
		gzhttp.ExceptContentTypes([]string{eventStream}),
	)
	if err != nil {
		panic(err) // cannot happen: the options are constant
	}
	return func(_ *rest.Operation, next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if x.R.Header["Accept-Encoding"] == nil {
				return next(x)
			}
			c := compressing{used: compressors}
			if x.Sent.Before != nil {
				c.plain = &rest.Plain{Size: -1}
				x.Sent.Plain = c.plain
			}
			defer c.release()
			var err error
			wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				c.ResponseWriter = w
				x.W = &c
				err = next(x)
			})).ServeHTTP(x.W, x.R)
			return err
		}
	}
}

// compressing is an http.ResponseWriter that compresses the response if a compressor is free when
// the response begins.
type compressing struct {
	http.ResponseWriter
	plain        *rest.Plain   // the start of the body for the journal, or nil
	used         chan struct{} // contains one element for each compressor in use
	begun, taken bool
}

// Unwrap returns the wrapped writer, for http.ResponseController.
func (c *compressing) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// WriteHeader sets the status. A compressed response is sent only when its body begins.
func (c *compressing) WriteHeader(status int) {
	if status >= http.StatusOK {
		c.begin()
	}
	c.ResponseWriter.WriteHeader(status)
}

// Write writes a part of the body.
func (c *compressing) Write(p []byte) (int, error) {
	c.begin()
	if plain := c.plain; plain != nil {
		plain.Body = append(plain.Body, p[:min(len(p), journal.MaxBody-len(plain.Body))]...)
	}
	return c.ResponseWriter.Write(p)
}

func (c *compressing) begin() {
	if c.begun {
		return
	}
	c.begun = true
	header := c.Header()
	size := rest.ContentLength(header)
	if c.plain != nil {
		c.plain.Size = size
	}
	if size >= 0 && size < minCompressed || strings.HasPrefix(header.Get("Content-Type"), eventStream) {
		return // no compressor needed
	}
	select {
	case c.used <- struct{}{}:
		c.taken = true
	default:
		header[gzhttp.HeaderNoCompression] = []string{"1"} // an instruction to the wrapper, which removes it
	}
}

func (c *compressing) release() {
	if c.taken {
		<-c.used
	}
}
