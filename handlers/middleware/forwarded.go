package middleware

import (
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"sync"
)

// forLoopback reports whether the request comes from this machine according to the proxies that
// forwarded it: every client in X-Forwarded-For, X-Real-IP and Forwarded, on any line, is a
// loopback address. Addresses that are malformed or hidden count as foreign.
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

// The grammar of a pair in Forwarded and of an address with or without a port (RFC 7239, sections 4
// and 6).
var (
	forwardedPair = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("^;*(" + token + ")=(" + token + `|"(?:[^"\\]|\\.)*")`)
	})
	forwardedNode = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:([0-9.]+)|\[([0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)\])(?::(?:[0-9]{1,5}|_[A-Za-z0-9._-]+))?$`)
	})
)

// token is the grammar of RFC 9110, section 5.6.2.
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"

// longestForwarded is in bytes, many times what proxies send: each pair of a line takes as
// long to find as the rest of the line is.
const longestForwarded = 4 << 10

// readForwarded reads a line of Forwarded, whose elements stand between commas and whose pairs stand between
// semicolons. It reports whether the line is valid and each element is for a node that is accepted.
func readForwarded(line string, accept func(node string) bool) bool {
	if len(line) > longestForwarded {
		return false
	}
	line = strings.Trim(line, " \t")
	element := make(map[string]bool) // the names in it
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
		case len(rest) == len(line): // no semicolon before what comes
			return false
		}
	}
}

// unquote returns the text of a token or a quoted string (RFC 9110, section 5.6.4).
func unquote(value string) string {
	quoted, ok := strings.CutPrefix(value, `"`)
	if !ok {
		return value
	}
	return escaped().ReplaceAllString(strings.TrimSuffix(quoted, `"`), "$1")
}

var escaped = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\(.)`) })

// nodeAddress returns the address of a node, which may have a port.
func nodeAddress(node string) (netip.Addr, bool) {
	match := forwardedNode().FindStringSubmatch(node)
	if match == nil {
		return netip.Addr{}, false
	}
	addr, err := netip.ParseAddr(match[1] + match[2])
	return addr.Unmap(), err == nil
}

// listedAddress is nodeAddress for headers in which IPv6 comes without brackets too.
func listedAddress(text string) (netip.Addr, bool) {
	if addr, err := netip.ParseAddr(text); err == nil {
		return addr.Unmap(), addr.Zone() == ""
	}
	return nodeAddress(text)
}

// isLoopbackNode reports whether a node is an address of this machine.
func isLoopbackNode(node string) bool {
	addr, ok := nodeAddress(node)
	return ok && addr.IsLoopback()
}

// isLoopbackClient is isLoopbackNode for headers in which IPv6 comes without brackets too.
func isLoopbackClient(client string) bool {
	addr, ok := listedAddress(client)
	return ok && addr.IsLoopback()
}
