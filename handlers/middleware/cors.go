package middleware

import (
	"net/http"
	"slices"

	"github.com/rs/cors"

	"example.com/petstore/handlers/rest"
)

// exposed lists the response headers that scripts may read: every header of the service. Browsers
// hide all others (Fetch, CORS protocol).
var exposed = []string{
	"Accept", "Accept-Encoding", "Accept-Patch", "Allow", "Deprecation", "ETag", "Idempotency-Replayed", "Link", "Location",
	"Preference-Applied", "RateLimit", "RateLimit-Policy", "Retry-After", "Sunset", "Vary", "Warning", "WWW-Authenticate",
	"X-Accel-Buffering", "X-Content-Type-Options", "X-Petstore-Replica", "X-Request-Id", "X-Sandbox", "X-Stability", "X-Total-Count",
}

// CORS answers preflights and lets scripts of the given origins use the service; none means any
// origin. The control plane accepts only origins that trusted accepts, whatever the key. On a
// public server, pages of other origins get no credentials, because those may belong to a login in
// front of the server.
func CORS(origins []string, public bool, trusted func(origin string) bool) rest.Link {
	policies := newPolicies(origins, public, trusted)
	return func(_ *rest.Operation, next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			from := x.R.Header["Origin"]
			if len(from) != 1 || from[0] == "" || x.Path == rest.JoinPath { // two Origins are not credible; /join is used only by the server's own page
				return next(x)
			}
			policies.of(x).HandlerFunc(x.W, x.R)
			if x.R.Method == http.MethodOptions && x.R.Header.Get("Access-Control-Request-Method") != "" {
				return nil // a preflight, which is answered here
			}
			return next(x)
		}
	}
}

// policies are the CORS policies by the origin of the page.
type policies struct {
	named  *cors.Cors // for the service, and origins that responses name
	others *cors.Cors // for the service, and all other origins; nil if those are not allowed
	admin  *cors.Cors
}

// newPolicies names origins in responses where possible, because credentials, which some clients
// always send, rule out * (Fetch, section 3.3.5). Responses use * for the origin "null", and if the
// origins contain it.
func newPolicies(origins []string, public bool, trusted func(origin string) bool) policies {
	options := cors.Options{
		AllowedMethods: []string{
			http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		},
		AllowedHeaders:   []string{"*"}, // responds with the requested headers by name
		ExposedHeaders:   exposed,
		AllowCredentials: true,
		MaxAge:           600, // seconds; browsers cap it at a few minutes
		AllowOriginFunc:  trusted,
	}
	p := policies{admin: cors.New(options)}
	options.AllowPrivateNetwork = true
	listed := slices.DeleteFunc(slices.Clone(origins), func(origin string) bool { return origin == "*" })
	options.AllowedOrigins, options.AllowOriginFunc = listed, nil
	if len(listed) == 0 {
		options.AllowOriginFunc = func(origin string) bool { return len(origins) == 0 && origin != "null" && !public }
	}
	p.named = cors.New(options)
	if len(listed) == len(origins) && len(origins) > 0 {
		return p
	}
	options.AllowedOrigins, options.AllowOriginFunc, options.AllowCredentials = []string{"*"}, nil, false
	p.others = cors.New(options)
	return p
}

// of returns the policy for the request's page.
func (p *policies) of(x *rest.Exchange) *cors.Cors {
	switch {
	case isAdmin(x):
		return p.admin
	case p.others == nil, p.named.OriginAllowed(x.R):
		return p.named
	}
	return p.others
}
