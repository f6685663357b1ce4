package middleware

import "example.com/petstore/handlers/rest"

// Disturb carries out what can affect a request of the service besides its operation, each after
// the one before: the rate limit, fault rules, the Prefer header, and sunsets. Other operations it
// leaves alone.
func Disturb(next rest.Handler) rest.Handler {
	disturbed := rest.Chain(next,
		rest.Steps(assignDraws, limitRate), // 429; draws come before anything that uses them
		applyFault,
		applyPreferences,
		rest.Steps(refuseSunset), // 410
	)
	return func(x *rest.Exchange) error {
		if !x.Operation.TakesFaults() {
			return next(x)
		}
		return disturbed(x)
	}
}

// assignDraws gives the request its number and so its random draws. It runs once, before any draw,
// so that a request's draws do not depend on what draws.
func assignDraws(x *rest.Exchange) error {
	x.Draws = x.Sandbox.Draw()
	return nil
}
