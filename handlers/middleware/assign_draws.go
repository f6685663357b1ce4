package middleware

import "example.com/petstore/handlers/rest"

// AssignDraws gives every request that faults can affect its number, and with it its
// random draws. It is taken once, before the first link that draws, so that
// what a request draws does not depend on who else draws or why.
func AssignDraws() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if x.Operation.TakesFaults() {
				x.Draws = x.Sandbox.Draw()
			}
			return next(x)
		}
	}
}
