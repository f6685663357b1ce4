package middleware

import (
	"maps"
	"net/http"
	"strconv"
	"sync/atomic"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
)

// varies lists the request headers that can change the response on nearly every path.
// variesPreflight lists those that can change the response to OPTIONS.
const (
	varies          = "Origin, Accept-Encoding, X-Sandbox, Prefer"
	variesPreflight = varies +
		", Access-Control-Request-Method, Access-Control-Request-Headers, Access-Control-Request-Private-Network"
)

// maxID is the maximum length of a client's X-Request-Id, in bytes.
const maxID = 128

// Headers sets the headers that do not depend on the result of the operation:
//   - X-Request-Id: the client's id if it consists of 1 to 128 visible ASCII characters, or else a
//     new id. New ids contain the numbers from 1 up, so that a second run assigns the same ids.
//   - Cache-Control (RFC 9111): caches must revalidate, because a reset can change every response.
//   - Vary (RFC 9110, section 12.5.5): all request headers that can change the response, even those
//     that the request does not have. [rest.Writer] removes the additional lines that links and
//     libraries add, because they only repeat names.
//   - X-Content-Type-Options.
//   - X-Petstore-Replica, if the server is one of several named replicas.
//   - Cross-Origin-Resource-Policy in the control plane, so that pages of other sites cannot embed
//     its responses.
//   - The lifecycle headers of an operation; see announce.
//
// Headers closes the connection after a request with Transfer-Encoding. This is required if the
// request also has a Content-Length (RFC 9112, section 6.1), but net/http deletes that header
// before it calls a handler.
func Headers(replica string) rest.Link {
	var assigned atomic.Uint64
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		fixed := http.Header{ // shared by all responses; the values must not be changed
			"Cache-Control":          {"no-cache"},
			"Vary":                   {varies},
			"X-Content-Type-Options": {"nosniff"},
		}
		if op.Vary != "" {
			fixed.Set("Vary", varies+", "+op.Vary)
		}
		if underAdmin(op.Path) {
			fixed.Set("Cross-Origin-Resource-Policy", "same-origin")
		}
		if replica != "" {
			fixed.Set("X-Petstore-Replica", replica)
		}
		initial := newAnnouncement(op.ID, &op.Lifecycle)
		return func(x *rest.Exchange) error {
			ids := x.R.Header["X-Request-Id"]
			if len(ids) == 1 && len(ids[0]) <= maxID && registry.ValidKey(ids[0]) {
				x.ID = ids[0]
			} else {
				x.ID = string(strconv.AppendUint([]byte("req-"), assigned.Add(1), 10))
			}
			x.SetHeader("X-Request-Id", x.ID)
			maps.Copy(x.W.Header(), fixed)
			if x.R.Method == http.MethodOptions {
				x.SetHeader("Vary", variesPreflight)
			}
			if op == rest.Unmatched && isAdmin(x) {
				x.SetHeader("Cross-Origin-Resource-Policy", "same-origin")
			}
			if x.R.ProtoMajor == 1 && len(x.R.TransferEncoding) > 0 {
				x.SetHeader("Connection", "close")
			}
			if op.ID != "" {
				announce(x, initial)
			}
			return next(x)
		}
	}
}
