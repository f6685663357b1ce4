package middleware

import (
	"strings"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
)

// DemoKey is the key for private operations on a server without API keys.
const DemoKey = "demo-key"

// Keys holds the keys that the server accepts. A sandbox can also have its own key.
type Keys struct {
	// API lists the keys that the service accepts in sandboxes that are not private. If the list is
	// empty, only private operations require a key in these sandboxes.
	API []string
	// Admin is the key that the control plane and all private sandboxes accept. If it is empty, the
	// control plane requires a key only in private sandboxes.
	Admin string
	// OfSandbox reports whether a key belongs to any sandbox. It may be nil.
	OfSandbox func(*registry.Digest) bool
}

// ring returns the server's keys that operations of the kind accept. It is empty if they require no
// key.
func (k Keys) ring(kind rest.Kind) (ring keyring) {
	var keys []string
	switch {
	case kind == rest.Private && len(k.API) == 0:
		keys = []string{DemoKey}
	case kind == rest.Service || kind == rest.Private:
		keys = k.API
	case kind == rest.Admin && k.Admin != "":
		keys = []string{k.Admin}
	}
	for _, key := range keys {
		ring = append(ring, registry.DigestOf(key))
	}
	return ring
}

// keysFor returns the server's keys that the request's operation accepts in the sandbox. ring has
// the keys for the operation's kind, and admin those for the control plane. own reports whether the
// operation also accepts the sandbox's key. wanted reports whether the operation requires a key. In
// a private sandbox, the service accepts only the sandbox's key and the admin key.
func keysFor(x *rest.Exchange, ring, admin keyring) (accepted keyring, own, wanted bool) {
	op := x.Operation
	switch {
	case op.Anybody:
		return nil, false, false
	case x.Sandbox == nil || x.Sandbox.Owner() == nil:
	case op.Kind == rest.Admin && op.OwnKey:
		return ring, true, len(ring) > 0 || x.Sandbox.Private()
	case op.TakesFaults() && x.Sandbox.Private():
		return admin, true, true
	}
	return ring, false, len(ring) > 0
}

// Authorize checks that a request may use its operation. If the operation requires a key, the
// request must have a key that the operation accepts, as a bearer token (RFC 6750). Before that,
// [Origins.guard] checks requests to the control plane, or only those to the MCP server if the
// server has an admin key.
func Authorize(origins Origins, keys Keys) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		ofKind, admin := keys.ring(op.Kind), keys.ring(rest.Admin)
		guarded := underAdmin(op.Path) && (keys.Admin == "" || op.Path == rest.MCPPath)
		return func(x *rest.Exchange) error {
			ring, own, wanted := keysFor(x, ofKind, admin)
			x.ByOwner = (own || op.OwnKey) && sentOwnKey(x)
			if guarded {
				if err := origins.guard(x, keys.Admin != ""); err != nil {
					return err
				}
			}
			if wanted && !x.ByOwner {
				if err := keys.check(x, ring, own); err != nil {
					return err
				}
			}
			return next(x)
		}
	}
}

// check returns nil if the request has one of the server's keys in ring. Otherwise, it returns a
// 401, a 403, or the error of [sentToken]. own reports whether the operation also accepts the
// sandbox's key, which the request does not have.
func (k Keys) check(x *rest.Exchange, ring keyring, own bool) error {
	token, ok, err := sentToken(x)
	switch {
	case err != nil:
		return err
	case !ok:
		return rest.Unauthorized("a key is required; send Authorization: Bearer "+hint(x, k, own),
			`Bearer realm="petstore"`)
	}
	digest := registry.DigestOf(token)
	switch {
	case ring.has(&digest):
		return nil
	case k.OfSandbox != nil && k.OfSandbox(&digest):
		return rest.Forbidden(ofSandbox(x.Operation, own) + "send Authorization: Bearer " + hint(x, k, own))
	}
	return rest.Unauthorized("the key is not valid; send Authorization: Bearer "+hint(x, k, own),
		`Bearer realm="petstore", error="invalid_token"`)
}

// sentOwnKey reports whether the request has the key of the sandbox that it names.
func sentOwnKey(x *rest.Exchange) bool {
	if x.Sandbox == nil || x.Sandbox.Owner() == nil {
		return false
	}
	token, ok, err := sentToken(x)
	digest := registry.DigestOf(token)
	return ok && err == nil && x.Sandbox.OpenedBy(&digest)
}

// ofSandbox returns the start of the message to a client whose sandbox key the operation does not
// accept here. If the operation accepts the key in the sandbox that the key belongs to, the message
// says so.
func ofSandbox(op *rest.Operation, own bool) string {
	if own || op.OwnKey {
		return "the key is that of another sandbox; use it at /sandboxes/NAME" + op.Path +
			", where NAME is its own sandbox, or "
	}
	return "the key is that of a sandbox, and does not open this; "
}

// hint describes the key to send. It reveals no key except DemoKey. own reports whether the
// operation accepts the sandbox's key.
func hint(x *rest.Exchange, keys Keys, own bool) string {
	admin := x.Operation.Kind == rest.Admin
	switch {
	case own && admin && keys.Admin != "":
		return "KEY, where KEY is the key of the sandbox or the server's --admin-key"
	case own:
		return "KEY, where KEY is the key of the sandbox"
	case admin:
		return "KEY, where KEY is the server's --admin-key"
	case len(keys.API) == 0:
		return DemoKey
	}
	return "KEY, where KEY is one of the server's --api-key values"
}

// sentToken returns the bearer token in the Authorization header. A stream also accepts it in the
// query. If a request for a stream has more than one token, the error is a 400 (RFC 6750, sections
// 2 and 3.1).
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
		refused := rest.BadParameter(rest.TokenParameter,
			"the key was sent more than once; send it either in the Authorization header or in the query")
		refused.With("WWW-Authenticate", `Bearer realm="petstore", error="invalid_request"`)
		return "", false, refused
	}
	return inQuery[0], inQuery[0] != "", nil
}

// bearer returns the token in an Authorization header. The scheme is case-insensitive (RFC 9110,
// section 11.1).
func bearer(authorization string) (string, bool) {
	scheme, token, ok := strings.Cut(authorization, " ")
	token = strings.Trim(token, " ")
	return token, ok && strings.EqualFold(scheme, "Bearer") && token != ""
}

// keyring holds digests of keys. [registry.Digest.Is] compares them in constant time.
type keyring []registry.Digest

func (ring keyring) has(digest *registry.Digest) bool {
	found := false
	for i := range ring {
		// Compare with every key, so that the time does not reveal which key matched.
		found = ring[i].Is(digest) || found
	}
	return found
}
