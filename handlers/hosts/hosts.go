// Package hosts recognizes host names that refer to this machine, and checks ports in URLs.
package hosts

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// IsLoopback reports whether host always refers to this machine. This is true of localhost, of
// names that end in .localhost (RFC 6761, section 6.3), and of loopback addresses. host must have
// no brackets and no port.
func IsLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return IsLocalName(host) || err == nil && ip.Unmap().IsLoopback()
}

// IsLocalName reports whether host is localhost or ends in .localhost.
func IsLocalName(host string) bool {
	host = strings.ToLower(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// WithoutRoot removes the trailing dot from a host name, if there is one. The dot stands for the
// DNS root (RFC 1034, section 3.1).
func WithoutRoot(host string) string { return strings.TrimSuffix(host, ".") }

// ValidPort reports whether the URL has a port from 1 to 65535, or neither a port nor the colon
// before one.
func ValidPort(u *url.URL) bool {
	port := u.Port()
	if port == "" {
		return !strings.HasSuffix(u.Host, ":")
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}
