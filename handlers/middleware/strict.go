package middleware

import "example.com/petstore/handlers/rest"

// Strict refuses query parameters that the operation does not have: of the control
// plane always, where a misspelt ?only= would reset everything, else where the server
// is strict. A body's media type and size are refused before.
func Strict() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			x.Strict = x.Strict || x.Operation.Kind == rest.Admin
			if !x.Strict || x.R.URL.RawQuery == "" || x.Operation.Kind == rest.Page {
				return next(x)
			}
			if err := x.TakeBody(); err != nil {
				return err
			}
			if err := x.ReadQuery().Err(); err != nil {
				return err
			}
			return next(x)
		}
	}
}
