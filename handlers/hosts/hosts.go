// Package hosts knows which names of hosts stand for this machine.
package hosts

import (
	"net/netip"
	"strings"
)

// IsLoopback reports whether a host, without brackets and without a port, can only be this
// machine: localhost and what is below it (RFC 6761, section 6.3), or a loopback address.
func IsLoopback(host string) bool { return IsLocalName(host) || IsLoopbackAddress(host) }

// IsLocalName reports whether a host is localhost or a name below it.
func IsLocalName(host string) bool {
	host = strings.ToLower(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// IsLoopbackAddress reports whether a text is a loopback address, in the form of IPv4, of
// IPv6, or of the one in the other.
func IsLoopbackAddress(text string) bool {
	ip, err := netip.ParseAddr(text)
	return err == nil && ip.Unmap().IsLoopback()
}

// WithoutRoot returns a host name without the dot that stands for the root of all names
// (RFC 1034, section 3.1): the name is the same with it.
func WithoutRoot(host string) string { return strings.TrimSuffix(host, ".") }
