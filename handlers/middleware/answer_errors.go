package middleware

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// AnswerErrors writes the answer to every error that comes out of next, and to a
// panic. What the client is not told stands in the log under the request's id.
func AnswerErrors(log *slog.Logger) rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			err := recovering(next, x)
			if err == nil {
				return nil
			}
			if gone := x.R.Context().Err(); gone != nil && errors.Is(err, gone) {
				panic(http.ErrAbortHandler) // there is nobody to answer, and nothing is wrong
			}
			answer := rest.AsError(err)
			if answer.Status >= http.StatusInternalServerError && answer.Cause != nil {
				log.Error("request failed", "id", x.ID, "method", field.Abbreviate(x.R.Method), "path", field.Abbreviate(x.R.URL.EscapedPath()), "cause", answer.Cause)
			}
			if x.Started() {
				// Half an answer is out: only a broken connection tells the client.
				panic(http.ErrAbortHandler)
			}
			x.Fail(answer)
			return nil
		}
	}
}

// recovering returns a panic of next as an error. http.ErrAbortHandler passes: it
// is how a connection is broken off on purpose.
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
