package middleware

import (
	"net/http"

	"example.com/petstore/handlers/rest"
)

// Header values that all responses share. They never change.
var (
	noCache = []string{"no-cache"}

	vary          = []string{varies}
	varyPreflight = []string{varies + ", Access-Control-Request-Method, Access-Control-Request-Headers, Access-Control-Request-Private-Network"}
)

// varies lists the request headers that can change the response at nearly every address.
const varies = "Origin, Accept-Encoding, X-Sandbox, Prefer"

// Caching sets Cache-Control (RFC 9111), so that caches revalidate every response, because a reset
// changes all of them. It sets Vary (RFC 9110, section 12.5.5) to all request headers that can
// change the response, sent or not. Links and libraries below add lines that repeat parts of it;
// [rest.Writer] removes those.
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
