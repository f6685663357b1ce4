package middleware

import (
	"net/http"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// NoteChange notes, once it is over, each request that may have changed what a file keeps of the
// sandboxes: a write, whatever its outcome, and one to which a fault rule applied, which counts that.
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
