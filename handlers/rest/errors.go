package rest

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// Error is a response with a status of 400 or above.
type Error struct {
	Code    string         `json:"code"`    // for programs
	Message string         `json:"message"` // for people: what was wrong and what to do
	Status  int            `json:"status"`
	Details field.Problems `json:"details,omitzero"` // one for each wrong field

	Header http.Header `json:"-"` // additional headers, or nil
	Cause  error       `json:"-"` // only for the log, or nil

	Injected bool `json:"-"` // a client asked for this error
}

// codes lists the error codes and their statuses. Of the codes with a status, the most general
// comes first.
var codes = []struct {
	code   string
	status int
}{
	{"validation_failed", http.StatusBadRequest},
	{"invalid_json", http.StatusBadRequest},
	{"invalid_parameter", http.StatusBadRequest},
	{"unauthorized", http.StatusUnauthorized},
	{"forbidden", http.StatusForbidden},
	{"not_found", http.StatusNotFound},
	{"unknown_sandbox", http.StatusNotFound},
	{"method_not_allowed", http.StatusMethodNotAllowed},
	{"conflict", http.StatusConflict},
	{"category_in_use", http.StatusConflict},
	{"operation_sunset", http.StatusGone},
	{"precondition_failed", http.StatusPreconditionFailed},
	{"payload_too_large", http.StatusRequestEntityTooLarge},
	{"unsupported_media_type", http.StatusUnsupportedMediaType},
	{"unknown_category", http.StatusUnprocessableEntity},
	{"unknown_pet", http.StatusUnprocessableEntity},
	{"idempotency_key_reused", http.StatusUnprocessableEntity},
	{"rate_limited", http.StatusTooManyRequests},
	{"too_many_header_lines", http.StatusRequestHeaderFieldsTooLarge},
	{"internal_error", http.StatusInternalServerError},
	{"unavailable", http.StatusServiceUnavailable},
	{"sandbox_limit_reached", http.StatusServiceUnavailable},
	{"server_full", http.StatusServiceUnavailable},
	{"sandbox_full", http.StatusInsufficientStorage},
}

// Refuse returns the response with the code, which must be in codes.
func Refuse(code, message string, details ...field.Problem) *Error {
	for _, c := range codes {
		if c.code == code {
			return &Error{Status: c.status, Code: code, Message: message, Details: details}
		}
	}
	panic("rest: no answer has the code " + code)
}

// With returns a copy of the error with another header.
func (e *Error) With(name, value string) *Error {
	if e.Header == nil {
		e.Header = make(http.Header)
	}
	e.Header.Set(name, value)
	return e
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// BadParameter returns the response to a malformed path, query or header value.
func BadParameter(detail field.Problem) *Error {
	return badInput("invalid_parameter", &field.Reading{Problems: field.Problems{detail}})
}

// maxDetails bounds the details in a response.
const maxDetails = 32

// badInput returns the response to an input with problems.
func badInput(code string, r *field.Reading) *Error {
	first := r.Problems[0].Message
	if field := strings.TrimPrefix(r.Problems[0].Field, "/"); field != "" {
		first = field + ": " + first
	}
	listed := r.Problems[:min(len(r.Problems), maxDetails)]
	return Refuse(code, first+others(len(r.Problems), r.More), listed...)
}

// others says how many problems there are besides the first and how many details leaves out. more
// means that reading stopped at n problems.
func others(n int, more bool) string {
	atLeast := ""
	if more {
		atLeast = "more than "
	}
	switch {
	case n > maxDetails:
		return fmt.Sprintf(" (and %s%d more errors; details has the first %d and leaves out %s%d)", atLeast, n-1, maxDetails, atLeast, n-maxDetails)
	case n > 2:
		return fmt.Sprintf(" (and %d more errors, see details)", n-1)
	case n == 2:
		return " (and one more error, see details)"
	}
	return ""
}

// Invalid returns the response to one invalid field, given by its JSON Pointer; "" is the whole
// body.
func Invalid(pointer, message string) *Error {
	e := badInput("validation_failed", &field.Reading{Problems: field.Problems{{Field: pointer, Message: message}}})
	if pointer == "" {
		e.Details = nil
	}
	return e
}

// WrongMethod returns the response to a method that the path does not have.
func WrongMethod(method, path, allow string) *Error {
	return Refuse("method_not_allowed", fmt.Sprintf("%s does not allow %s; it allows %s", short(path), field.Abbreviate(method), allow)).With("Allow", allow)
}

// Forbidden returns the response to a request from a place that is not allowed.
func Forbidden(message string) *Error { return Refuse("forbidden", message) }

// Unauthorized returns the response to a missing or wrong key (RFC 6750, section 3).
func Unauthorized(message, challenge string) *Error {
	return Refuse("unauthorized", message).With("WWW-Authenticate", challenge)
}

// AsError converts any error to a response. Unknown errors become a 500 with generic text; their
// cause is logged.
func AsError(err error) *Error {
	if answer, ok := errors.AsType[*Error](err); ok {
		return answer
	}
	if refused, ok := errors.AsType[*store.Error](err); ok {
		if known, ok := refusals[refused.Code]; ok {
			message := refused.Message + Advice(refused)
			if refused.Field == "" {
				return Refuse(known.code, message)
			}
			return Refuse(known.code, message, field.Problem{Field: refused.Field, Message: message})
		}
	}
	if problems, ok := errors.AsType[fixtures.Problems](err); ok {
		return badFile(problems)
	}
	if full, ok := errors.AsType[memory.Full](err); ok {
		return serverFull(full)
	}
	switch {
	case errors.Is(err, sandbox.ErrKeyReused):
		return Refuse("idempotency_key_reused", "this Idempotency-Key was already used with another body; use a new key for a new request",
			field.Problem{Field: "Idempotency-Key", Message: "was already used with another body"})
	case errors.Is(err, sandbox.ErrKeyInUse):
		return Refuse("conflict", "the first request with this Idempotency-Key is still running; wait for its response, then send this one again")
	}
	for refused, known := range sandboxRefusals {
		if errors.Is(err, refused) {
			answer := Refuse(known.code, err.Error()+known.advice)
			if refused == sandbox.ErrLimit {
				answer.With("Retry-After", "10") // by then, another sandbox may have been idle long enough
			}
			return answer
		}
	}
	e := Refuse("internal_error", "something went wrong in the server; its log has the cause under this response's X-Request-Id")
	e.Cause = err
	return e
}

// badFile returns the response to a fixture file with problems, each with its place.
func badFile(problems fixtures.Problems) *Error {
	if fixtures.Broken(problems[0].Field) {
		return Refuse("invalid_json", problems[0].String())
	}
	told := problems[:min(len(problems), field.MaxProblems)]
	e := Refuse("validation_failed", problems[0].String()+others(len(told), len(problems) > len(told)))
	for _, problem := range told[:min(len(told), maxDetails)] {
		if problem.Field = fixtures.Pointer(problem.Field); problem.Field != "" {
			e.Details = append(e.Details, problem)
		}
	}
	return e
}

// Fail writes an error response. Nothing must have been sent before.
func (x *Exchange) Fail(e *Error) {
	header := x.W.Header()
	for name, values := range e.Header {
		header[name] = values
	}
	unpromised := func(int64) error { return nil } // send errors even without memory, above all the one that reports it
	if err := x.encoded(e.Status, e, unpromised); err != nil {
		panic(err) // impossible: an Error can always be encoded
	}
}
