package rest

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Record is a value that writes its own JSON, without which nothing of what is read or
// written most would be quick.
type Record interface {
	AppendJSON(b []byte) []byte
}

// Encode returns the JSON of a value. Invalid UTF-8, which can only come from a
// request line or a header that an error repeats, becomes U+FFFD. Maps come in the
// order of their keys, so that equal values are equal bytes.
func Encode(v any) ([]byte, error) { return json.Marshal(v, encoding) }

var encoding = json.JoinOptions(jsontext.AllowInvalidUTF8(true), json.Deterministic(true))

// EncodeRecord is Encode for a record.
func EncodeRecord(r Record) []byte {
	b := takeBuffer()
	defer releaseBuffer(b)
	return bytes.Clone(r.AppendJSON(b.AvailableBuffer()))
}

// encode is Encode into a buffer.
func encode(to *bytes.Buffer, v any) error { return json.MarshalWrite(to, v, encoding) }

// maxBuffer is the most bytes that a buffer which is kept for another answer may hold, and
// about as many as an answer has in memory that is longer: a client may take its time.
const maxBuffer = 64 << 10

// buffers are the memory of answers, which is used again once an answer is sent.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func takeBuffer() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

func releaseBuffer(b *bytes.Buffer) {
	if b.Cap() <= maxBuffer {
		b.Reset()
		buffers.Put(b)
	}
}
