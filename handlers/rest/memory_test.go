package rest

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store"
)

// TestLongAnswersNeedMemory checks that a response which the client may be slow to read is counted
// while it is sent, and refused if memory is short. Short responses and the results of writes are
// never refused.
func TestLongAnswersNeedMemory(t *testing.T) {
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
		"JSON":                   {http.MethodGet, func(x *Exchange) error { return x.JSON(http.StatusOK, text) }, true},
		"JSON of HEAD":           {http.MethodHead, func(x *Exchange) error { return x.JSON(http.StatusOK, text) }, true},
		"short JSON":             {http.MethodGet, func(x *Exchange) error { return x.JSON(http.StatusOK, "x") }, false},
		"JSON of a write":        {http.MethodPost, func(x *Exchange) error { return x.JSON(http.StatusOK, text) }, false},
		"a document":             {http.MethodGet, func(x *Exchange) error { return x.Document("text/plain", []byte(text+text)) }, true},
		"a file of the program":  {http.MethodGet, func(x *Exchange) error { return x.File("text/plain", []byte(text+text)) }, false},
		"a list":                 {http.MethodGet, list(20), false},
		"a list of some pieces":  {http.MethodGet, list(500), true},
		"a list in parts":        {http.MethodGet, list(5000), true},
		"what is written":        {http.MethodGet, func(x *Exchange) error { return x.Written("text/plain", many(text, 20)) }, true},
		"little that is written": {http.MethodGet, func(x *Exchange) error { return x.Written("text/plain", many("x", 20)) }, false},
		"an error": {http.MethodGet, func(x *Exchange) error {
			x.Fail(Refuse("conflict", text))
			return nil
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := NewExchange(new(Server), httptest.NewRecorder(), httptest.NewRequest(test.method, "/messages", nil))
			x.Memory = memory.New(1, time.Now)
			if err := test.answer(x); errors.Is(err, memory.ErrFull) != test.counts || test.counts == x.Started() {
				t.Errorf("without memory: %v, begun: %t", err, x.Started())
			}
			x = NewExchange(new(Server), httptest.NewRecorder(), httptest.NewRequest(test.method, "/messages", nil))
			x.Memory = memory.New(1<<30, time.Now)
			if err := test.answer(x); err != nil || (x.reserved.answer >= PieceBytes) != test.counts || x.reserved.answer > 8*PieceBytes {
				t.Errorf("with memory: %v, and %d bytes are held", err, x.reserved.answer)
			}
			if x.End(); x.reserved.answer != 0 {
				t.Errorf("%d bytes are held afterwards", x.reserved.answer)
			}
		})
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
