package middleware

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/logs"
	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/lifecycle"
)

// longText is a value of nearly the size to which headers are limited.
var longText = strings.Repeat("x", 60_000)

// lineBytes is the largest length of a line, whatever a client sends.
const lineBytes = 1000

// TestCallerLogLinesAreBounded sends requests of more callers of deprecated operations than may be
// logged, each in its own sandbox and with a long name.
func TestCallerLogLinesAreBounded(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	link := Count(slog.New(slog.NewJSONHandler(&log, nil)))
	chains := make(map[string]rest.Handler)
	for _, id := range []string{"getPet", "listPets"} {
		chains[id] = link(&rest.Operation{ID: id}, func(*rest.Exchange) error { return nil })
	}
	since := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	for caller := range 100 {
		for id, handle := range chains {
			name := fmt.Sprint(caller, longText)
			v := newVisit(http.MethodGet, "/pets", http.Header{"User-Agent": {name}, "X-Client": {name}})
			v.x.Sandbox, v.x.Lifecycle = newSandboxWith(nil),
				&lifecycle.Lifecycle{Deprecated: true, DeprecatedSince: since}
			if err := handle(v.x); err != nil {
				t.Fatalf("%s: %v", id, err)
			}
		}
	}
	expectLines(t, &log, 2*(logs.Lines+1))
}

// TestLogLinesAreTruncated sends requests whose every part is as long as possible.
func TestLogLinesAreTruncated(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	v := newVisit(longText, "/"+longText, http.Header{"User-Agent": {longText}, "X-Client": {longText}})
	v.to(Observe(logger, metrics.NewRequests()), func(*rest.Exchange) error { return nil })
	v = newVisit(longText, "/"+longText, nil)
	v.to(AnswerErrors(logger, metrics.NewRequests()), func(*rest.Exchange) error { return io.ErrUnexpectedEOF })
	expectLines(t, &log, 2)
}

// expectLines checks that the log has the number of lines and that none is long.
func expectLines(t *testing.T, log *bytes.Buffer, want int) {
	t.Helper()
	lines := 0
	for line := range strings.Lines(log.String()) {
		lines++
		if len(line) > lineBytes {
			t.Errorf("a line has %d bytes, want %d at most: %.100s", len(line), lineBytes, line)
		}
	}
	if lines != want {
		t.Errorf("%d lines, want %d", lines, want)
	}
}
