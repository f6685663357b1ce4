package middleware

import (
	"net/http"

	"example.com/petstore/handlers/rest"
)

// NotFound answers what no operation does: OPTIONS with the path's methods, else
// 404 for the path or 405 for the method. guess returns the path there is that is most like
// one that is none, and what a proxy may have put before that; either may be empty.
func NotFound(guess func(path string) (nearest, added string)) rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			switch {
			case x.Operation != nil:
				return next(x)
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
