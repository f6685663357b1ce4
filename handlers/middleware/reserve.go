package middleware

import "example.com/petstore/handlers/rest"

// Reserve reserves memory for writes without a body, or refuses them with 503. For a write with a
// body, reading the body reserves memory according to its length.
func Reserve() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if err := x.ReserveWrite(); err != nil {
				return err
			}
			return next(x)
		}
	}
}
