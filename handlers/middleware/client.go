package middleware

import (
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
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

// walk follows the elements of a header from right to left while the current address is a trusted
// proxy. It returns the last address.
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
			for _, element := range split(line, ',') {
				if addr, ok := parse(strings.Trim(element, " \t")); !ok || !addr.IsLoopback() {
					return false
				}
			}
		}
	}
	return true
}

// split splits a header at each separator outside quoted strings (RFC 9110, section 5.6).
func split(line string, separator byte) []string {
	var parts []string
	start, quoted := 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++ // skip the escaped character
		case c == separator && !quoted:
			parts = append(parts, line[start:i])
			start = i + 1
		}
	}
	return append(parts, line[start:])
}

// Grammars of a pair in a Forwarded header, and of a node: an address with an optional port (RFC
// 7239, sections 4 and 6). A name is a token (RFC 9110, section 5.6.2).
var (
	forwardedPair = sync.OnceValue(func() *regexp.Regexp {
		const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
		return regexp.MustCompile("^(" + token + ")=(" + token + `|"(?:[^"\\]|\\.)*")$`)
	})
	forwardedNode = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(
			`^(?:([0-9.]+)|\[([0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)\])(?::(?:[0-9]{1,5}|_[A-Za-z0-9._-]+))?$`)
	})
)

// forwardedAddress returns the address in the "for" pair of an element of Forwarded. No name may
// occur twice in the element.
func forwardedAddress(element string) (addr netip.Addr, ok bool) {
	seen := make(map[string]bool)
	for _, text := range split(element, ';') {
		if text == "" {
			continue
		}
		pair := forwardedPair().FindStringSubmatch(text)
		if pair == nil || seen[strings.ToLower(pair[1])] {
			return netip.Addr{}, false
		}
		seen[strings.ToLower(pair[1])] = true
		if strings.EqualFold(pair[1], "for") {
			addr, ok = nodeAddress(unquote(pair[2]))
		}
	}
	return addr, ok
}

// unquote returns the value of a token or a quoted string (RFC 9110, section 5.6.4).
func unquote(value string) string {
	quoted, ok := strings.CutPrefix(value, `"`)
	if !ok {
		return value
	}
	return escaped().ReplaceAllString(strings.TrimSuffix(quoted, `"`), "$1")
}

var escaped = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\(.)`) })

// nodeAddress returns the address in a node, without the port.
func nodeAddress(node string) (netip.Addr, bool) {
	match := forwardedNode().FindStringSubmatch(node)
	if match == nil {
		return netip.Addr{}, false
	}
	addr, err := netip.ParseAddr(match[1] + match[2])
	return addr.Unmap(), err == nil
}

// listedAddress is like nodeAddress, but also accepts IPv6 addresses without brackets.
func listedAddress(text string) (netip.Addr, bool) {
	if addr, err := netip.ParseAddr(text); err == nil {
		return addr.Unmap(), addr.Zone() == ""
	}
	return nodeAddress(text)
}
