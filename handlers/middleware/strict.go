package middleware

import (
	"cmp"

	"example.com/petstore/handlers/rest"
)

// Strict refuses unknown query parameters: always in the control plane, where a misspelt ?only=
// would reset everything, and in the service if the server is strict. Errors of the body's media
// type and size come first.
func Strict(always bool) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		if op.Kind == rest.Page || op.Kind != rest.Admin && !always {
			return next
		}
		return func(x *rest.Exchange) error {
			x.Strict = true
			if x.R.URL.RawQuery != "" {
				if err := cmp.Or(x.TakeBody(), x.ReadQuery().Err()); err != nil {
					return err
				}
			}
			return next(x)
		}
	}
}
