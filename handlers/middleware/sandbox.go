package middleware

import (
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// Sandbox refuses requests whose sandbox cannot be had.
func Sandbox() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if x.Sandbox == nil {
				return x.NoSandbox
			}
			return next(x)
		}
	}
}

// Keep makes a new sandbox last, now that its request is let in. Health, documents
// and pages leave none behind.
func Keep(sandboxes *sandbox.Registry) rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			switch x.Operation.Kind {
			case rest.Health, rest.Page:
				return next(x)
			}
			kept, err := sandboxes.Keep(x.Sandbox)
			if err != nil {
				delete(x.W.Header(), "X-Sandbox") // there is none of the name
				return err
			}
			x.Sandbox = kept
			return next(x)
		}
	}
}
