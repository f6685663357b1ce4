package middleware

import (
	"net/http"

	"example.com/petstore/handlers/rest"
)

// Strict refuses query parameters that the operation does not have, where the
// server is strict. A body's media type and size are refused before.
func Strict() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if !x.Strict || x.R.URL.RawQuery == "" || x.Operation.Kind == rest.Page {
				return next(x)
			}
			switch x.R.Method {
			case http.MethodPost, http.MethodPut, http.MethodPatch:
				if x.Operation.Kind != rest.Admin {
					if _, err := x.Body(); err != nil {
						return err
					}
				}
			}
			if err := x.ReadQuery().Err(); err != nil {
				return err
			}
			return next(x)
		}
	}
}
