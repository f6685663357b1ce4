package middleware

import (
	"net/http"

	"example.com/petstore/handlers/rest"
)

// What caches are told; shared by all answers and never changed.
var (
	noCache = []string{"no-cache"}

	vary          = []string{varies}
	varyPreflight = []string{varies + ", Access-Control-Request-Method, Access-Control-Request-Headers, Access-Control-Request-Private-Network"}
)

// varies are the request headers that can change the answer at nearly every address.
const varies = "Origin, Accept-Encoding, X-Sandbox, Prefer"

// Caching tells caches (RFC 9111) to ask before they show an answer again, since a
// reset changes all of them, and by Vary (RFC 9110, section 12.5.5) what an answer
// hangs on, whether it was sent or not. The links and libraries behind it add lines
// that say a part of that again; [rest.Writer] leaves them out.
func Caching() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			header := x.W.Header()
			header["Cache-Control"] = noCache
			switch {
			case x.R.Method == http.MethodOptions:
				header["Vary"] = varyPreflight
			case x.Operation != nil && x.Operation.Vary != "":
				header["Vary"] = []string{varies + ", " + x.Operation.Vary}
			default:
				header["Vary"] = vary
			}
			return next(x)
		}
	}
}
