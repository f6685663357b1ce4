package middleware

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// AnswerErrors writes a response for every error and panic of next, except for a panic with
// http.ErrAbortHandler. It aborts the connection instead if the response has started or the client
// has disconnected. It logs the causes of 5xx responses, with the request's id. It counts refusals
// that report an exceeded limit, except injected errors and the errors of health checks and of
// requests without an operation.
func AnswerErrors(log *slog.Logger, requests *metrics.Requests) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		counts := op != rest.Unmatched && op.Kind != rest.Health
		return func(x *rest.Exchange) error {
			err := recovering(next, x)
			if err == nil {
				return nil
			}
			if gone := x.R.Context().Err(); gone != nil && errors.Is(err, gone) {
				x.Sent.Abort() // the client has disconnected, which is not an error
			}
			answer := rest.AsError(err)
			if counts && !answer.Injected {
				requests.Refuse(answer.Code)
			}
			if answer.Status >= http.StatusInternalServerError && answer.Cause != nil {
				log.Error("request failed", "id", x.Keys.Redact(x.ID), "method", field.Abbreviate(x.R.Method), "path",
					loggedPath(x), "cause", answer.Cause)
			}
			if x.Sent.Status != 0 {
				// The response has started, so the client can notice the error only if the
				// connection is aborted.
				x.Sent.Abort()
			}
			x.Fail(answer)
			return nil
		}
	}
}

// recovering calls next and returns a panic as an error. It passes on http.ErrAbortHandler, which
// aborts a connection on purpose.
func recovering(next rest.Handler, x *rest.Exchange) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler {
				panic(p)
			}
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return next(x)
}
