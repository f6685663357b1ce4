package middleware

import (
	"strconv"
	"sync/atomic"

	"example.com/petstore/handlers/rest"
)

// Header values that all responses share. They never change.
var (
	nosniff   = []string{"nosniff"}
	ownOrigin = []string{"same-origin"}
	closing   = []string{"close"}
)

// StandardHeaders sets X-Request-Id, X-Content-Type-Options, X-Petstore-Replica if the server has a
// name among several, and for the control plane Cross-Origin-Resource-Policy, so that pages of
// other sites cannot embed its responses. The id is the client's, or a number if the client sent
// none or one unfit for a log line. The numbers count up from 1, so a second run has the same ones.
//
// A request with Transfer-Encoding is the last of its connection: if it also had a Content-Length,
// the connection must be closed (RFC 9112, section 6.1), and net/http deletes that Content-Length
// before it calls a handler.
func StandardHeaders(replica string) rest.Link {
	var made atomic.Uint64
	named := []string{replica} // shared by all responses; never changes
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if ids := x.R.Header["X-Request-Id"]; len(ids) == 1 && loggable(ids[0]) {
				x.ID = ids[0]
			} else {
				x.ID = string(strconv.AppendUint([]byte("req-"), made.Add(1), 10))
			}
			x.SetHeader("X-Request-Id", x.ID)
			header := x.W.Header()
			header["X-Content-Type-Options"] = nosniff
			if isAdmin(x) {
				header["Cross-Origin-Resource-Policy"] = ownOrigin
			}
			if replica != "" {
				header["X-Petstore-Replica"] = named
			}
			if x.R.ProtoMajor == 1 && len(x.R.TransferEncoding) > 0 {
				header["Connection"] = closing
			}
			return next(x)
		}
	}
}

// loggable reports whether the id is 1 to 128 visible ASCII characters.
func loggable(id string) bool {
	if len(id) < 1 || len(id) > 128 {
		return false
	}
	for i := range len(id) {
		if id[i] <= ' ' || id[i] > '~' {
			return false
		}
	}
	return true
}
