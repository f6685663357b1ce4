package rest

import (
	"net/http"
	"strconv"
	"time"

	"example.com/petstore/handlers/sandbox"
)

// A client has PieceTime to take each PieceBytes of an answer; then its connection, or
// its stream of HTTP/2, is ended.
const (
	PieceBytes = 16 << 10
	PieceTime  = 30 * time.Second
)

// pieceSlack is by how much the deadline of a piece may be later than it must be, so
// that one serves many writes.
const pieceSlack = time.Second

// Writer is an http.ResponseWriter that remembers what was sent, and gives each piece of
// it its time.
type Writer struct {
	http.ResponseWriter
	Status int       // 0 until the status line is sent
	Bytes  int64     // of the body
	Began  time.Time // when the status line was sent; zero: it was not
	until  time.Time // the deadline of writes; zero: none was set

	// Before is called once, before the client can know of the answer. The status line
	// waits for the first part of the body until then. nil: nobody wants to know.
	Before func(Beginning)

	waits bool // whether the status line does
}

// Beginning is what is known of an answer before anything of it is sent.
type Beginning struct {
	Status int    // 0: nothing will be sent
	Body   []byte // its first part, valid until Before returns
	Size   int64  // bytes of the whole body; -1: not known
	Broken bool   // whether the connection will be broken off
}

// Unwrap returns the wrapped writer, for http.ResponseController.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader sends the status line and the headers.
func (w *Writer) WriteHeader(status int) {
	if w.Status == 0 && status >= 200 { // an informational status is not the answer
		w.oneVary()
		w.Status = status
		w.waits = w.Before != nil
	}
	if !w.waits {
		w.sendHeader(status)
	}
}

func (w *Writer) sendHeader(status int) {
	w.Began = w.renewDeadline()
	w.ResponseWriter.WriteHeader(status)
}

// renewDeadline gives what is written next its time, and returns the time now. A server whose connections have
// deadlines of their own needs it for the streams of HTTP/2, which flow control can hold
// up one by one; one that embeds the service needs it for everything.
func (w *Writer) renewDeadline() (now time.Time) {
	now = sandbox.Machine()
	if w.until.Sub(now) >= PieceTime {
		return now
	}
	w.until = now.Add(PieceTime + pieceSlack)
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(w.until) // what has none, such as a recorder, cannot hang
	return now
}

// begin sends the status line if it waits: body is what comes behind it.
func (w *Writer) begin(body []byte, size int64) {
	if w.waits {
		w.waits = false
		w.tell(Beginning{Status: w.Status, Body: body, Size: size})
		w.sendHeader(w.Status)
	}
}

// End says that the answer has ended. It must be called where Before is set, unless the
// connection is broken off.
func (w *Writer) End() { w.begin(nil, 0) }

// oneVary leaves the first line of Vary alone: it names all that there is to name, and
// what libraries add after it is a part of that.
func (w *Writer) oneVary() {
	header := w.Header()
	if vary := header["Vary"]; len(vary) > 1 {
		header["Vary"] = vary[:1]
	}
}

// Flush sends what is buffered. It is there for wrappers that ask a writer for it
// without unwrapping, as the compressing one does.
func (w *Writer) Flush() {
	if w.Status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	w.begin(nil, ContentLength(w.Header()))
	_ = http.NewResponseController(w.ResponseWriter).Flush() // a writer that cannot has no buffer
}

// Write sends a part of the body.
func (w *Writer) Write(p []byte) (n int, err error) {
	if w.Status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	w.begin(p, ContentLength(w.Header()))
	for {
		w.renewDeadline()
		written, err := w.ResponseWriter.Write(p[n:min(len(p), n+PieceBytes)])
		n += written
		w.Bytes += int64(written)
		if err != nil || n == len(p) {
			return n, err
		}
	}
}

// BreakOff says that the connection will be broken off, and nothing more be sent. It must
// be called before that happens.
func (w *Writer) BreakOff() { w.BreakOffAfter(Beginning{}) }

// BreakOffAfter is BreakOff for a connection on which that much of an answer is sent
// before. It must be called before either happens.
func (w *Writer) BreakOffAfter(sent Beginning) {
	sent.Broken = true
	w.tell(sent)
}

func (w *Writer) tell(b Beginning) {
	if before := w.Before; before != nil {
		w.Before = nil
		before(b)
	}
}

// ContentLength returns what the header says of the size of the body; -1: nothing.
func ContentLength(header http.Header) int64 {
	if values := header["Content-Length"]; len(values) == 1 {
		if size, err := strconv.ParseInt(values[0], 10, 64); err == nil {
			return size
		}
	}
	return -1
}
