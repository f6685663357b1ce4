package admin

import (
	"net/http"

	"example.com/petstore/handlers/rest"
)

// Certificate returns the operation that serves authority, the certificate (PEM) that clients must
// trust to use HTTPS. If authority is empty, the operation responds with a 404. The operation
// requires no key, because the certificate is not secret.
func Certificate(authority []byte) rest.Operation {
	return rest.Operation{Method: http.MethodGet, Path: "/admin/ca.pem", Kind: rest.Page,
		Handle: func(x *rest.Exchange) error {
			if len(authority) == 0 {
				return rest.Refuse("not_found", "this server has made no certificate; start it with --tls")
			}
			return x.File("application/pem-certificate-chain", authority) // RFC 8555, section 9.1
		}}
}
