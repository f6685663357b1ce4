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

// forwardedAddress returns the address in an element of Forwarded.
func forwardedAddress(element string) (addr netip.Addr, ok bool) {
	ok = readForwarded(element, func(node string) bool {
		addr, ok = nodeAddress(node)
		return ok
	})
	return addr, ok
}

// forLoopback reports whether every address in X-Forwarded-For, X-Real-IP and Forwarded, if any, is
// a loopback address. Malformed and hidden addresses are not loopback addresses.
func forLoopback(header http.Header) bool {
	for _, line := range header["X-Forwarded-For"] {
		for client := range strings.SplitSeq(line, ",") {
			client = strings.Trim(client, " \t")
			if !isLoopbackClient(client) {
				return false
			}
		}
	}
	for _, client := range header["X-Real-Ip"] { // a single address, as nginx sends it
		if !isLoopbackClient(strings.Trim(client, " \t")) {
			return false
		}
	}
	for _, line := range header["Forwarded"] {
		if !readForwarded(line, isLoopbackNode) {
			return false
		}
	}
	return true
}

// Grammars of a pair in a Forwarded header, and of a node: an address with an optional port (RFC
// 7239, sections 4 and 6).
var (
	forwardedPair = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("^;*(" + token + ")=(" + token + `|"(?:[^"\\]|\\.)*")`)
	})
	forwardedNode = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(
			`^(?:([0-9.]+)|\[([0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)\])(?::(?:[0-9]{1,5}|_[A-Za-z0-9._-]+))?$`)
	})
)

// token is the grammar of a token (RFC 9110, section 5.6.2).
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"

// longestForwarded is the maximum length of a Forwarded line, in bytes. Lines from proxies are much
// shorter. The limit is needed because the time to parse a line grows with the square of its
// length.
const longestForwarded = 4 << 10

// readForwarded reads a line of Forwarded. Commas separate its elements, and semicolons separate
// the pairs of an element. readForwarded reports whether the line is valid and accept returns true
// for the "for" node of each element.
func readForwarded(line string, accept func(node string) bool) bool {
	if len(line) > longestForwarded {
		return false
	}
	line = strings.Trim(line, " \t")
	element := make(map[string]bool) // the names seen in the current element
	for {
		pair := forwardedPair().FindStringSubmatch(line)
		if pair == nil {
			return false
		}
		name := strings.ToLower(pair[1])
		if element[name] || name == "for" && !accept(unquote(pair[2])) {
			return false
		}
		element[name] = true
		line = line[len(pair[0]):]
		rest := strings.TrimLeft(line, ";")
		end := strings.TrimLeft(rest, " \t")
		switch {
		case end == "":
			return element["for"]
		case end[0] == ',':
			if !element["for"] {
				return false
			}
			clear(element)
			line = strings.TrimLeft(end[1:], " \t")
		case len(rest) == len(line): // no semicolon before the next pair
			return false
		}
	}
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

// isLoopbackNode reports whether a node is a loopback address.
func isLoopbackNode(node string) bool {
	addr, ok := nodeAddress(node)
	return ok && addr.IsLoopback()
}

// isLoopbackClient is like isLoopbackNode, but also accepts IPv6 addresses without brackets.
func isLoopbackClient(client string) bool {
	addr, ok := listedAddress(client)
	return ok && addr.IsLoopback()
}
