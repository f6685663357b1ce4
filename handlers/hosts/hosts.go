// Package hosts recognizes host names of this machine.
package hosts

import (
	"net/netip"
	"strings"
)

// IsLoopback reports whether a host, without brackets and port, can only be this machine: localhost
// or a name below it (RFC 6761, section 6.3), or a loopback address.
func IsLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return IsLocalName(host) || err == nil && ip.Unmap().IsLoopback()
}

// IsLocalName reports whether a host is localhost or a name below it.
func IsLocalName(host string) bool {
	host = strings.ToLower(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// WithoutRoot removes the final dot of a host name, which stands for the DNS root (RFC 1034,
// section 3.1).
func WithoutRoot(host string) string { return strings.TrimSuffix(host, ".") }
