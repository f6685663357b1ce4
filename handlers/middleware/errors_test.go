package middleware_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/middleware"
	"example.com/petstore/handlers/rest"
)

// answerErrors is the link with a log.
func answerErrors(log io.Writer) rest.Link {
	return middleware.AnswerErrors(slog.New(slog.NewTextHandler(log, nil)), metrics.NewRequests())
}

// run sends one exchange, whose id is req-1, through the link and returns the response and the
// log.
func run(t *testing.T, handle rest.Handler) (*httptest.ResponseRecorder, string) {
	t.Helper()
	var log bytes.Buffer
	recorder := httptest.NewRecorder()
	x := rest.NewExchange(new(rest.Server), recorder, httptest.NewRequest(http.MethodGet, "/pets", nil))
	x.ID = "req-1"
	if err := answerErrors(&log)(x.Operation, handle)(x); err != nil {
		t.Errorf("the error %v came out of the link that answers errors", err)
	}
	return recorder, log.String()
}

// TestCausesAreLoggedOnly checks that the cause of a failure is logged under the request's id and
// not sent to the client.
func TestCausesAreLoggedOnly(t *testing.T) {
	t.Parallel()
	for name, handle := range map[string]rest.Handler{
		"panic":          func(*rest.Exchange) error { panic("the secret cause") },
		"panic of error": func(*rest.Exchange) error { panic(errors.New("the secret cause")) },
		"runtime panic":  func(x *rest.Exchange) error { return []error{}[len(x.ID)] },
		"error":          func(*rest.Exchange) error { return errors.New("the secret cause") },
		"wrapped error":  func(*rest.Exchange) error { return fmt.Errorf("more: %w", errors.New("the secret cause")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			recorder, log := run(t, handle)
			var answer rest.Error
			must.Succeed(t, json.Unmarshal(recorder.Body.Bytes(), &answer))
			if recorder.Code != 500 || answer.Status != 500 || answer.Code != "internal_error" {
				t.Errorf("answer = %d %s", recorder.Code, recorder.Body)
			}
			if body := recorder.Body.String(); strings.Contains(body, "secret") || strings.Contains(body, "range") ||
				strings.Contains(body, ".go") {
				t.Errorf("the response has the cause: %s", body)
			}
			if !strings.Contains(log, "id=req-1") || !strings.Contains(log, "the secret cause") &&
				!strings.Contains(log, "index out of range") {
				t.Errorf("the log lacks the cause:\n%s", log)
			}
			if strings.Contains(name, "panic") && !strings.Contains(log, "errors_test.go") {
				t.Errorf("the log lacks the place of the panic:\n%s", log)
			}
		})
	}
}

// TestAborts checks that http.ErrAbortHandler passes through, both when a handler aborts on
// purpose and when it fails in the middle of its response.
func TestAborts(t *testing.T) {
	t.Parallel()
	for name, handle := range map[string]rest.Handler{
		"on purpose": func(*rest.Exchange) error { panic(http.ErrAbortHandler) },
		"half an answer, then an error": func(x *rest.Exchange) error {
			x.W.WriteHeader(http.StatusOK)
			return errors.New("cause")
		},
		"half an answer, then a panic": func(x *rest.Exchange) error {
			_, _ = x.W.Write([]byte("["))
			panic("cause")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if p := recover(); p != http.ErrAbortHandler {
					t.Errorf("panic = %v, want http.ErrAbortHandler", p)
				}
			}()
			run(t, handle)
			t.Error("it returned")
		})
	}
}

// TestErrorOfDisconnectedClient checks that the error of a disconnected client is not logged as a failure.
// The same error is a failure if the client is still connected.
func TestErrorOfDisconnectedClient(t *testing.T) {
	t.Parallel()
	for _, gone := range []bool{true, false} {
		var log bytes.Buffer
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		recorder := httptest.NewRecorder()
		x := rest.NewExchange(new(rest.Server), recorder,
			httptest.NewRequest(http.MethodGet, "/pets", nil).WithContext(ctx))
		aborted := func() (p any) {
			defer func() { p = recover() }()
			return answerErrors(&log)(rest.Unmatched, func(*rest.Exchange) error {
				if gone {
					leave()
				}
				return fmt.Errorf("reading: %w", context.Canceled)
			})(x)
		}() == http.ErrAbortHandler
		if aborted != gone || (log.Len() == 0) != gone || (recorder.Body.Len() == 0) != gone {
			t.Errorf("gone: %t; broken off: %t, log %q, answer %d %s", gone, aborted, &log, recorder.Code,
				recorder.Body)
		}
	}
	// Any other error is a failure even if the client has disconnected.
	ctx, leave := context.WithCancel(t.Context())
	leave()
	var log bytes.Buffer
	x := rest.NewExchange(new(rest.Server), httptest.NewRecorder(),
		httptest.NewRequest(http.MethodGet, "/pets", nil).WithContext(ctx))
	err := answerErrors(&log)(rest.Unmatched, func(*rest.Exchange) error { return errors.New("cause") })(x)
	if err != nil || log.Len() == 0 {
		t.Errorf("error %v, log %q", err, &log)
	}
}
