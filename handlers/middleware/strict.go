package middleware

import "example.com/petstore/handlers/rest"

// Strict refuses unknown query parameters: always in the control plane, where a misspelt ?only=
// would reset everything, and in the service if the server is strict. Errors of the body's media
// type and size come first.
func Strict(x *rest.Exchange) error {
	x.Strict = x.Strict || x.Operation.Kind == rest.Admin
	if !x.Strict || x.R.URL.RawQuery == "" || x.Operation.Kind == rest.Page {
		return nil
	}
	if err := x.TakeBody(); err != nil {
		return err
	}
	if err := x.ReadQuery().Err(); err != nil {
		return err
	}
	return nil
}
