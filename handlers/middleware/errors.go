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

// AnswerErrors writes the response to every error of next and to every panic. It logs the causes
// that the response does not show, under the request's id, and counts refusals by a bound, except
// injected ones and the health of a server that is about to stop.
func AnswerErrors(log *slog.Logger, requests *metrics.Requests) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		counts := op != nil && op.Kind != rest.Health
		return func(x *rest.Exchange) error {
			err := recovering(next, x)
			if err == nil {
				return nil
			}
			if gone := x.R.Context().Err(); gone != nil && errors.Is(err, gone) {
				panic(http.ErrAbortHandler) // the client has gone, and nothing is wrong
			}
			answer := rest.AsError(err)
			if counts && !answer.Injected {
				requests.Refuse(answer.Code)
			}
			if answer.Status >= http.StatusInternalServerError && answer.Cause != nil {
				log.Error("request failed", "id", x.Keys.Redact(x.ID), "method", field.Abbreviate(x.R.Method), "path", loggedPath(x), "cause", answer.Cause)
			}
			if x.Started() {
				// The response has begun: only an aborted connection shows the error.
				panic(http.ErrAbortHandler)
			}
			x.Fail(answer)
			return nil
		}
	}
}

// recovering returns a panic of next as an error. http.ErrAbortHandler passes, because it aborts a
// connection on purpose.
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

// NotFound handles requests without an operation: OPTIONS returns the path's methods, other
// requests get 404 for the path or 405 for the method. guess returns the known path nearest to an
// unknown one and the prefix that a proxy may have added; either may be empty.
func NotFound(guess func(path string) (nearest, added string)) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		if op != nil {
			return next
		}
		return func(x *rest.Exchange) error {
			switch {
			case x.Allow == "":
				return x.NoRoute(guess(x.Path))
			case x.R.Method == http.MethodOptions:
				x.SetHeader("Allow", x.Allow)
				return x.NoContent()
			}
			return rest.WrongMethod(x.R.Method, x.Path, x.Allow)
		}
	}
}
