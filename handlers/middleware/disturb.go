package middleware

import "example.com/petstore/handlers/rest"

// Disturb carries out what can affect a request of the service besides its operation, each after
// the one before: the rate limit, fault rules, the Prefer header, and sunsets. Draws come first,
// because the others use them.
func Disturb(op *rest.Operation, next rest.Handler) rest.Handler {
	if !op.TakesFaults() {
		return next
	}
	undisturbed := rest.Before(refuseSunset, next)
	return rest.Before(assignDraws, rest.Before(limitRate, applyFault(applyPreferences(undisturbed))))
}

// assignDraws gives the request its number and so its random draws. It runs once, before any draw,
// so that a request's draws do not depend on what draws.
func assignDraws(x *rest.Exchange) error {
	x.Draws = x.Sandbox.Draw()
	return nil
}
