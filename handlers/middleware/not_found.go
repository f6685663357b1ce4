package middleware

import (
	"net/http"

	"example.com/petstore/handlers/rest"
)

// NotFound handles requests without an operation: OPTIONS returns the path's methods, other
// requests get 404 for the path or 405 for the method. guess returns the known path nearest to an
// unknown one and the prefix that a proxy may have added; either may be empty.
func NotFound(guess func(path string) (nearest, added string)) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		if op != nil {
			return next
		}
		return func(x *rest.Exchange) error {
			switch {
			case x.Allow == "":
				return x.NoRoute(guess(x.Path))
			case x.R.Method == http.MethodOptions:
				x.SetHeader("Allow", x.Allow)
				return x.NoContent()
			}
			return rest.WrongMethod(x.R.Method, x.Path, x.Allow)
		}
	}
}
