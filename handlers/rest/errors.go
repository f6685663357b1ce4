package rest

import (
	"fmt"
	"maps"
	"net/http"
	"strings"

	"example.com/petstore/store/field"
)

// Error is an error response. The response of a fault rule is also an Error, with any Status from
// 200 to 599.
type Error struct {
	Code    string         `json:"code"`    // for programs
	Message string         `json:"message"` // for people: what was wrong and what to do
	Status  int            `json:"status"`
	Details field.Problems `json:"details,omitzero"` // the problems with fields or parameters, at most maxDetails

	Header http.Header `json:"-"` // additional headers, or nil
	Cause  error       `json:"-"` // logged but not sent; may be nil

	Injected bool `json:"-"` // caused by a fault rule, a Prefer header or an interruption; not counted as a refusal
}

// With sets a header of the error and returns the error.
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

// BadParameter returns the response to an invalid path parameter, query parameter or header.
func BadParameter(name, message string) *Error {
	return badInput("invalid_parameter", &field.Reading{Problems: field.Problems{{Field: name, Message: message}}})
}

// maxDetails is the maximum number of details in a response.
const maxDetails = 32

// badInput returns the response to an input with the problems in r.
func badInput(code field.Code, r *field.Reading) *Error {
	listed := Advised(r.Problems[:min(len(r.Problems), maxDetails)], OnWire)
	first := listed[0]
	first.Field = strings.TrimPrefix(first.Field, "/")
	return Refuse(code, first.String()+countOthers(len(r.Problems), r.More), listed...)
}

// refusalFor is like badInput, but returns nil if there are no problems.
func refusalFor(code field.Code, r *field.Reading) error {
	if len(r.Problems) == 0 {
		return nil
	}
	return badInput(code, r)
}

// countOthers returns the end of a message. It says how many of the n problems follow the first,
// and how many problems the details omit. more means that reading stopped after n problems.
func countOthers(n int, more bool) string {
	atLeast := ""
	if more {
		atLeast = "more than "
	}
	switch {
	case n > maxDetails:
		return fmt.Sprintf(" (and %s%d more errors; details has the first %d and leaves out %s%d)", atLeast, n-1,
			maxDetails, atLeast, n-maxDetails)
	case n > 2:
		return fmt.Sprintf(" (and %d more errors, see details)", n-1)
	case n == 2:
		return " (and one more error, see details)"
	}
	return ""
}

// Invalid returns the response to one invalid field. pointer is the field's JSON Pointer, or "" for
// the whole body.
func Invalid(pointer, message string) *Error {
	e := badInput("validation_failed", &field.Reading{Problems: field.Problems{{Field: pointer, Message: message}}})
	if pointer == "" {
		e.Details = nil
	}
	return e
}

// WrongMethod returns the response to a method that the path does not allow.
func WrongMethod(method, path, allow string) *Error {
	return Refuse("method_not_allowed",
		fmt.Sprintf("%s does not allow %s; it allows %s", short(path), field.Abbreviate(method), allow)).
		With("Allow", allow)
}

// Forbidden returns a 403.
func Forbidden(message string) *Error { return Refuse("forbidden", message) }

// Unauthorized returns the response to a missing or wrong key (RFC 6750, section 3).
func Unauthorized(message, challenge string) *Error {
	return Refuse("unauthorized", message).With("WWW-Authenticate", challenge)
}

// Fail writes an error response. It must be called before any part of a response is sent.
func (x *Exchange) Fail(e *Error) {
	maps.Copy(x.W.Header(), e.Header)
	body, err := Encode(e)
	if err != nil {
		panic(err) // cannot happen: an Error can always be encoded
	}
	// Reserve no memory, because the error may report that no memory is left.
	_ = x.Reply(e.Status, typeJSON, append(body, '\n'))
}

// Injected returns the response for an injected fault. It sets the headers that the status requires
// (RFC 9110, section 15) and those that clients rely on.
func (x *Exchange) Injected(status int) *Error {
	e := &Error{
		Status:  status,
		Code:    injectedCode(status),
		Message: fmt.Sprintf("status %d was requested, so the operation did not run", status),

		Injected: true,
	}
	switch status {
	case http.StatusUnauthorized:
		e.With("WWW-Authenticate", `Bearer realm="petstore"`)
	case http.StatusMethodNotAllowed:
		e.With("Allow", x.Allow)
	case http.StatusProxyAuthRequired:
		e.With("Proxy-Authenticate", `Basic realm="petstore"`)
	case http.StatusUpgradeRequired:
		if x.R.ProtoMajor == 1 { // HTTP/2 and later have no such header
			e.With("Upgrade", "HTTP/2.0").With("Connection", "Upgrade")
		}
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		e.With("Retry-After", "1")
	}
	return e
}

// interrupted returns the 503 for a request that must not continue. why is the reason. outcome says
// whether the operation ran.
func (x *Exchange) interrupted(why error, outcome string) *Error {
	e := x.Injected(http.StatusServiceUnavailable)
	e.Message = why.Error() + " while the request waited" + outcome
	return e
}

// injectedCode returns the error code for a status: the most general code that the server uses with
// the status, or else the status text in snake case. If the status has no text, the code contains
// its number.
func injectedCode(status int) string {
	for _, known := range refusals {
		if known.status == status {
			return string(known.code)
		}
	}
	text := http.StatusText(status)
	if text == "" {
		return fmt.Sprintf("status_%d", status)
	}
	return strings.NewReplacer(" ", "_", "-", "_", "'", "").Replace(strings.ToLower(text))
}
