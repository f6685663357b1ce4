package middleware

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// Proxies lists the networks of trusted proxies. Only trusted proxies can report a client's
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

// ParseProxies parses networks. [ParseProxy] must accept each of them.
func ParseProxies(texts []string) Proxies {
	p := make(Proxies, len(texts))
	for i, text := range texts {
		p[i], _ = ParseProxy(text)
	}
	return p
}

// Client returns the client's address: the first address on the request's route that is not a
// trusted proxy, or the last one if all are trusted. The route consists of the connection's peer
// and, from right to left, the elements of X-Forwarded-For or Forwarded (RFC 7239), up to the first
// element that is not an address.
//
// A proxy may extend one of these headers and pass on the other as the client sent it. If the two
// headers lead to different addresses, Client therefore returns the peer.
func (p Proxies) Client(r *http.Request) string {
	peer, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr // the connection has no ports, for example a Unix socket
	}
	if len(p) == 0 {
		return peer
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

// walk starts at addr and follows the elements of a header from right to left while the current
// address is a trusted proxy. It returns the address at which it stops.
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

// forLoopback reports whether every address in X-Forwarded-For, X-Real-IP and Forwarded, if any, is
// a loopback address. Malformed and hidden addresses are not loopback addresses.
func forLoopback(header http.Header) bool {
	for name, parse := range map[string]func(element string) (netip.Addr, bool){
		"X-Forwarded-For": listedAddress, "X-Real-Ip": listedAddress, "Forwarded": forwardedAddress,
	} {
		for _, line := range header[name] {
			for element := range strings.SplitSeq(line, ",") {
				if addr, ok := parse(strings.Trim(element, " \t")); !ok || !addr.IsLoopback() {
					return false
				}
			}
		}
	}
	return true
}

// forwardedAddress returns the address in the "for" pair of an element of Forwarded (RFC 7239, section
// 4). It refuses a second such pair, and a quoted string that contains a separator.
func forwardedAddress(element string) (addr netip.Addr, ok bool) {
	for pair := range strings.SplitSeq(element, ";") {
		name, value, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(value, `"`) {
			var err error
			if value, err = strconv.Unquote(value); err != nil {
				return netip.Addr{}, false
			}
		}
		if !strings.EqualFold(strings.TrimSpace(name), "for") {
			continue
		}
		if addr.IsValid() {
			return netip.Addr{}, false
		}
		if addr, ok = listedAddress(value); !ok {
			return netip.Addr{}, false
		}
	}
	return addr, ok
}

// listedAddress parses an address with an optional port. An IPv6 address may be in brackets.
func listedAddress(text string) (netip.Addr, bool) {
	withPort, err := netip.ParseAddrPort(text)
	addr := withPort.Addr()
	if err != nil {
		addr, err = netip.ParseAddr(strings.Trim(text, "[]"))
	}
	return addr.Unmap(), err == nil && addr.Zone() == ""
}
