package rest

import "net/http"

// Writer is an http.ResponseWriter that remembers what was sent.
type Writer struct {
	http.ResponseWriter
	Status int   // 0 until the status line is sent
	Bytes  int64 // of the body

	// Before is called once, before the client can know of the answer: with the
	// answer's status, or with 0 where the connection is to be broken off. nil: nobody
	// wants to know.
	Before func(status int)
}

// Unwrap returns the wrapped writer, for http.ResponseController.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader sends the status line and the headers.
func (w *Writer) WriteHeader(status int) {
	if w.Status == 0 && status >= 200 { // an informational status is not the answer
		w.oneVary()
		w.tell(status)
		w.Status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

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
	_ = http.NewResponseController(w.ResponseWriter).Flush() // a writer that cannot has no buffer
}

// Write sends a part of the body.
func (w *Writer) Write(p []byte) (int, error) {
	if w.Status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	n, err := w.ResponseWriter.Write(p)
	w.Bytes += int64(n)
	return n, err
}

// BreakOff says that the connection will be broken off, before or after a part of
// the answer is sent. It must be called before either happens.
func (w *Writer) BreakOff() { w.tell(0) }

func (w *Writer) tell(status int) {
	if before := w.Before; before != nil {
		w.Before = nil
		before(status)
	}
}
