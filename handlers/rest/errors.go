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

// Error is an answer of status 400 or above.
type Error struct {
	Code    string         `json:"code"`    // for programs
	Message string         `json:"message"` // for a person: what was wrong and what to do
	Status  int            `json:"status"`
	Details field.Problems `json:"details,omitzero"` // every field that is wrong

	Header http.Header `json:"-"` // sent along; nil: none
	Cause  error       `json:"-"` // for the log alone; nil: the error says all

	Injected bool `json:"-"` // whether somebody asked for it
}

// codes are those of the answers, each with its status. Of several codes of one
// status the first is the most general.
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

// Refuse returns the answer of a code, which must be one of those there are.
func Refuse(code, message string, details ...field.Problem) *Error {
	for _, c := range codes {
		if c.code == code {
			return &Error{Status: c.status, Code: code, Message: message, Details: details}
		}
	}
	panic("rest: no answer has the code " + code)
}

// With returns the error with a header more to send along.
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

// BadParameter is the answer to a path, query or header value that does not parse.
func BadParameter(detail field.Problem) *Error {
	return badInput("invalid_parameter", &field.Reading{Problems: field.Problems{detail}})
}

// maxDetails is how many details an answer lists, however much is wrong.
const maxDetails = 32

// badInput is the answer of the code to an input in which something is wrong.
func badInput(code string, r *field.Reading) *Error {
	first := r.Problems[0].Message
	if field := strings.TrimPrefix(r.Problems[0].Field, "/"); field != "" {
		first = field + ": " + first
	}
	listed := r.Problems[:min(len(r.Problems), maxDetails)]
	return Refuse(code, first+others(len(r.Problems), r.More), listed...)
}

// others says how many errors an answer has besides the first, and how many of them its
// details do not list; more: at n of them reading stopped.
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

// Invalid is the answer to one field that breaks a rule, by its JSON Pointer;
// empty is the whole body, which is no field.
func Invalid(pointer, message string) *Error {
	e := badInput("validation_failed", &field.Reading{Problems: field.Problems{{Field: pointer, Message: message}}})
	if pointer == "" {
		e.Details = nil
	}
	return e
}

// WrongMethod is the answer to a method that the path does not have.
func WrongMethod(method, path, allow string) *Error {
	return Refuse("method_not_allowed", fmt.Sprintf("%s does not allow %s; it allows %s", short(path), field.Abbreviate(method), allow)).With("Allow", allow)
}

// Forbidden is the answer to a request that may not be made from where it comes.
func Forbidden(message string) *Error { return Refuse("forbidden", message) }

// Unauthorized is the answer to a missing or wrong key (RFC 6750, section 3).
func Unauthorized(message, challenge string) *Error {
	return Refuse("unauthorized", message).With("WWW-Authenticate", challenge)
}

// AsError returns the answer to any error. One that it does not know is a 500
// whose text tells nothing; its cause is for the log.
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
				answer.With("Retry-After", "10") // then another one may be idle for long enough
			}
			return answer
		}
	}
	e := Refuse("internal_error", "something went wrong in the server; its log has the cause under this response's X-Request-Id")
	e.Cause = err
	return e
}

// badFile is the answer to a body that is a fixture file with problems, each at its
// place.
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

// Fail writes the answer to an error, which must come before anything was sent.
func (x *Exchange) Fail(e *Error) {
	header := x.W.Header()
	for name, values := range e.Header {
		header[name] = values
	}
	unpromised := func(int64) error { return nil } // what is wrong is told, above all that there is no memory
	if err := x.encoded(e.Status, e, unpromised); err != nil {
		panic(err) // an Error always encodes
	}
}
