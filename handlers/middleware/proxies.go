package middleware

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the networks of trusted proxies. The server believes only these about a client's
// address.
type Proxies []netip.Prefix

// ParseProxy parses a network such as 10.0.0.0/8, or a single address.
func ParseProxy(text string) (netip.Prefix, bool) {
	if addr, err := netip.ParseAddr(text); err == nil {
		addr = addr.Unmap()
		return netip.PrefixFrom(addr, addr.BitLen()), addr.Zone() == ""
	}
	network, err := netip.ParsePrefix(text)
	return network.Masked(), err == nil && !network.Addr().Is4In6()
}

// ParseProxies parses networks that [ParseProxy] accepts.
func ParseProxies(texts []string) Proxies {
	p := make(Proxies, len(texts))
	for i, text := range texts {
		p[i], _ = ParseProxy(text)
	}
	return p
}

// Client returns the client's address: the last address on the request's route that is not a
// trusted proxy. The route is the connection's peer followed, from right to left, by the elements
// of X-Forwarded-For or Forwarded (RFC 7239), up to the first that is not an address. A proxy may
// extend one of the headers and pass on the other as the client sent it, so the headers count only
// as far as they agree.
func (p Proxies) Client(r *http.Request) string {
	peer, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr // a transport without ports
	}
	addr, err := netip.ParseAddr(peer)
	if addr = addr.Unmap(); err != nil || !p.trust(addr) {
		return peer
	}
	listed := p.walk(addr, r.Header["X-Forwarded-For"], listedAddress)
	forwarded := p.walk(addr, r.Header["Forwarded"], forwardedAddress)
	switch {
	case listed == forwarded, r.Header["Forwarded"] == nil:
		return listed.String()
	case r.Header["X-Forwarded-For"] == nil:
		return forwarded.String()
	}
	return addr.String()
}

// walk follows the elements of a header from the right, as long as the address reached is a trusted proxy.
func (p Proxies) walk(addr netip.Addr, lines []string, parse func(element string) (netip.Addr, bool)) netip.Addr {
	for rest := strings.Join(lines, ","); rest != "" && p.trust(addr); {
		comma := strings.LastIndexByte(rest, ',')
		next, ok := parse(strings.Trim(rest[comma+1:], " \t"))
		if !ok {
			break
		}
		addr, rest = next, rest[:max(comma, 0)]
	}
	return addr
}

func (p Proxies) trust(addr netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(addr.WithZone("")) })
}

// forwardedAddress returns the address in an element of Forwarded.
func forwardedAddress(element string) (addr netip.Addr, ok bool) {
	ok = readForwarded(element, func(node string) bool {
		addr, ok = nodeAddress(node)
		return ok
	})
	return addr, ok
}
