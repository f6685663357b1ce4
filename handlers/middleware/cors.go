package middleware

import (
	"net/http"

	"github.com/rs/cors"

	"example.com/petstore/handlers/rest"
)

// exposed are the headers that a browser's script may read: every one that the
// service answers with, since it sees none otherwise (Fetch, CORS protocol).
var exposed = []string{
	"Accept", "Accept-Encoding", "Accept-Patch", "Allow", "Deprecation", "ETag", "Idempotency-Replayed", "Link", "Location",
	"Preference-Applied", "RateLimit", "RateLimit-Policy", "Retry-After", "Sunset", "Vary", "Warning", "WWW-Authenticate",
	"X-Accel-Buffering", "X-Content-Type-Options", "X-Request-Id", "X-Sandbox", "X-Stability", "X-Total-Count",
}

// CORS answers preflights and lets the scripts of the given origins use the
// service; none given means any origin. The control plane is for the origins
// that trusted accepts alone.
func CORS(origins []string, trusted func(origin string) bool) rest.Link {
	options := cors.Options{
		AllowedOrigins: origins, // none: all
		AllowedMethods: []string{
			http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		},
		AllowedHeaders: []string{"*"},
		ExposedHeaders: exposed,
		MaxAge:         600, // seconds; browsers take no more than a few minutes anyhow
	}
	service := cors.New(options)
	options.AllowedOrigins, options.AllowOriginFunc = nil, trusted
	admin := cors.New(options)
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			policy := service
			if isAdmin(x) {
				policy = admin
			}
			preflight := x.R.Method == http.MethodOptions && x.R.Header["Access-Control-Request-Method"] != nil
			policy.HandlerFunc(x.W, x.R)
			if preflight {
				return nil
			}
			return next(x)
		}
	}
}
