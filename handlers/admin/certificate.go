package admin

import (
	"net/http"

	"example.com/petstore/handlers/rest"
)

// Certificate is the row of the route table that serves the certificate, in the PEM format,
// that clients must trust to speak HTTPS to the server; empty: there is none. It needs no key:
// every client that connects sees whom it signed.
func Certificate(authority []byte) rest.Operation {
	return rest.Operation{Method: http.MethodGet, Path: "/admin/ca.pem", Kind: rest.Page, Handle: func(x *rest.Exchange) error {
		if len(authority) == 0 {
			return rest.Refuse("not_found", "this server has made no certificate; start it with --tls")
		}
		return x.File("application/pem-certificate-chain", authority) // RFC 8555, section 9.1
	}}
}
