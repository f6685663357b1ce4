// Package hosts recognizes the host names of this machine.
package hosts

import (
	"net/netip"
	"strings"
)

// IsLoopback reports whether host always refers to this machine: localhost or a name ending in
// .localhost (RFC 6761, section 6.3), or a loopback address. host has no brackets and no port.
func IsLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return IsLocalName(host) || err == nil && ip.Unmap().IsLoopback()
}

// IsLocalName reports whether host is localhost or ends in .localhost.
func IsLocalName(host string) bool {
	host = strings.ToLower(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// WithoutRoot removes a trailing dot, which stands for the DNS root (RFC 1034, section 3.1), from a
// host name.
func WithoutRoot(host string) string { return strings.TrimSuffix(host, ".") }
