package rest

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

// TestWriterTellsOfTheAnswerOnce checks that Before is called once, however the response begins.
func TestWriterTellsOfTheAnswerOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		send func(w *Writer)
		want int
	}{
		"a status line":                 {func(w *Writer) { w.WriteHeader(http.StatusCreated) }, http.StatusCreated},
		"an informational one before":   {func(w *Writer) { w.WriteHeader(http.StatusEarlyHints); w.WriteHeader(http.StatusCreated) }, http.StatusCreated},
		"the least that is an answer":   {func(w *Writer) { w.WriteHeader(http.StatusOK) }, http.StatusOK},
		"a second one":                  {func(w *Writer) { w.WriteHeader(http.StatusOK); w.WriteHeader(http.StatusAccepted) }, http.StatusOK},
		"a body":                        {func(w *Writer) { _, _ = w.Write([]byte("x")) }, http.StatusOK},
		"a flush":                       {func(w *Writer) { w.Flush() }, http.StatusOK},
		"a flush after the status line": {func(w *Writer) { w.WriteHeader(http.StatusCreated); w.Flush() }, http.StatusCreated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var told []int
			recorder := httptest.NewRecorder()
			w := &Writer{ResponseWriter: recorder, Before: func(b Beginning) { told = append(told, b.Status) }}
			w.Header()["Vary"] = []string{"Origin, Prefer", "Accept-Encoding"}
			test.send(w)
			w.End()
			if w.Status != test.want || !slices.Equal(told, []int{test.want}) {
				t.Errorf("the status is %d and told as %v, want %d", w.Status, told, test.want)
			}
			if vary := w.Header()["Vary"]; len(vary) != 1 || vary[0] != "Origin, Prefer" {
				t.Errorf("Vary is %q", vary)
			}
		})
	}
}
