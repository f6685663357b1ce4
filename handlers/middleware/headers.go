package middleware

import (
	"net/http"
	"strconv"
	"sync/atomic"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
)

// Responses share these header values, which must not be changed.
var (
	noCache       = []string{"no-cache"}
	nosniff       = []string{"nosniff"}
	ownOrigin     = []string{"same-origin"}
	closing       = []string{"close"}
	varyPreflight = []string{varies +
		", Access-Control-Request-Method, Access-Control-Request-Headers, Access-Control-Request-Private-Network"}
)

// varies lists the request headers that can change the response on nearly every path.
const varies = "Origin, Accept-Encoding, X-Sandbox, Prefer"

// Headers sets the headers that every response has:
//   - X-Request-Id: the client's id if it is fit for a log line, or else a new id. New ids contain
//     the numbers from 1 up, so that a second run assigns the same ids.
//   - Cache-Control (RFC 9111): caches must revalidate, because a reset can change every response.
//   - Vary (RFC 9110, section 12.5.5): all request headers that can change the response, even those
//     that the request does not have. [rest.Writer] removes the additional lines that links and
//     libraries add, because they only repeat names.
//   - X-Content-Type-Options.
//   - X-Petstore-Replica, if the server is one of several named replicas.
//   - Cross-Origin-Resource-Policy in the control plane, so that pages of other sites cannot embed
//     its responses.
//
// Headers closes the connection after a request with Transfer-Encoding. This is required if the
// request also has a Content-Length (RFC 9112, section 6.1), but net/http deletes that header
// before it calls a handler.
func Headers(replica string) rest.Link {
	var assigned atomic.Uint64
	named := []string{replica} // shared by all responses; must not be changed
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		admin := underAdmin(op.Path)
		vary := []string{varies} // shared by all responses; must not be changed
		if op.Vary != "" {
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
			if admin || op == rest.Unmatched && isAdmin(x) {
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

// loggable reports whether the id consists of 1 to 128 visible ASCII characters.
func loggable(id string) bool { return len(id) <= 128 && registry.ValidKey(id) }
