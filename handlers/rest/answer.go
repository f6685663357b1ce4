package rest

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store"
)

// SetHeader sets a response header to one value. The name must be in canonical form.
func (x *Exchange) SetHeader(name, value string) {
	x.values = append(x.values, value)
	n := len(x.values)
	x.W.Header()[name] = x.values[n-1 : n : n]
}

// JSON writes v as JSON. If v cannot be encoded, or if there is not enough memory for it, JSON
// returns an error and sends nothing. In the second case, the error is a [memory.Full].
func (x *Exchange) JSON(status int, v any) error {
	body, err := Encode(v)
	if err != nil {
		return err
	}
	if err := x.Hold(int64(len(body))); err != nil {
		return err
	}
	return x.Reply(status, typeJSON, append(body, '\n')) // a newline for terminals
}

// WithJSON returns a handler that writes v as [Exchange.JSON] does.
func WithJSON(status int, v any) Handler {
	return func(x *Exchange) error { return x.JSON(status, v) }
}

// recordBytes is the initial capacity for an encoded record. Most records fit.
const recordBytes = 256

// Found writes a record with its entity tag. If the client already has the record, Found writes a
// 304 instead. If the header If-Match does not match, Found returns a 412.
func (x *Exchange) Found(conditions *Preconditions, record store.Appender) error {
	body := record.AppendJSON(make([]byte, 0, recordBytes))
	tag := entityTag(body)
	if done, err := x.precondition(conditions, tag); done || err != nil {
		return err
	}
	x.SetHeader("Etag", tag)
	return x.Reply(http.StatusOK, typeJSON, append(body, '\n'))
}

// inert is a Content-Security-Policy (CSP Level 3). With it, a document that a browser opens
// directly can load and run nothing.
const inert = "default-src 'none'; sandbox"

// Drawing writes a small SVG image with its entity tag. Like [Exchange.Found], it evaluates
// conditions and may write a 304 or return a 412.
func (x *Exchange) Drawing(conditions *Preconditions, svg []byte) error {
	tag := entityTag(svg)
	if done, err := x.precondition(conditions, tag); done || err != nil {
		return err
	}
	x.SetHeader("Etag", tag)
	x.SetHeader("Content-Security-Policy", inert)
	return x.Reply(http.StatusOK, "image/svg+xml", svg)
}

// precondition evaluates the conditions of a read, if it has any. tag is the current tag. done
// reports whether precondition wrote a 304. The error is a 412.
func (x *Exchange) precondition(conditions *Preconditions, tag string) (done bool, err error) {
	if conditions == nil {
		return false, nil
	}
	notModified, err := conditions.evaluate(tag)
	if notModified == "" {
		return false, err
	}
	x.SetHeader("Etag", notModified)
	x.W.WriteHeader(http.StatusNotModified)
	return true, nil
}

// Encoded writes a new or changed record, given as JSON, with its entity tag.
func (x *Exchange) Encoded(status int, record []byte) error {
	x.SetHeader("Etag", entityTag(record))
	return x.Reply(status, typeJSON, slices.Concat(record, []byte("\n"))) // a copy: an event also has the record
}

// Created writes a 201 with a new record, given as JSON. location is the record's path, without
// [Operation.Mount].
func (x *Exchange) Created(location string, record []byte) error {
	x.SetHeader("Location", x.URL(x.Operation.Mount+location))
	return x.Encoded(http.StatusCreated, record)
}

// NoContent writes a 204.
func (x *Exchange) NoContent() error {
	x.W.WriteHeader(http.StatusNoContent)
	return nil
}

// Reply writes a response with the body, for which it reserves no memory; see [Exchange.Hold]. An
// empty contentType leaves the Content-Type header unchanged.
func (x *Exchange) Reply(status int, contentType string, body []byte) error {
	if contentType != "" {
		x.SetHeader("Content-Type", contentType)
	}
	x.SetHeader("Content-Length", strconv.Itoa(len(body)))
	x.W.WriteHeader(status)
	_, _ = x.W.Write(body) // ignore the error: the client has disconnected or is too slow
	return nil
}

// Document writes a document generated for this response. contentType must never come from the
// client. The error is a [memory.Full].
func (x *Exchange) Document(contentType string, body []byte) error {
	if err := x.Hold(int64(cap(body))); err != nil {
		return err
	}
	return x.Reply(http.StatusOK, contentType, body)
}

// File writes a fixed document with its entity tag. Like [Exchange.Found], it evaluates the
// request's preconditions and may write a 304 or return a 412. If a precondition is malformed, File
// returns a 400.
func (x *Exchange) File(contentType string, body []byte) error {
	conditions, err := x.ReadPreconditions()
	if err != nil {
		return err
	}
	tag := entityTag(body)
	if done, err := x.precondition(conditions, tag); done || err != nil {
		return err
	}
	x.SetHeader("Etag", tag)
	return x.Reply(http.StatusOK, contentType, body)
}

// Encode returns v as JSON. It replaces invalid UTF-8, which texts from a request line or a header
// can contain, with U+FFFD. Encode sorts maps by key, so that equal values have equal bytes.
func Encode(v any) ([]byte, error) { return json.Marshal(v, encoding) }

var encoding = json.JoinOptions(jsontext.AllowInvalidUTF8(true), json.Deterministic(true))

// EncodeRecord is like [Encode], but for a record.
func EncodeRecord(r store.Appender) []byte {
	buffer := takeBuffer()
	defer releaseBuffer(buffer)
	buffer.Grow(recordBytes)
	return bytes.Clone(r.AppendJSON(buffer.AvailableBuffer())) // without unused capacity, because events store it
}

// maxBuffer is the maximum size of a pooled buffer, in bytes. A longer page of records is encoded
// in parts, because a slow client would otherwise keep the whole page in memory for a long time.
const maxBuffer = 64 << 10

// buffers holds buffers for reuse by later responses.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func takeBuffer() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

func releaseBuffer(b *bytes.Buffer) {
	if b.Cap() <= maxBuffer {
		b.Reset()
		buffers.Put(b)
	}
}

// Written sends the output of write as the response. A short output is sent with its
// Content-Length. A longer output is sent in parts while write produces it, so that the whole
// output is never in memory. If write fails before the first part is sent, the error becomes the
// response. If write fails later, the error aborts the response. After the client has disconnected,
// errors are ignored.
func (x *Exchange) Written(contentType string, write func(io.Writer) error) error {
	w := &spill{x: x, contentType: contentType, buffer: takeBuffer()}
	defer releaseBuffer(w.buffer)
	if err := write(w); err != nil {
		if w.gone {
			return nil
		}
		return err
	}
	if !w.begun {
		return x.Reply(http.StatusOK, contentType, w.buffer.Bytes())
	}
	w.flush()
	return nil
}

// spill is the writer for [Exchange.Written]. It buffers output, and sends the buffer when it is
// full.
type spill struct {
	x           *Exchange
	contentType string
	buffer      *bytes.Buffer
	begun, gone bool
}

// Write buffers p. If p does not fit, Write first sends the buffered bytes. The error is a
// [memory.Full], or reports that the client has disconnected.
func (w *spill) Write(p []byte) (int, error) {
	if w.buffer.Len()+len(p) > PieceBytes {
		if err := w.flush(); err != nil {
			return 0, err
		}
	}
	return w.buffer.Write(p)
}

func (w *spill) flush() error {
	if !w.begun {
		if err := w.x.Hold(memory.Parts); err != nil {
			return err
		}
		w.begun = true
		w.x.SetHeader("Content-Type", w.contentType)
		w.x.W.WriteHeader(http.StatusOK)
	}
	_, err := w.x.W.Write(w.buffer.Bytes())
	w.gone = err != nil
	w.buffer.Reset()
	return err
}
