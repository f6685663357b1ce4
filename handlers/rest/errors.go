package rest

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// Error is an answer of status 400 or above.
type Error struct {
	Code    string   `json:"code"`    // for programs
	Message string   `json:"message"` // for a person: what was wrong and what to do
	Status  int      `json:"status"`
	Details []Detail `json:"details,omitzero"` // every field at fault

	Header http.Header `json:"-"` // sent along; nil: none
	Cause  error       `json:"-"` // for the log alone; nil: the error says all
}

// Detail is one field at fault.
type Detail = field.Problem

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// BadParameter is the answer to path, query or header values that do not parse.
func BadParameter(details ...Detail) *Error {
	return &Error{
		Status:  http.StatusBadRequest,
		Code:    "invalid_parameter",
		Message: summary(details),
		Details: details,
	}
}

// invalidBody is the answer to a body whose fields break the rules.
func invalidBody(details []Detail) *Error {
	return &Error{
		Status:  http.StatusBadRequest,
		Code:    "validation_failed",
		Message: summary(details),
		Details: details,
	}
}

// Invalid is the answer to one field that breaks a rule, by its JSON Pointer;
// empty is the whole body, which is no field.
func Invalid(pointer, message string) *Error {
	e := invalidBody([]Detail{{Field: pointer, Message: message}})
	if pointer == "" {
		e.Details = nil
	}
	return e
}

// summary names the first fault and says how many there are.
func summary(details []Detail) string {
	first := details[0].Message
	if field := strings.TrimPrefix(details[0].Field, "/"); field != "" {
		first = field + ": " + first
	}
	switch len(details) {
	case 1:
		return first
	case 2:
		return first + " (and one more fault, see details)"
	}
	return fmt.Sprintf("%s (and %d more faults, see details)", first, len(details)-1)
}

// NoRoute is the answer to a path that is none. nearest is the one there is that was
// most likely meant; empty: nobody can tell.
func (x *Exchange) NoRoute(nearest string) *Error {
	document := "/openapi.json"
	for _, path := range []string{x.Path, nearest} {
		if path == "/admin" || strings.HasPrefix(path, "/admin/") {
			document = "/admin/openapi.json"
		}
	}
	hint := ""
	if nearest != "" {
		hint = "did you mean " + short(x.URL(nearest)) + "? "
	}
	return &Error{
		Status:  http.StatusNotFound,
		Code:    "not_found",
		Message: fmt.Sprintf("there is nothing at %s; %s%s describes every path", short(x.URL(x.Path)), hint, short(x.URL(document))),
	}
}

// WrongMethod is the answer to a method that the path does not have.
func WrongMethod(method, path, allow string) *Error {
	return &Error{
		Status:  http.StatusMethodNotAllowed,
		Code:    "method_not_allowed",
		Message: fmt.Sprintf("%s does not answer %s; it answers %s", short(path), field.Abbreviate(method), allow),
		Header:  http.Header{"Allow": {allow}},
	}
}

// Unauthorized is the answer to a missing or wrong key (RFC 6750, section 3).
func Unauthorized(message, challenge string) *Error {
	return &Error{
		Status:  http.StatusUnauthorized,
		Code:    "unauthorized",
		Message: message,
		Header:  http.Header{"Www-Authenticate": {challenge}},
	}
}

// Forbidden is the answer to a request that may not be made from where it comes.
func Forbidden(message string) *Error {
	return &Error{Status: http.StatusForbidden, Code: "forbidden", Message: message}
}

// UnknownSandbox is the answer to a request that is about a sandbox that is not there
// and does not make it; explicit: since no request does.
func UnknownSandbox(title string, explicit bool) *Error {
	message := "no sandbox has the name %s; the first request to the service makes it, or PUT /admin/sandboxes/%s"
	if explicit {
		message = "no sandbox has the name %s, and requests make none (--explicit-sandboxes); make it with PUT /admin/sandboxes/%s"
	}
	return &Error{
		Status:  http.StatusNotFound,
		Code:    "unknown_sandbox",
		Message: fmt.Sprintf(message, field.Quote(title), url.PathEscape(title)),
	}
}

// Injected is the answer of a fault that somebody asked for.
func Injected(status int) *Error {
	e := &Error{
		Status:  status,
		Code:    injectedCode(status),
		Message: fmt.Sprintf("status %d was asked for, so the operation did not run", status),
	}
	switch status {
	case http.StatusUnauthorized:
		e.Header = http.Header{"Www-Authenticate": {`Bearer realm="petstore"`}}
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		e.Header = http.Header{"Retry-After": {"1"}}
	}
	return e
}

// interrupted is the answer to a request whose wait was cut short.
func interrupted() *Error {
	e := Injected(http.StatusServiceUnavailable)
	e.Message = "the sandbox was dropped or the server is stopping, so the request waits no longer and the operation did not run"
	return e
}

// injectedCode returns the code of a status: the one that the service gives it
// (where there are several, the most general), else its status text.
func injectedCode(status int) string {
	switch status {
	case http.StatusBadRequest:
		return "validation_failed"
	case http.StatusGone:
		return "operation_sunset"
	case http.StatusRequestEntityTooLarge:
		return "payload_too_large"
	case http.StatusUnprocessableEntity:
		return "unknown_category"
	case http.StatusTooManyRequests:
		return "rate_limited"
	case http.StatusInternalServerError:
		return "internal_error"
	case http.StatusServiceUnavailable:
		return "unavailable"
	case http.StatusInsufficientStorage:
		return "sandbox_full"
	}
	text := http.StatusText(status)
	if text == "" {
		return fmt.Sprintf("status_%d", status)
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '_'
		case r == '\'':
			return -1
		}
		return r
	}, strings.ToLower(text))
}

// statuses are the answers to the store's errors.
var statuses = map[store.Code]int{
	store.NotFound:        http.StatusNotFound,
	store.UnknownCategory: http.StatusUnprocessableEntity,
	store.UnknownPet:      http.StatusUnprocessableEntity,
	store.CategoryInUse:   http.StatusConflict,
	store.Full:            http.StatusInsufficientStorage,
}

// sandboxErrors are the answers to what sandboxes and their registry refuse.
var sandboxErrors = map[error]struct {
	status int
	code   string
}{
	sandbox.ErrBadName:      {http.StatusBadRequest, "invalid_parameter"},
	sandbox.ErrLimit:        {http.StatusServiceUnavailable, "sandbox_limit_reached"},
	sandbox.ErrExists:       {http.StatusConflict, "conflict"},
	sandbox.ErrDefault:      {http.StatusConflict, "conflict"},
	sandbox.ErrHistory:      {http.StatusConflict, "conflict"},
	sandbox.ErrUnknown:      {http.StatusNotFound, "not_found"},
	sandbox.ErrNoFault:      {http.StatusNotFound, "not_found"},
	sandbox.ErrFaultsFull:   {http.StatusInsufficientStorage, "sandbox_full"},
	sandbox.ErrNoSnapshot:   {http.StatusNotFound, "not_found"},
	sandbox.ErrSnapshotFull: {http.StatusInsufficientStorage, "sandbox_full"},
}

// AsError returns the answer to any error. One that it does not know is a 500
// whose text tells nothing; its cause is for the log.
func AsError(err error) *Error {
	var answer *Error
	var refused *store.Error
	switch {
	case errors.As(err, &answer):
		return answer
	case errors.As(err, &refused) && statuses[refused.Code] != 0:
		e := &Error{Status: statuses[refused.Code], Code: string(refused.Code), Message: refused.Message}
		if refused.Field != "" {
			e.Details = []Detail{{Field: "/" + refused.Field, Message: refused.Message}}
		}
		return e
	case errors.Is(err, sandbox.ErrKeyReused):
		return &Error{
			Status:  http.StatusUnprocessableEntity,
			Code:    "idempotency_key_reused",
			Message: "this Idempotency-Key came before with another body; use a new key for a new request",
			Details: []Detail{{Field: "Idempotency-Key", Message: "came before with another body"}},
		}
	case errors.Is(err, sandbox.ErrKeyInUse):
		return &Error{
			Status:  http.StatusConflict,
			Code:    "conflict",
			Message: "the first request with this Idempotency-Key is still running; wait for its answer and send this one again",
		}
	}
	for refusal, answer := range sandboxErrors {
		if errors.Is(err, refusal) {
			return &Error{Status: answer.status, Code: answer.code, Message: err.Error()}
		}
	}
	return &Error{
		Status:  http.StatusInternalServerError,
		Code:    "internal_error",
		Message: "the server failed to answer; its log names the cause under this answer's X-Request-Id",
		Cause:   err,
	}
}

// Fail writes the answer to an error, which must come before anything was sent.
func (x *Exchange) Fail(e *Error) {
	header := x.W.Header()
	for name, values := range e.Header {
		header[name] = values
	}
	if err := x.JSON(e.Status, e); err != nil {
		panic(err) // an Error always encodes
	}
}

// short keeps a path that an error repeats to a line.
func short(path string) string {
	const most = 200
	if len(path) <= most {
		return path
	}
	return path[:most] + "…"
}
