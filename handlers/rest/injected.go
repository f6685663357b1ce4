package rest

import (
	"fmt"
	"net/http"
	"strings"
)

// Injected returns the response of a requested fault, with the headers that its status requires
// (RFC 9110, section 15) or that clients rely on.
func (x *Exchange) Injected(status int) *Error {
	e := &Error{
		Status:  status,
		Code:    injectedCode(status),
		Message: fmt.Sprintf("status %d was requested, so the operation did not run", status),

		Injected: true,
	}
	switch status {
	case http.StatusUnauthorized:
		e.With("WWW-Authenticate", `Bearer realm="petstore"`)
	case http.StatusMethodNotAllowed:
		e.With("Allow", x.Allow)
	case http.StatusProxyAuthRequired:
		e.With("Proxy-Authenticate", `Basic realm="petstore"`)
	case http.StatusUpgradeRequired:
		if x.R.ProtoMajor == 1 { // HTTP/2 and later have no such header
			e.With("Upgrade", "HTTP/2.0").With("Connection", "Upgrade")
		}
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		e.With("Retry-After", "1")
	}
	return e
}

// interrupted returns the response to a request whose wait was cut short.
func (x *Exchange) interrupted(why error, outcome string) *Error {
	e := x.Injected(http.StatusServiceUnavailable)
	e.Message = why.Error() + " while the request waited" + outcome
	return e
}

// injectedCode returns the code of a status: the service's most general one, or else the status
// text.
func injectedCode(status int) string {
	for _, c := range codes {
		if c.status == status {
			return c.code
		}
	}
	text := http.StatusText(status)
	if text == "" {
		return fmt.Sprintf("status_%d", status)
	}
	return strings.NewReplacer(" ", "_", "-", "_", "'", "").Replace(strings.ToLower(text))
}
