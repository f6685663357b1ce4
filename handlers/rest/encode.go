package rest

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Record is a value that encodes its own JSON, which makes the most frequent responses fast.
type Record interface {
	AppendJSON(b []byte) []byte
}

// Encode returns the JSON of a value. Invalid UTF-8, which only a request line or a header repeated
// in an error can contain, becomes U+FFFD. Maps are sorted by key, so equal values have equal
// bytes.
func Encode(v any) ([]byte, error) { return json.Marshal(v, encoding) }

var encoding = json.JoinOptions(jsontext.AllowInvalidUTF8(true), json.Deterministic(true))

// EncodeRecord is Encode for a record.
func EncodeRecord(r Record) []byte {
	b := takeBuffer()
	defer releaseBuffer(b)
	return bytes.Clone(r.AppendJSON(b.AvailableBuffer()))
}

// encode appends the JSON of a value to a buffer.
func encode(to *bytes.Buffer, v any) error { return json.MarshalWrite(to, v, encoding) }

// maxBuffer is the most bytes of a pooled buffer. It is also about how much of a longer response is
// in memory at a time, since a client may take its time.
const maxBuffer = 64 << 10

// buffers are reused after a response has been sent.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func takeBuffer() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

func releaseBuffer(b *bytes.Buffer) {
	if b.Cap() <= maxBuffer {
		b.Reset()
		buffers.Put(b)
	}
}
