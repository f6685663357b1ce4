package middleware

import (
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// Sandbox finds the sandbox that the request speaks to.
func Sandbox(def *sandbox.Sandbox) rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			x.Sandbox = def
			return next(x)
		}
	}
}
