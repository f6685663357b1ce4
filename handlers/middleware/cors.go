package middleware

import (
	"net/http"
	"slices"

	"github.com/rs/cors"

	"example.com/petstore/handlers/rest"
)

// exposed lists the response headers that scripts of other origins may read, in addition to a few
// that browsers always let them read, such as Content-Type (Fetch, section 2.2.2).
var exposed = []string{
	"Accept", "Accept-Encoding", "Accept-Patch", "Allow", "Deprecation", "ETag", "Idempotency-Replayed", "Link",
	"Location", "Preference-Applied", "RateLimit", "RateLimit-Policy", "Retry-After", "Sunset", "Vary", "Warning",
	"WWW-Authenticate", "X-Accel-Buffering", "X-Content-Type-Options", "X-Petstore-Replica", "X-Request-Id",
	"X-Sandbox", "X-Stability", "X-Total-Count",
}

// CORS responds to preflight requests, and lets scripts from the given origins use the service. If
// origins is empty or contains "*", scripts from any origin may use it. Scripts from an unlisted
// origin can send credentials only if origins is empty and public is not set: behind a public URL,
// the credentials may be for a login page in front of the server. In the control plane, CORS
// instead accepts only the origins that trusted accepts, even for requests with a key.
func CORS(origins []string, public bool, trusted func(origin string) bool) rest.Link {
	policyFor := newPolicies(origins, public, trusted)
	return func(_ *rest.Operation, next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			from := x.R.Header["Origin"]
			// Apply no policy to several Origin headers, which no browser sends, or to /join,
			// which only the server's own page uses.
			if len(from) != 1 || from[0] == "" || x.Path == rest.JoinPath {
				return next(x)
			}
			policyFor(x).HandlerFunc(x.W, x.R)
			if x.R.Method == http.MethodOptions && x.R.Header.Get("Access-Control-Request-Method") != "" {
				return nil // a preflight request, to which the policy has responded
			}
			return next(x)
		}
	}
}

// newPolicies returns a function that returns the policy for a request. Where possible, a response
// names the script's origin, because some clients always send credentials, which browsers do not
// allow with * (Fetch, section 3.3.5). For the other accepted origins, such as "null", the response
// names *.
func newPolicies(origins []string, public bool,
	trusted func(origin string) bool) (policyFor func(*rest.Exchange) *cors.Cors) {
	options := cors.Options{
		AllowedMethods: []string{
			http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		},
		AllowedHeaders:   []string{"*"}, // the response lists the requested headers by name
		ExposedHeaders:   exposed,
		AllowCredentials: true,
		MaxAge:           600, // seconds
		AllowOriginFunc:  trusted,
	}
	admin := cors.New(options)
	options.AllowPrivateNetwork = true
	listed := slices.DeleteFunc(slices.Clone(origins), func(origin string) bool { return origin == "*" })
	options.AllowedOrigins, options.AllowOriginFunc = listed, nil
	if len(listed) == 0 {
		options.AllowOriginFunc = func(origin string) bool { return len(origins) == 0 && origin != "null" && !public }
	}
	named := cors.New(options) // the response names the script's origin
	others := named            // only listed origins are allowed
	if len(origins) == 0 || len(listed) < len(origins) {
		options.AllowedOrigins, options.AllowOriginFunc, options.AllowCredentials = []string{"*"}, nil, false
		others = cors.New(options) // the response names *
	}
	return func(x *rest.Exchange) *cors.Cors {
		switch {
		case isAdmin(x):
			return admin
		case named.OriginAllowed(x.R):
			return named
		}
		return others
	}
}
