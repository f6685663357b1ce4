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

// MaxBody is the most bytes that a request's body may have, imports aside.
const MaxBody = 1 << 20

// bodyTimeout is how long a body may take to come, so that a client that stalls
// does not hold a connection for ever.
const bodyTimeout = 30 * time.Second

// The media types of bodies.
const (
	typeJSON  = "application/json"
	typePatch = "application/merge-patch+json" // RFC 7396
)

// Body is what an operation takes as the body of a request.
type Body struct {
	Max      int64 // bytes; 0: the operation takes none
	Optional bool  // whether it may be left out
	Import   bool  // whether it is a whole state, which needs more memory than a record
}

// Body returns the request's body: 415 unless it is JSON by its Content-Type,
// 413 when it is larger than the operation takes. A byte order mark at its beginning is left
// out. It may be called again, for the same. It is a 503 where the body took so long that
// [Exchange.CheckOwner] is one.
func (x *Exchange) Body() ([]byte, error) {
	if x.body == nil && x.bodyErr == nil {
		if x.bodyErr = x.checkMediaType(); x.bodyErr == nil {
			x.body, x.bodyErr = x.readBody(x.maxBody())
		}
	}
	return field.WithoutMark(x.body), cmp.Or(x.bodyErr, x.CheckOwner())
}

// OptionalBody is Body for one that may be left out; nil: it is. An empty body needs
// no Content-Type.
func (x *Exchange) OptionalBody() ([]byte, error) {
	if x.body == nil && x.R.ContentLength < 0 {
		// Chunked: only reading shows whether there is one.
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

// TakeBody reads what the operation takes as its body, so that a 415 or a 413 comes
// before the errors of later.
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
		return nil, tooLarge(limit) // before a client that waits for 100 Continue sends it
	}
	if err := x.checkLength(x.R.ContentLength); err != nil {
		return nil, err // likewise
	}
	size := min(x.R.ContentLength, 64<<10) // more when it is there, not when it is announced
	if size < 0 {
		size = 512
	}
	if err := x.reserveBody(size); err != nil {
		return nil, err
	}
	x.boundBody() // anew, since the request may have waited
	body := http.MaxBytesReader(x.W, x.R.Body, limit)
	data := make([]byte, 0, size+1) // one more than the body, so that its end shows in the same read
	for {
		n, err := body.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			// Only now: what is left of a body that broke off is not waited for either.
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

// boundBody gives the body of the request its time, whether or not anybody reads
// it: before it answers, net/http itself reads some of a body that nobody wants.
func (x *Exchange) boundBody() {
	if x.R.ContentLength != 0 {
		// What cannot have a deadline, such as a recorder, cannot hang.
		_ = http.NewResponseController(&x.Sent).SetReadDeadline(sandbox.Machine().Add(bodyTimeout))
	}
	if x.unwanted.Load() { // since a reader in another goroutine began
		x.dropBody()
	}
}

// dropBody ends the reading of the body, which nobody wants any more.
func (x *Exchange) dropBody() {
	x.unwanted.Store(true)
	_ = http.NewResponseController(&x.Sent).SetReadDeadline(time.Unix(1, 0))
}

// freeBody takes the time of the body away, which has come.
func (x *Exchange) freeBody() {
	_ = http.NewResponseController(&x.Sent).SetReadDeadline(time.Time{})
}

func tooLarge(limit int64) *Error {
	return Refuse("payload_too_large", fmt.Sprintf("the body is larger than the limit of %d bytes", limit))
}

// brokenBody is the answer to a body whose reading failed.
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

// checkMediaType refuses bodies that are not plain JSON in UTF-8 (RFC 9110,
// sections 8.3 and 8.4).
func (x *Exchange) checkMediaType() error {
	if coding := x.R.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return unsupported(fmt.Sprintf("Content-Encoding %s is not supported; send the body without it", field.Abbreviate(coding)), http.Header{"Accept-Encoding": {"identity"}})
	}
	sent, wanted := x.R.Header.Get("Content-Type"), typeJSON
	if x.R.Method == http.MethodPatch {
		wanted = typePatch
	}
	if sent == typeJSON || sent == wanted {
		return nil // what nearly every client sends, without parsing it
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

// unsupported is the answer to a body in a form that is not taken; accept says
// which is (RFC 9110, section 15.5.16).
func unsupported(message string, accept http.Header) *Error {
	e := Refuse("unsupported_media_type", message)
	e.Header = accept
	return e
}
