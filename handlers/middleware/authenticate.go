package middleware

import (
	"crypto/sha256"
	"crypto/subtle"
	"strings"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// DemoKey is the key of the private operations where the server was given none.
const DemoKey = "demo-key"

// Keys are what a caller must know.
type Keys struct {
	API   []string // any of them opens the service; none: it is open, save the private operations
	Admin string   // opens the control plane; empty: it is open
}

// wantedBy reports whether operations of the kind want a key.
func (k Keys) wantedBy(kind rest.Kind) bool {
	switch kind {
	case rest.Service:
		return len(k.API) > 0
	case rest.Admin:
		return k.Admin != ""
	}
	return kind == rest.Private
}

// Authenticate wants the keys of the operation as bearer tokens (RFC 6750).
func Authenticate(keys Keys) rest.Link {
	service := newKeyring(keys.API...)
	private := service
	if len(keys.API) == 0 {
		private = newKeyring(DemoKey)
	}
	admin := newKeyring()
	if keys.Admin != "" {
		admin = newKeyring(keys.Admin)
	}
	rings := map[rest.Kind]keyring{rest.Service: service, rest.Private: private, rest.Admin: admin}
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			ring := rings[x.Operation.Kind]
			if len(ring) == 0 {
				return next(x)
			}
			token, ok, err := sentToken(x)
			switch {
			case err != nil:
				return err
			case !ok:
				return rest.Unauthorized("a key is required; send Authorization: Bearer "+hint(x, keys), `Bearer realm="petstore"`)
			case !ring.has(token):
				return rest.Unauthorized("the key is not valid; send Authorization: Bearer "+hint(x, keys), `Bearer realm="petstore", error="invalid_token"`)
			}
			return next(x)
		}
	}
}

// hint says which key is meant, naming none but the public one.
func hint(x *rest.Exchange, keys Keys) string {
	switch {
	case x.Operation.Kind == rest.Admin:
		return "KEY, where KEY is the server's --admin-key"
	case len(keys.API) == 0:
		return DemoKey
	}
	return "KEY, where KEY is one of the server's --api-key values"
}

// sentToken returns the request's bearer token: that of its Authorization header or,
// where the operation takes one, of its query. Both, or two of one, is refused (RFC
// 6750, sections 2 and 3.1).
func sentToken(x *rest.Exchange) (token string, ok bool, err error) {
	token, ok = bearer(x.R.Header.Get("Authorization"))
	if !x.Operation.Stream {
		return token, ok, nil
	}
	inQuery := x.R.URL.Query()[rest.TokenParameter]
	switch {
	case len(inQuery) == 0:
		return token, ok, nil
	case len(inQuery) > 1, ok:
		refused := rest.BadParameter(field.Problem{
			Field:   rest.TokenParameter,
			Message: "the key was sent more than once; send it either in the Authorization header or in the query",
		})
		refused.With("WWW-Authenticate", `Bearer realm="petstore", error="invalid_request"`)
		return "", false, refused
	}
	return inQuery[0], inQuery[0] != "", nil
}

// bearer returns the token of an Authorization header, whose scheme is
// case-insensitive (RFC 9110, section 11.1).
func bearer(authorization string) (string, bool) {
	scheme, token, ok := strings.Cut(authorization, " ")
	token = strings.Trim(token, " ")
	return token, ok && strings.EqualFold(scheme, "Bearer") && token != ""
}

// ValidKey reports whether a key can travel as a bearer token.
func ValidKey(key string) bool {
	if key == "" {
		return false
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return true
}

// keyring holds the digests of keys. Digests are compared, since they are of one
// length and a comparison of them takes the same time for every token.
type keyring [][sha256.Size]byte

func newKeyring(keys ...string) keyring {
	var ring keyring
	for _, key := range keys {
		ring = append(ring, sha256.Sum256([]byte(key)))
	}
	return ring
}

func (ring keyring) has(token string) bool {
	digest := sha256.Sum256([]byte(token))
	found := 0
	for i := range ring {
		found |= subtle.ConstantTimeCompare(ring[i][:], digest[:])
	}
	return found == 1
}
