package middleware

import (
	"net/http"
	"slices"

	"github.com/rs/cors"

	"example.com/petstore/handlers/rest"
)

// exposed are the headers that a browser's script may read: every one that the
// service answers with, since it sees none otherwise (Fetch, CORS protocol).
var exposed = []string{
	"Accept", "Accept-Encoding", "Accept-Patch", "Allow", "Deprecation", "ETag", "Idempotency-Replayed", "Link", "Location",
	"Preference-Applied", "RateLimit", "RateLimit-Policy", "Retry-After", "Sunset", "Vary", "Warning", "WWW-Authenticate",
	"X-Accel-Buffering", "X-Content-Type-Options", "X-Petstore-Replica", "X-Request-Id", "X-Sandbox", "X-Stability", "X-Total-Count",
}

// CORS answers preflights and lets the scripts of the given origins use the
// service; none given means any origin. The control plane is for the origins
// that trusted accepts alone, whatever the key. Where the server is public, pages of
// origins that are not given get no credentials: they may be those of a login that stands
// before it.
func CORS(origins []string, public bool, trusted func(origin string) bool) rest.Link {
	policies := newPolicies(origins, public, trusted)
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			from := x.R.Header["Origin"]
			if len(from) != 1 || from[0] == "" || x.Path == rest.JoinPath { // of two, none can be believed; who joins does so on the server's own page
				return next(x)
			}
			policies.of(x).HandlerFunc(x.W, x.R)
			if x.R.Method == http.MethodOptions && x.R.Header.Get("Access-Control-Request-Method") != "" {
				return nil // a preflight, which is answered now
			}
			return next(x)
		}
	}
}

// policies are what pages may do, by where they come from.
type policies struct {
	named  *cors.Cors // of the service, for the origins that are answered by name
	others *cors.Cors // of the service, for all other origins; nil: they may not
	admin  *cors.Cors
}

// newPolicies answers origins by name where it can, since credentials, which a client
// may send whether they are read or not, rule out a * (Fetch, section 3.3.5). A * is
// left for "null", which is the origin of any page that wants to have none, and for
// who asks for it.
func newPolicies(origins []string, public bool, trusted func(origin string) bool) policies {
	options := cors.Options{
		AllowedMethods: []string{
			http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		},
		AllowedHeaders:   []string{"*"}, // those that are asked for, by name
		ExposedHeaders:   exposed,
		AllowCredentials: true,
		MaxAge:           600, // seconds; browsers take no more than a few minutes anyhow
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

// of returns the policy for the page that the request comes from.
func (p *policies) of(x *rest.Exchange) *cors.Cors {
	switch {
	case isAdmin(x):
		return p.admin
	case p.others == nil, p.named.OriginAllowed(x.R):
		return p.named
	}
	return p.others
}
