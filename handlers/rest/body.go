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
	"time"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// MaxBody is the most bytes of a request body, except for imports.
const MaxBody = 1 << 20

// bodyTimeout bounds the time for receiving a body, so that a stalled client does not hold a
// connection forever.
const bodyTimeout = 30 * time.Second

// Media types of bodies.
const (
	typeJSON  = "application/json"
	typePatch = "application/merge-patch+json" // RFC 7396
)

// Body describes the request body of an operation.
type Body struct {
	Max      int64 // bytes; 0 means no body
	Optional bool  // the body may be missing
	Import   bool  // the body is a whole state, which needs more memory than a record
}

// Body returns the request's body without a byte order mark. It returns 415 unless the Content-Type
// is JSON, and 413 if the body is too large. Further calls return the same. If the body took so
// long that [Exchange.CheckOwner] fails, it returns that 503.
func (x *Exchange) Body() ([]byte, error) {
	if x.body == nil && x.bodyErr == nil {
		if x.bodyErr = x.checkMediaType(); x.bodyErr == nil {
			x.body, x.bodyErr = x.readBody(x.maxBody())
		}
	}
	return field.WithoutMark(x.body), cmp.Or(x.bodyErr, x.CheckOwner())
}

// OptionalBody is Body for a body that may be missing, which is nil. An empty body needs no
// Content-Type.
func (x *Exchange) OptionalBody() ([]byte, error) {
	if x.body == nil && x.R.ContentLength < 0 {
		// A chunked body may be empty, which only reading shows.
		body, err := x.readBody(x.maxBody())
		if err != nil {
			return nil, cmp.Or(x.checkMediaType(), err)
		}
		x.body = body
	}
	if x.R.ContentLength == 0 || x.body != nil && len(x.body) == 0 {
		return nil, x.CheckOwner()
	}
	if err := x.checkMediaType(); err != nil {
		return nil, err
	}
	return x.Body()
}

// TakeBody reads the operation's body, if it has one, so that 415 and 413 come before later errors.
func (x *Exchange) TakeBody() error {
	takes := x.Operation.Takes()
	var err error
	switch {
	case takes.Max == 0:
	case takes.Optional:
		_, err = x.OptionalBody()
	default:
		_, err = x.Body()
	}
	return err
}

func (x *Exchange) maxBody() int64 {
	if x.Operation == nil {
		return MaxBody
	}
	return x.Operation.Takes().Max
}

func (x *Exchange) readBody(limit int64) ([]byte, error) {
	if x.R.ContentLength > limit {
		return nil, tooLarge(limit) // before a client that waits for 100 Continue sends the body
	}
	if err := x.checkLength(x.R.ContentLength); err != nil {
		return nil, err // before a client that waits for 100 Continue sends the body
	}
	size := min(x.R.ContentLength, 64<<10) // grows with what arrives, not with what is announced
	if size < 0 {
		size = 512
	}
	if err := x.reserveBody(size); err != nil {
		return nil, err
	}
	x.boundBody() // again, because the request may have waited
	body := http.MaxBytesReader(x.W, x.R.Body, limit)
	data := make([]byte, 0, size+1) // one byte more, so that the last read also finds the end
	for {
		n, err := body.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			// Not earlier: net/http must not wait for the rest of a broken body.
			x.freeBody()
			return data, nil
		}
		x.keepStart(data)
		var over *http.MaxBytesError
		switch {
		case errors.As(err, &over):
			return nil, tooLarge(limit)
		case err != nil:
			return nil, x.brokenBody(err)
		}
		if len(data) == cap(data) {
			more := int64(len(data))
			if left := x.R.ContentLength + 1 - more; left > 0 {
				more = min(more, left)
			}
			if err := x.reserveBody(more); err != nil {
				return nil, err
			}
			data = append(make([]byte, 0, int64(len(data))+more), data...)
		}
	}
}

// boundBody sets the deadline of the body, even if nothing reads it: net/http itself reads a part
// of an unread body before it responds.
func (x *Exchange) boundBody() {
	if x.R.ContentLength != 0 {
		// A writer without deadlines, such as a recorder, cannot hang.
		_ = http.NewResponseController(&x.Sent).SetReadDeadline(sandbox.Machine().Add(bodyTimeout))
	}
	if x.unwanted.Load() { // set when a reader in another goroutine began
		x.dropBody()
	}
}

// dropBody stops reading the body, which is no longer needed.
func (x *Exchange) dropBody() {
	x.unwanted.Store(true)
	_ = http.NewResponseController(&x.Sent).SetReadDeadline(time.Unix(1, 0))
}

// freeBody removes the deadline of a body that has arrived.
func (x *Exchange) freeBody() {
	_ = http.NewResponseController(&x.Sent).SetReadDeadline(time.Time{})
}

func tooLarge(limit int64) *Error {
	return Refuse("payload_too_large", fmt.Sprintf("the body is larger than the limit of %d bytes", limit))
}

// brokenBody returns the response to a body that could not be read.
func (x *Exchange) brokenBody(cause error) *Error {
	chunked := slices.Contains(x.R.TransferEncoding, "chunked")
	_, interrupted := errors.AsType[net.Error](cause)
	var message string
	switch {
	case chunked && !interrupted && !errors.Is(cause, io.ErrUnexpectedEOF):
		message = "the chunked body is malformed; begin each chunk with its length in hexadecimal, and end with an empty one (RFC 9112, section 7.1)"
	case chunked:
		message = fmt.Sprintf("the body is incomplete; send every chunk and the empty one at the end, within %v", bodyTimeout)
	default:
		message = fmt.Sprintf("the body is incomplete; send as many bytes as Content-Length says, within %v", bodyTimeout)
	}
	e := Refuse("invalid_json", message)
	e.Cause = cause
	return e
}

// checkMediaType refuses bodies other than plain JSON in UTF-8 (RFC 9110, sections 8.3 and 8.4).
func (x *Exchange) checkMediaType() error {
	if coding := x.R.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return unsupported(fmt.Sprintf("Content-Encoding %s is not supported; send the body without it", field.Abbreviate(coding)), http.Header{"Accept-Encoding": {"identity"}})
	}
	sent, wanted := x.R.Header.Get("Content-Type"), typeJSON
	if x.R.Method == http.MethodPatch {
		wanted = typePatch
	}
	if sent == typeJSON || sent == wanted {
		return nil // the usual value, without parsing
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
		return unsupported(fmt.Sprintf("Content-Type %s is not supported; send Content-Type: %s", field.Abbreviate(sent), wanted), accept)
	}
	if charset := params["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		return unsupported(fmt.Sprintf("charset %s is not supported; send the body in UTF-8, with Content-Type: %s", field.Abbreviate(charset), wanted), accept)
	}
	return nil
}

// unsupported returns a 415. accept has the headers that name the supported forms (RFC 9110,
// section 15.5.16).
func unsupported(message string, accept http.Header) *Error {
	e := Refuse("unsupported_media_type", message)
	e.Header = accept
	return e
}
