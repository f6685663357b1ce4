package rest

import (
	"bytes"
	"io"
	"iter"
	"net/http"
	"strconv"

	"github.com/cespare/xxhash/v2"
)

// parts yields the JSON array of the records in parts of about size bytes. Each part is valid until
// the next one; the last one is in the buffer.
func parts[T Record](records []T, size int, buffer *bytes.Buffer) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		buffer.Reset()
		b := append(buffer.AvailableBuffer(), '[')
		for i, record := range records {
			if len(b) >= size {
				if !yield(b) {
					return
				}
				b = b[:0]
			}
			if i > 0 {
				b = append(b, ',')
			}
			b = record.AppendJSON(b)
		}
		buffer.Write(append(b, ']'))
		yield(buffer.Bytes())
	}
}

// list is a page in a response. A short one is in the buffer. A long one is encoded twice, the
// first time for its tag and its length.
type list[T Record] struct {
	records []T
	buffer  *bytes.Buffer
	size    int
	short   bool
	tag     string
}

func encodeList[T Record](records []T, total int, buffer *bytes.Buffer) list[T] {
	l := list[T]{records: records, buffer: buffer}
	var hash xxhash.Digest
	hash.Reset()
	n := 0
	for part := range parts(records, maxBuffer, buffer) {
		_, _ = hash.Write(part)
		l.size += len(part)
		n++
	}
	l.short = n == 1
	l.tag = listTag(&hash, total)
	return l
}

func (l list[T]) send(x *Exchange) error {
	if l.short {
		if err := x.Hold(heldBy(l.buffer)); err != nil {
			return err
		}
		return x.tagged(http.StatusOK, l.tag, l.buffer)
	}
	if err := x.Hold(partsBytes); err != nil {
		return err
	}
	*l.buffer = bytes.Buffer{} // free the buffer, which has grown to the size of a part
	x.SetHeader("Etag", l.tag)
	x.W.Header()["Content-Type"] = contentTypeJSON
	x.SetHeader("Content-Length", strconv.Itoa(l.size+len("\n")))
	x.W.WriteHeader(http.StatusOK)
	for part := range parts(l.records, PieceBytes, l.buffer) {
		if _, err := x.W.Write(part); err != nil {
			return nil // a disconnected client is not an error of the operation
		}
	}
	_, _ = io.WriteString(x.W, "\n")
	return nil
}

// Written writes the output of write: with its length if it is short, otherwise while it is
// produced, so it is never in memory as a whole. An error of write becomes the response, or aborts
// one that has begun.
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
		return x.document(contentType, w.buffer.Bytes())
	}
	w.flush()
	return nil
}

// spill writes a response of unknown length.
type spill struct {
	x           *Exchange
	contentType string
	buffer      *bytes.Buffer
	begun, gone bool
}

// Write buffers what fits and sends the rest. The error means that the client has disconnected.
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
		if err := w.x.Hold(partsBytes); err != nil {
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
