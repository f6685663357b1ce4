package middleware

import (
	"net/http"
	"testing"

	"example.com/petstore/handlers/rest"
)

func TestCaching(t *testing.T) {
	t.Parallel()
	const preflight = varies + ", Access-Control-Request-Method, Access-Control-Request-Headers, Access-Control-Request-Private-Network"
	for _, test := range []struct {
		method    string
		operation *rest.Operation
		vary      string
	}{
		{http.MethodGet, &rest.Operation{}, varies},
		{http.MethodGet, &rest.Operation{Vary: "Accept"}, varies + ", Accept"},
		{http.MethodGet, nil, varies},
		{http.MethodOptions, nil, preflight},
		{http.MethodOptions, &rest.Operation{Vary: "Accept"}, preflight},
	} {
		for range 2 { // what one answer does to its header is no other's
			v := newVisit(test.method, "/", nil)
			v.x.Operation = test.operation
			v.to(Caching(), func(x *rest.Exchange) error {
				x.W.Header().Add("Vary", "Accept-Encoding") // as libraries do
				x.W.WriteHeader(http.StatusNotFound)
				return nil
			})
			v.expectPassed(t)
			v.expectHeader(t, "Vary", test.vary)
			v.expectHeader(t, "Cache-Control", "no-cache")
		}
	}
}
