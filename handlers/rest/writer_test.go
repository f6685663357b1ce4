package rest

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store"
)

// TestWriteDeadlineOfEachPart has a client that reads each piece just in time. It checks
// that no piece is larger, and that each has a deadline of the same length.
func TestWriteDeadlineOfEachPart(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		p := new(slowPipe)
		w := Writer{ResponseWriter: p}
		w.WriteHeader(http.StatusOK)
		n, err := w.Write(make([]byte, 2*PieceBytes+1))
		if n != 2*PieceBytes+1 || err != nil || w.Bytes != int64(n) {
			t.Errorf("wrote %d bytes, %v, and counts %d", n, err, w.Bytes)
		}
		must.Equal(t, []int{PieceBytes, PieceBytes, 1}, p.sizes, "pieces")
		for i, left := range p.left {
			if left < PieceTime || left > PieceTime+pieceSlack {
				t.Errorf("piece %d has %v, want %v to %v", i, left, PieceTime, PieceTime+pieceSlack)
			}
		}
	})
}

// slowPipe reads each piece at the last moment.
type slowPipe struct {
	pipe
	until time.Time
	sizes []int
	left  []time.Duration
}

func (p *slowPipe) Header() http.Header { return http.Header{} }

func (p *slowPipe) WriteHeader(int) {}

func (p *slowPipe) SetWriteDeadline(until time.Time) error {
	p.until = until
	return nil
}

func (p *slowPipe) Write(data []byte) (int, error) {
	p.sizes, p.left = append(p.sizes, len(data)), append(p.left, time.Until(p.until))
	time.Sleep(PieceTime)
	return len(data), nil
}

// TestWriteDeadlineWithoutBody checks that a response without a body has a deadline too.
func TestWriteDeadlineWithoutBody(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		p := new(slowPipe)
		w := Writer{ResponseWriter: p}
		w.WriteHeader(http.StatusNoContent)
		if left := time.Until(p.until); left < PieceTime {
			t.Errorf("it has %v, want %v", left, PieceTime)
		}
	})
}

// TestWriterCallsBeforeOnce checks that Before is called once, however the response begins.
func TestWriterCallsBeforeOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		send func(w *Writer)
		want int
	}{
		"a status line":               {func(w *Writer) { w.WriteHeader(http.StatusCreated) }, http.StatusCreated},
		"the least that is an answer": {func(w *Writer) { w.WriteHeader(http.StatusOK) }, http.StatusOK},
		"a second one": {func(w *Writer) {
			w.WriteHeader(http.StatusOK)
			w.WriteHeader(http.StatusAccepted)
		}, http.StatusOK},
		"a body":  {func(w *Writer) { _, _ = w.Write([]byte("x")) }, http.StatusOK},
		"a flush": {func(w *Writer) { w.Flush() }, http.StatusOK},
		"a flush after the status line": {func(w *Writer) { w.WriteHeader(http.StatusCreated); w.Flush() },
			http.StatusCreated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []int
			recorder := httptest.NewRecorder()
			w := &Writer{ResponseWriter: recorder, Before: func(b Beginning) { got = append(got, b.Status) }}
			w.Header()["Vary"] = []string{"Origin, Prefer", "Accept-Encoding"}
			test.send(w)
			w.Begin(nil, 0)
			if w.Status != test.want || !slices.Equal(got, []int{test.want}) {
				t.Errorf("Status is %d, Before got %v, want %d", w.Status, got, test.want)
			}
			if vary := w.Header()["Vary"]; len(vary) != 1 || vary[0] != "Origin, Prefer" {
				t.Errorf("Vary is %q", vary)
			}
		})
	}
}

// TestLongResponsesNeedMemory checks that a response which the client may be slow to read is counted
// while it is sent, and refused if memory is short. Short responses and the results of writes are
// never refused.
func TestLongResponsesNeedMemory(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("x", PieceBytes)
	list := func(n int) func(x *Exchange) error {
		page := store.Page[store.Message]{Items: make([]store.Message, n), Total: n}
		for i := range page.Items {
			page.Items[i].Message = "a message"
		}
		return func(x *Exchange) error { return List(x, page, store.Paging{Limit: n}) }
	}
	for name, test := range map[string]struct {
		method string
		answer func(x *Exchange) error
		counts bool
	}{
		"JSON": {http.MethodGet, func(x *Exchange) error { return x.JSON(http.StatusOK, text) },
			true},
		"JSON of HEAD": {http.MethodHead, func(x *Exchange) error { return x.JSON(http.StatusOK, text) },
			true},
		"short JSON": {http.MethodGet, func(x *Exchange) error { return x.JSON(http.StatusOK, "x") },
			false},
		"JSON of a write": {http.MethodPost, func(x *Exchange) error { return x.JSON(http.StatusOK, text) },
			false},
		"a document": {http.MethodGet,
			func(x *Exchange) error { return x.Document("text/plain", []byte(text+text)) }, true},
		"a file of the program": {http.MethodGet,
			func(x *Exchange) error { return x.File("text/plain", []byte(text+text)) }, false},
		"a list":                {http.MethodGet, list(20), false},
		"a list of some pieces": {http.MethodGet, list(500), true},
		"a list in parts":       {http.MethodGet, list(5000), true},
		"what is written": {http.MethodGet,
			func(x *Exchange) error { return x.Written("text/plain", many(text, 20)) }, true},
		"little that is written": {http.MethodGet,
			func(x *Exchange) error { return x.Written("text/plain", many("x", 20)) }, false},
		"an error": {http.MethodGet, func(x *Exchange) error {
			x.Fail(Refuse("conflict", text))
			return nil
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := NewExchange(new(Server), httptest.NewRecorder(), httptest.NewRequest(test.method, "/messages", nil))
			x.Memory = memory.New(1, time.Now)
			if err := test.answer(x); errors.Is(err, memory.ErrFull) != test.counts || test.counts == (x.Sent.Status != 0) {
				t.Errorf("without memory: %v, begun: %t", err, x.Sent.Status != 0)
			}
			x = NewExchange(new(Server), httptest.NewRecorder(), httptest.NewRequest(test.method, "/messages", nil))
			x.Memory = memory.New(1<<30, time.Now)
			if err := test.answer(x); err != nil || (x.reserved.answer >= PieceBytes) != test.counts ||
				x.reserved.answer > 8*PieceBytes {
				t.Errorf("with memory: %v, and %d bytes are held", err, x.reserved.answer)
			}
			if x.End(); x.reserved.answer != 0 {
				t.Errorf("%d bytes are held afterwards", x.reserved.answer)
			}
		})
	}
}

// TestImportReservesOnce checks that each reservation of an import replaces the previous one, of
// which half counts until the next measurement.
func TestImportReservesOnce(t *testing.T) {
	t.Parallel()
	x := exchange("")
	x.Memory = memory.New(1<<40, func() time.Time { return time.Time{} })
	before := x.Memory.Used()
	for range 2 {
		must.Succeed(t, x.reserveImport(0, 1<<30))
	}
	x.End()
	if left := x.Memory.Used() - before; left != 1<<30 {
		t.Errorf("%d bytes are reserved afterwards", left)
	}
}

// TestChunkedWriteReservesOnce checks that the cost of a write without its body is reserved once,
// although the buffer for a body of unknown length grows several times.
func TestChunkedWriteReservesOnce(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("x", 3000)
	x := exchange(body)
	x.Memory = memory.New(1<<40, time.Now)
	x.R.ContentLength = -1
	x.Operation = &Operation{Body: Body{Max: 1 << 20}}
	if read, err := x.receiveBody(); string(read) != body || err != nil {
		t.Errorf("read %d bytes, %v", len(read), err)
	}
	const grown = 512 + 513 + 1026 + 2052 // each time by what has arrived
	if want := int64(memory.Write + grown*memory.WritePerByte); x.reserved.request != want {
		t.Errorf("%d bytes are reserved, want %d", x.reserved.request, want)
	}
}

// TestStartOfBodyIsReserved checks that the start of an unread body counts until the request's end.
func TestStartOfBodyIsReserved(t *testing.T) {
	t.Parallel()
	x := exchange("a body")
	x.Memory = memory.New(1<<40, time.Now)
	if x.BodyStart(); x.reserved.request != 7 {
		t.Errorf("%d bytes are reserved for the body of 6", x.reserved.request)
	}
	if x.End(); x.reserved.request != 0 {
		t.Errorf("%d bytes are reserved afterwards", x.reserved.request)
	}
}

func many(text string, n int) func(io.Writer) error {
	return func(w io.Writer) error {
		for range n {
			if _, err := io.WriteString(w, text); err != nil {
				return err
			}
		}
		return nil
	}
}
