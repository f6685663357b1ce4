package rest

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"

	"example.com/petstore/store/field"
)

// MaxBody is the maximum size of a request body, in bytes, except for imports.
const MaxBody = 1 << 20

// Media types of bodies.
const (
	typeJSON  = "application/json"
	typePatch = "application/merge-patch+json" // RFC 7396
)

// Body describes the request body of an operation.
type Body struct {
	Max      int64 // maximum size in bytes; 0 means no body
	Optional bool  // the body may be missing
	Import   bool  // the body is a whole state or world; reading it needs more memory per byte than reading a record
}

// Body returns the request's body without a byte order mark. If the body is optional and missing or
// empty, Body returns nil, and the request needs no Content-Type. The error is a 415, a 413, a 400
// for an incomplete or malformed body, a [memory.Full], or the 503 of [Exchange.CheckTarget]. Later
// calls do not read the body again.
func (x *Exchange) Body() ([]byte, error) {
	if x.Operation.Body.Optional {
		if x.R.ContentLength < 0 {
			_ = x.readBody() // only this shows whether a chunked body is empty
		}
		if x.R.ContentLength == 0 || x.body.whole != nil && len(x.body.whole) == 0 {
			return nil, x.CheckTarget()
		}
	}
	err := x.checkMediaType()
	if err == nil {
		err = x.readBody()
	}
	return field.WithoutMark(x.body.whole), cmp.Or(err, x.CheckTarget())
}

// TakeBody reads the request's body if the operation has one. It is called early, so that a 415 or
// 413 takes precedence over later errors.
func (x *Exchange) TakeBody() error {
	if x.Operation.Body.Max == 0 {
		return nil
	}
	_, err := x.Body()
	return err
}

func tooLarge(limit int64) *Error {
	return Refuse("payload_too_large", fmt.Sprintf("the body is larger than the limit of %d bytes", limit))
}

// brokenBody returns the response to a body that could not be read.
func (x *Exchange) brokenBody(cause error) *Error {
	chunked := slices.Contains(x.R.TransferEncoding, "chunked")
	_, interrupted := errors.AsType[net.Error](cause)
	message := fmt.Sprintf("the body is incomplete; send as many bytes as Content-Length says, within %v", bodyTimeout)
	switch {
	case chunked && !interrupted && !errors.Is(cause, io.ErrUnexpectedEOF):
		message = "the chunked body is malformed; begin each chunk with its length in hexadecimal, and end " +
			"with an empty one (RFC 9112, section 7.1)"
	case chunked:
		message = fmt.Sprintf("the body is incomplete; send every chunk and the empty one at the end, within %v",
			bodyTimeout)
	}
	e := Refuse("invalid_json", message)
	e.Cause = cause
	return e
}

// checkMediaType returns a 415 unless the headers describe the body as JSON in UTF-8 without a
// content coding (RFC 9110, sections 8.3 and 8.4). In a PATCH, the body may also be a merge patch.
func (x *Exchange) checkMediaType() error {
	if coding := x.R.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return unsupported(fmt.Sprintf("Content-Encoding %s is not supported; send the body without it",
			field.Abbreviate(coding)), http.Header{"Accept-Encoding": {"identity"}})
	}
	sent, wanted := x.R.Header.Get("Content-Type"), typeJSON
	if x.R.Method == http.MethodPatch {
		wanted = typePatch
	}
	if sent == typeJSON || sent == wanted {
		return nil // the usual values need no parsing
	}
	accept := http.Header{"Accept": {typeJSON}}
	if wanted == typePatch {
		types := []string{typePatch + ", " + typeJSON}
		accept = http.Header{"Accept": types, "Accept-Patch": types} // RFC 5789, section 3.1
	}
	if sent == "" {
		return unsupported("the Content-Type header is missing; send Content-Type: "+wanted, accept)
	}
	media, params, err := mime.ParseMediaType(sent)
	if err != nil || media != typeJSON && media != wanted {
		return unsupported(fmt.Sprintf("Content-Type %s is not supported; send Content-Type: %s",
			field.Abbreviate(sent), wanted), accept)
	}
	if charset := params["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		return unsupported(fmt.Sprintf("charset %s is not supported; send the body in UTF-8, with Content-Type: %s",
			field.Abbreviate(charset), wanted), accept)
	}
	return nil
}

// unsupported returns a 415. accept has the headers that list the supported media types or codings
// (RFC 9110, section 15.5.16).
func unsupported(message string, accept http.Header) *Error {
	e := Refuse("unsupported_media_type", message)
	e.Header = accept
	return e
}
