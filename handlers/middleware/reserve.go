package middleware

import "example.com/petstore/handlers/rest"

// Reserve promises memory to a request that leaves something behind, or refuses it: 503.
// Where there is a body its length says how much, and it is done when that is read.
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
