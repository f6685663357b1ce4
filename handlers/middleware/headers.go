package middleware

import (
	"net/http"
	"strconv"
	"sync/atomic"

	"example.com/petstore/handlers/rest"
)

// Header values that all responses share. They must not be changed.
var (
	noCache       = []string{"no-cache"}
	nosniff       = []string{"nosniff"}
	ownOrigin     = []string{"same-origin"}
	closing       = []string{"close"}
	varyPreflight = []string{varies + ", Access-Control-Request-Method, Access-Control-Request-Headers, Access-Control-Request-Private-Network"}
)

// varies lists the request headers that can change the response at nearly every address.
const varies = "Origin, Accept-Encoding, X-Sandbox, Prefer"

// Headers sets the headers that every response has:
//   - X-Request-Id: the client's, or a number if the client sent none or one unfit for a log line.
//     The numbers count up from 1, so that a second run has the same ones.
//   - Cache-Control (RFC 9111): caches must revalidate, because a reset changes every response.
//   - Vary (RFC 9110, section 12.5.5): all request headers that can change the response, even if
//     the request does not have them. Links and libraries add lines that repeat parts of it;
//     [rest.Writer] removes those.
//   - X-Content-Type-Options.
//   - X-Petstore-Replica, if the server is one of several named replicas.
//   - Cross-Origin-Resource-Policy in the control plane, so that pages from other sites cannot
//     embed its responses.
//
// Headers closes the connection after a request with Transfer-Encoding. If the request also had a
// Content-Length, this is required (RFC 9112, section 6.1), and net/http deletes the Content-Length
// before it calls a handler.
func Headers(replica string) rest.Link {
	var assigned atomic.Uint64
	named := []string{replica} // shared by all responses; must not be changed
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		admin := op != nil && underAdmin(op.Path)
		vary := []string{varies} // shared by all responses; must not be changed
		if op != nil && op.Vary != "" {
			vary = []string{varies + ", " + op.Vary}
		}
		return rest.Before(func(x *rest.Exchange) error {
			if ids := x.R.Header["X-Request-Id"]; len(ids) == 1 && loggable(ids[0]) {
				x.ID = ids[0]
			} else {
				x.ID = string(strconv.AppendUint([]byte("req-"), assigned.Add(1), 10))
			}
			x.SetHeader("X-Request-Id", x.ID)
			header := x.W.Header()
			header["Cache-Control"] = noCache
			header["Vary"] = vary
			if x.R.Method == http.MethodOptions {
				header["Vary"] = varyPreflight
			}
			header["X-Content-Type-Options"] = nosniff
			if admin || op == nil && isAdmin(x) {
				header["Cross-Origin-Resource-Policy"] = ownOrigin
			}
			if replica != "" {
				header["X-Petstore-Replica"] = named
			}
			if x.R.ProtoMajor == 1 && len(x.R.TransferEncoding) > 0 {
				header["Connection"] = closing
			}
			return nil
		}, next)
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
