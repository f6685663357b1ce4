package rest

import (
	"net/netip"
	"net/url"
	"strings"
)

// IsLoopback reports whether a host can only be this machine: localhost and what
// is below it (RFC 6761, section 6.3), or a loopback address.
func IsLoopback(host string) bool {
	host = strings.ToLower(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || IsLoopbackAddress(host)
}

// IsLoopbackAddress reports whether the text is a loopback address.
func IsLoopbackAddress(text string) bool {
	ip, err := netip.ParseAddr(text)
	return err == nil && ip.Unmap().IsLoopback()
}

// IsTrustworthy reports whether a browser takes the address that the request came to for
// potentially trustworthy (W3C Secure Contexts, section 3.1): HTTPS, or this machine.
func (x *Exchange) IsTrustworthy() bool {
	u, err := url.Parse(x.root())
	return err == nil && (u.Scheme == "https" || IsLoopback(u.Hostname()))
}
