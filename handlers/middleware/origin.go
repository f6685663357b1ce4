package middleware

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"example.com/petstore/handlers/rest"
)

// Origins decides who may speak to the control plane.
type Origins struct {
	// AllowedHosts are the host names, besides loopback ones and the listening
	// address, that a request's Host may have.
	AllowedHosts []string
	// Trusted are the origins, besides loopback ones and the server's own, from
	// which a browser may come: scheme://host[:port], compared whole.
	Trusted []string
}

// GuardAdmin keeps strange pages out of the control plane: it refuses a Host that
// is not the server's own, which stops DNS rebinding, and every foreign Origin.
// Both are denied by default.
func GuardAdmin(o Origins) rest.Link {
	crossOrigin := http.NewCrossOriginProtection()
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if !isAdmin(x) {
				return next(x)
			}
			if !o.knows(x.R) {
				return rest.Forbidden(fmt.Sprintf("the control plane does not answer to the Host %q; use a loopback address, or start the server with --allowed-host", x.R.Host))
			}
			if origin := x.R.Header.Get("Origin"); origin != "" {
				if !o.TrustsPages(origin) && !sameOrigin(x.R, origin) {
					return rest.Forbidden(fmt.Sprintf("the control plane does not answer to pages from %q; start the server with --admin-origin to trust them", origin))
				}
				return next(x)
			}
			// Without an Origin, Sec-Fetch-Site still tells a browser's request.
			if err := crossOrigin.Check(x.R); err != nil {
				return rest.Forbidden("the control plane does not answer to requests from other sites: " + err.Error())
			}
			return next(x)
		}
	}
}

func isAdmin(x *rest.Exchange) bool { return underAdmin(x.Path) }

// underAdmin goes by the path, so that 404 and 405 there are kept from strange
// pages as well.
func underAdmin(path string) bool {
	return path == "/admin" || strings.HasPrefix(path, "/admin/")
}

// knows reports whether the request's Host is one of the server's own names.
func (o Origins) knows(r *http.Request) bool {
	host := hostname(r.Host)
	return isLoopback(host) || isLocalAddress(r, host) ||
		slices.ContainsFunc(o.AllowedHosts, func(h string) bool { return strings.EqualFold(h, host) })
}

// isLocalAddress reports whether host is the address that the connection came to.
func isLocalAddress(r *http.Request, host string) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	bound, err := netip.ParseAddrPort(local.String())
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap() == bound.Addr().Unmap()
}

// TrustsPages reports whether a page of the origin may use the control plane: one that
// a loopback host serves, or a trusted one.
func (o Origins) TrustsPages(origin string) bool {
	if slices.ContainsFunc(o.Trusted, func(t string) bool { return strings.EqualFold(t, origin) }) {
		return true
	}
	u, ok := parseOrigin(origin)
	return ok && isLoopback(u.Hostname())
}

func sameOrigin(r *http.Request, origin string) bool {
	u, ok := parseOrigin(origin)
	return ok && (u.Scheme == "https") == (r.TLS != nil) && strings.EqualFold(u.Host, r.Host)
}

// ValidOrigin reports whether the text can be a browser's Origin.
func ValidOrigin(origin string) bool {
	_, ok := parseOrigin(origin)
	return ok
}

// ValidHost reports whether the text can be the host of a browser's request: a name
// in ASCII or an IP address, without brackets and without a port.
func ValidHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	for i := range len(host) {
		switch c := host[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '.', c == '_':
		default:
			return false
		}
	}
	return host != ""
}

// parseOrigin parses scheme://host[:port] and nothing else (RFC 6454, section 6.1).
func parseOrigin(origin string) (*url.URL, bool) {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, false
	}
	return u, u.Scheme+"://"+u.Host == origin
}

// isLoopback reports whether a host can only be this machine: localhost and what
// is below it (RFC 6761, section 6.3), or a loopback address.
func isLoopback(host string) bool {
	host = strings.ToLower(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// hostname returns the host of host[:port], without the brackets of IPv6.
func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}
