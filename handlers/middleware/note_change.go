package middleware

import (
	"net/http"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// NoteChange reports requests that may have changed what --keep saves: writes, whatever their
// outcome, and requests that a fault rule counted.
func NoteChange(sandboxes *sandbox.Registry) rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			defer func() {
				if x.R.Method != http.MethodGet && x.R.Method != http.MethodHead || x.Fault != 0 {
					sandboxes.NoteChange()
				}
			}()
			return next(x)
		}
	}
}
