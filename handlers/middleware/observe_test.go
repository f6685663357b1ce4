package middleware

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/rest"
)

// lines returns the samples of the counters that are not 0, durations aside.
func lines(requests *metrics.Requests) (all []string) {
	var b strings.Builder
	text := metrics.NewText(&b)
	requests.Write(text)
	_ = text.Flush() // a Builder takes everything
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") && !strings.HasSuffix(line, " 0") && !strings.Contains(line, "duration") {
			all = append(all, strings.TrimPrefix(line, "petstore_http_"))
		}
	}
	return all
}

// TestRequestsAreCounted is how a request ends, and what it is counted as.
func TestRequestsAreCounted(t *testing.T) {
	t.Parallel()
	table := []rest.Operation{{ID: "listPets"}, {ID: "streamEvents"}}
	pets := &rest.Operation{ID: "listPets"}
	noContent := func(x *rest.Exchange) error { return x.NoContent() }
	for want, test := range map[string]struct {
		op  *rest.Operation
		end rest.Handler
	}{
		`requests_total{operation="listPets",status="2xx"} 1`:     {pets, noContent},
		`requests_total{operation="listPets",status="aborted"} 1`: {pets, func(*rest.Exchange) error { panic(http.ErrAbortHandler) }},
		`requests_total{operation="data",status="2xx"} 1`:         {pets.AsData(), noContent},
		`requests_total{operation="other",status="4xx"} 1`:        {nil, func(x *rest.Exchange) error { x.W.WriteHeader(404); return nil }},
		`requests_total{operation="page",status="3xx"} 1`:         {new(rest.Operation), func(x *rest.Exchange) error { x.W.WriteHeader(308); return nil }},
	} {
		requests := metrics.NewRequests(MeasuredNames(table), MeasuredCodes())
		func() {
			defer func() { _ = recover() }()
			v := newVisit(http.MethodGet, "/pets", nil)
			v.x.Operation = test.op
			v.to(Observe(slog.New(slog.DiscardHandler), requests), func(x *rest.Exchange) error {
				if got := lines(requests); len(got) != 1 || got[0] != "requests_in_flight 1" {
					t.Errorf("while it runs: %q", got)
				}
				return test.end(x)
			})
		}()
		if got := lines(requests); len(got) != 1 || got[0] != want {
			t.Errorf("it is counted as %q, want %s", got, want)
		}
	}
}

// TestRefusalsAreCounted counts what there was no room for, and not what was asked to fail.
func TestRefusalsAreCounted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		kind rest.Kind
		err  func(x *rest.Exchange) error
		want string
	}{
		{rest.Service, func(*rest.Exchange) error { return rest.Refuse("server_full", "") }, `refusals_total{code="server_full"} 1`},
		{rest.Health, func(*rest.Exchange) error { return rest.Refuse("unavailable", "") }, ""},
		{rest.Service, func(x *rest.Exchange) error { return x.Injected(http.StatusServiceUnavailable) }, ""},
		{rest.Service, func(*rest.Exchange) error { return rest.Refuse("not_found", "") }, ""},
	} {
		requests := metrics.NewRequests(nil, MeasuredCodes())
		v := newVisit(http.MethodGet, "/pets", nil)
		v.x.Operation.Kind = test.kind
		v.to(AnswerErrors(slog.New(slog.DiscardHandler), requests), test.err)
		if got := strings.Join(lines(requests), " "); got != test.want {
			t.Errorf("it is counted as %q, want %q", got, test.want)
		}
	}
}

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
					v.to(Observe(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})), metrics.NewRequests(nil, nil)), test.handle)
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
	newVisit(http.MethodGet, "/pets", nil).through(Observe(slog.New(slog.NewJSONHandler(&log, nil)), metrics.NewRequests(nil, nil))).expectPassed(t)
	if log.Len() > 0 {
		t.Errorf("at level info it tells %s", &log)
	}
}
