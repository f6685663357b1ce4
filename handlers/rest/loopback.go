package rest

import (
	"net/url"

	"example.com/petstore/handlers/hosts"
)

// IsLoopback reports whether a host can only be this machine: localhost or a name below it (RFC
// 6761, section 6.3), or a loopback address.
func IsLoopback(host string) bool { return hosts.IsLoopback(host) }

// IsLoopbackAddress reports whether the text is a loopback address.
func IsLoopbackAddress(text string) bool { return hosts.IsLoopbackAddress(text) }

// IsTrustworthy reports whether browsers consider the request's address potentially trustworthy
// (W3C Secure Contexts, section 3.1): HTTPS, or this machine.
func (x *Exchange) IsTrustworthy() bool {
	u, err := url.Parse(x.root())
	return err == nil && (u.Scheme == "https" || IsLoopback(u.Hostname()))
}
