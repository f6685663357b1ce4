package middleware

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/rest"
)

// TestLog is a request, and the line that tells of it.
func TestLog(t *testing.T) {
	t.Parallel()
	answered := func(x *rest.Exchange) error {
		time.Sleep(1500 * time.Microsecond)
		x.W.WriteHeader(http.StatusCreated)
		_, err := io.WriteString(x.W, "hello")
		return err
	}
	for _, test := range []struct {
		name    string
		prepare func(x *rest.Exchange)
		handle  rest.Handler
		want    map[string]any // that differs from the first
	}{
		{"an answer", func(*rest.Exchange) {}, answered, nil},
		{"no operation", func(x *rest.Exchange) { x.Operation = nil }, answered, map[string]any{"operation": ""}},
		{"no sandbox", func(x *rest.Exchange) { x.Sandbox = nil }, answered, map[string]any{"sandbox": ""}},
		{"broken off", func(*rest.Exchange) {}, func(*rest.Exchange) error { panic(http.ErrAbortHandler) }, map[string]any{"status": 0.0, "bytes": 0.0, "durationMs": 0.0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				v := newVisit(http.MethodGet, "/pets%2F1?access_token=secret", http.Header{"X-Client": {"web"}})
				v.x.Client = "2001:db8::7"
				test.prepare(v.x)
				func() {
					defer func() {
						if p := recover(); p != nil && p != http.ErrAbortHandler {
							t.Errorf("panic: %v", p)
						}
					}()
					v.to(Log(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))), test.handle)
				}()
				want := map[string]any{
					"level": "DEBUG", "msg": "request", "id": "req-9", "sandbox": "default", "client": "2001:db8::7", "clientName": "web", "method": "GET", "path": "/pets%2F1",
					"operation": "listPets", "status": 201.0, "bytes": 5.0, "durationMs": 1.5,
				}
				for key, value := range test.want {
					want[key] = value
				}
				if diff := cmp.Diff(want, line(t, log.Bytes())); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		})
	}
}

func TestLogIsQuiet(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	newVisit(http.MethodGet, "/pets", nil).through(Log(slog.New(slog.NewJSONHandler(&log, nil)))).expectPassed(t)
	if log.Len() > 0 {
		t.Errorf("at level info it tells %s", &log)
	}
}
