package middleware

import (
	"net/http"

	"example.com/petstore/handlers/rest"
)

// NotFound handles requests without an operation. It responds to OPTIONS with the methods of a
// known path, and to other requests with a 404 or a 405. guess returns the known path nearest to an
// unknown path, and the prefix that a proxy may have added to the unknown path. Either may be
// empty.
func NotFound(guess func(path string) (nearest, added string)) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		if op != rest.Unmatched {
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
