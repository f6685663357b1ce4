package middleware

import (
	"strconv"
	"sync/atomic"

	"example.com/petstore/handlers/rest"
)

// Values shared by all answers and never changed.
var (
	nosniff   = []string{"nosniff"}
	ownOrigin = []string{"same-origin"}
	closing   = []string{"close"}
)

// StandardHeaders sets X-Request-Id, X-Content-Type-Options and, where the server has a name
// among several, X-Petstore-Replica; for the control plane also Cross-Origin-Resource-Policy, so
// that pages of other sites cannot embed its responses. The id, which the
// exchange gets too, is the client's, or a number where the client sent none or one
// that could not stand in a log line. The numbers count up from 1, so that a second
// run makes the same ones.
//
// A request with Transfer-Encoding is the last of its connection: if it had a
// Content-Length too, the connection must be closed (RFC 9112, 6.1), and net/http deletes
// that Content-Length before it calls a handler.
func StandardHeaders(replica string) rest.Link {
	var made atomic.Uint64
	named := []string{replica} // shared by all answers and never changed
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
