package rest

import (
	"net/http"
	"strconv"
	"time"

	"example.com/petstore/handlers/sandbox"
)

// A client must receive each piece of a response, of PieceBytes bytes, within PieceTime. Otherwise,
// the server closes the connection or the HTTP/2 stream.
const (
	PieceBytes = 16 << 10
	PieceTime  = 30 * time.Second
)

// pieceSlack is extra time in each write deadline, so that many writes can share one deadline.
const pieceSlack = time.Second

// Writer is an http.ResponseWriter that records what it has sent. It sets a write deadline for each
// piece of the response.
type Writer struct {
	http.ResponseWriter
	Status int       // 0 until WriteHeader is called
	Bytes  int64     // the number of bytes of the body that were sent
	Began  time.Time // when the status line was sent, or zero
	until  time.Time // the write deadline, or zero if none is set

	// If Before is not nil, WriteHeader does not send the status line. The first Write or Flush
	// sends it, or Begin at the end of the response. Just before that, Before is called, once.
	Before func(Beginning)
	// Plain is the start of the body before compression. It is nil unless the request has an
	// Accept-Encoding and Before was set.
	Plain *Plain
}

// Beginning describes a response whose status line has not been sent yet.
type Beginning struct {
	Status int    // 0 if nothing will be sent
	Body   []byte // the first part of the body, valid until Before returns
	Size   int64  // size of the whole body in bytes, or -1 if unknown
	Broken bool   // the connection will be aborted
}

// Unwrap returns the wrapped writer, for http.ResponseController.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader sends the status line and the headers, or only stores the status if Before is set;
// see [Writer.Begin]. The status must be final: no operation sends informational responses.
func (w *Writer) WriteHeader(status int) {
	if w.Status != 0 {
		return
	}
	if vary := w.Header()["Vary"]; len(vary) > 1 {
		w.Header()["Vary"] = vary[:1] // the first line is complete; libraries add lines that repeat parts of it
	}
	w.Status = status
	if w.Before == nil {
		w.sendHeader()
	}
}

func (w *Writer) sendHeader() {
	w.Began = sandbox.Machine()
	w.renewDeadline(w.Began)
	w.ResponseWriter.WriteHeader(w.Status)
}

// renewDeadline extends the write deadline if less than PieceTime is left. With HTTP/2, the
// deadline applies to the stream, because flow control can stall each stream separately.
func (w *Writer) renewDeadline(now time.Time) {
	if w.until.Sub(now) < PieceTime {
		w.until = now.Add(PieceTime + pieceSlack)
		// Ignore the error: a writer without deadlines, such as a recorder, cannot block.
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(w.until)
	}
}

// Begin calls Before and sends the status line, if Before is set and a status is known. It must be
// called at the end of a response without a body, unless the connection is aborted. body is the
// first part of the body, and size is the size of the whole body, or -1 if it is unknown.
func (w *Writer) Begin(body []byte, size int64) {
	if before := w.Before; before != nil && w.Status != 0 {
		w.Before = nil
		before(Beginning{Status: w.Status, Body: body, Size: size})
		w.sendHeader()
	}
}

// Flush sends buffered output. gzhttp's writer calls this method directly, without Unwrap.
func (w *Writer) Flush() {
	if w.Status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	w.Begin(nil, ContentLength(w.Header()))
	// Ignore the error: the writer has no buffer, or the next Write fails too.
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// Write sends a part of the body.
func (w *Writer) Write(p []byte) (n int, err error) {
	if w.Status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	w.Begin(p, ContentLength(w.Header()))
	for {
		if w.Bytes > 0 { // sending the status line has renewed the deadline for the first part
			w.renewDeadline(sandbox.Machine())
		}
		written, err := w.ResponseWriter.Write(p[n:min(len(p), n+PieceBytes)])
		n += written
		w.Bytes += int64(written)
		if err != nil || n == len(p) {
			return n, err
		}
	}
}

// BreakOff records that the connection will be aborted after the last part of the response, which
// may be empty. It must be called before that part is written.
func (w *Writer) BreakOff(last Beginning) {
	if before := w.Before; before != nil {
		w.Before = nil
		last.Broken = true
		before(last)
	}
}

// Abort records that the connection is aborted, and aborts it. It does not return.
func (w *Writer) Abort() {
	w.BreakOff(Beginning{})
	panic(http.ErrAbortHandler)
}

// ContentLength returns the Content-Length in the header, or -1 if there is no valid one.
func ContentLength(header http.Header) int64 {
	if values := header["Content-Length"]; len(values) == 1 {
		if size, err := strconv.ParseInt(values[0], 10, 64); err == nil {
			return size
		}
	}
	return -1
}

// Plain is the start of a response body before compression.
type Plain struct {
	Body []byte
	Size int64 // size of the whole body, or -1 if unknown
}
