package middleware

import "example.com/petstore/handlers/rest"

// AssignDraws gives each request that faults can affect its number and so its random draws. It runs
// once, before the first link that draws, so that a request's draws do not depend on which links
// draw.
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
