package middleware

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"example.com/petstore/handlers/hosts"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store/field"
)

// Origins determines which hosts and origins may use the control plane.
type Origins struct {
	// AllowedHosts are the accepted values of Host, in addition to loopback names and the listening
	// address.
	AllowedHosts []string
	// Trusted are the accepted origins (scheme://host[:port]), in addition to loopback ones and the
	// server's own. Origins must match exactly.
	Trusted []string
}

// GuardAdmin protects a control plane without a key from foreign pages and machines. It refuses
// every Host but the server's own (to stop DNS rebinding), requests that a proxy forwards from
// another machine, and every foreign Origin. It also refuses requests from webhooks, because
// webhooks must not target the admin API. If the server requires a key, or the request has its
// sandbox's key and that key suffices, none of this is checked, because foreign pages do not know
// the key.
func GuardAdmin(o Origins, hasKey bool) rest.Link {
	guard := func(x *rest.Exchange) error {
		if x.Path == rest.MCPPath { // MCP requires this check even for requests with a key
			if err := o.checkOrigin(x); err != nil {
				return err
			}
		}
		if hasKey || x.Operation.OwnKey && sentOwnKey(x) {
			return nil
		}
		header := rest.CallerHeader(x.R.Header) // requests made by an MCP tool have only these headers
		switch {
		case !o.knows(x.R):
			return rest.Forbidden(fmt.Sprintf("the control plane does not accept the Host %s; use a loopback address, or start the server with --allowed-host or --admin-key", field.Quote(x.R.Host)))
		case header[webhook.Header] != nil:
			return rest.Forbidden("the control plane does not accept what a webhook sends; give the webhook another url")
		case header["Via"] != nil, !forLoopback(header):
			return rest.Forbidden("the control plane does not accept requests through a proxy without a key; start the server with --admin-key and send Authorization: Bearer KEY")
		}
		if err := o.checkOrigin(x); err != nil {
			return err
		}
		return nil
	}
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		if !underAdmin(op.Path) || hasKey && op.Path != rest.MCPPath {
			return next
		}
		return rest.Before(guard, next)
	}
}

// checkOrigin refuses writes and event streams requested by pages that are not trusted. CORS hides
// other responses from such pages.
func (o Origins) checkOrigin(x *rest.Exchange) error {
	header := rest.CallerHeader(x.R.Header)
	origins := header["Origin"]
	safe := (x.R.Method == http.MethodGet || x.R.Method == http.MethodHead) && !x.Operation.Stream
	switch {
	case len(origins) == 0 && !safe:
		// Browsers that send no Origin are recognized by Sec-Fetch-Site.
		changing := *x.R
		changing.Method = http.MethodPost // treat a stream like a write
		changing.Header = header
		if err := http.NewCrossOriginProtection().Check(&changing); err != nil {
			return rest.Forbidden("the control plane does not accept requests from other sites: " + err.Error())
		}
	case len(origins) > 1, !safe && !o.TrustsPages(origins[0]) && !sameOrigin(x.R, origins[0]):
		return rest.Forbidden(fmt.Sprintf("the control plane does not accept requests from pages of %s; start the server with --admin-origin to trust them", field.Quote(strings.Join(origins, ", "))))
	}
	return nil
}

func isAdmin(x *rest.Exchange) bool { return underAdmin(x.Path) }

// underAdmin reports whether the path is in the control plane, even if it is unknown there, so that
// foreign pages do not see a 404 or 405 either.
func underAdmin(path string) bool {
	return path == "/admin" || strings.HasPrefix(path, "/admin/") || path == rest.MetricsPath || path == rest.MCPPath
}

// knows reports whether the request's Host is one of the server's names.
func (o Origins) knows(r *http.Request) bool {
	host := hosts.WithoutRoot(hostname(r.Host))
	return hosts.IsLoopback(host) || isAddress(host, localAddress(r)) || o.allows(host)
}

// OwnsHost reports whether the request's Host is an allowed host, or the address and port to which
// the client connected. As far as the server knows, such a Host is also valid on other machines.
func (o Origins) OwnsHost(r *http.Request) bool {
	host, local := hosts.WithoutRoot(hostname(r.Host)), localAddress(r)
	if o.allows(host) {
		return true
	}
	_, port, err := net.SplitHostPort(r.Host)
	return err == nil && port == strconv.Itoa(int(local.Port())) &&
		(isAddress(host, local) || hosts.IsLoopback(host) && local.Addr().Unmap().IsLoopback())
}

func (o Origins) allows(host string) bool {
	return slices.ContainsFunc(o.AllowedHosts, func(h string) bool { return strings.EqualFold(hosts.WithoutRoot(h), host) })
}

// localAddress returns the server's address of the request's connection, or the zero value if it is
// unknown.
func localAddress(r *http.Request) netip.AddrPort {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return netip.AddrPort{}
	}
	bound, _ := netip.ParseAddrPort(local.String())
	return bound
}

// isAddress reports whether host is the address.
func isAddress(host string, local netip.AddrPort) bool {
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap() == local.Addr().Unmap()
}

// TrustsPages reports whether pages from the origin may use the control plane: its host is a
// loopback host, or it is trusted.
func (o Origins) TrustsPages(origin string) bool {
	if slices.ContainsFunc(o.Trusted, func(t string) bool { return strings.EqualFold(t, origin) }) {
		return true
	}
	u, ok := parseOrigin(origin)
	return ok && hosts.IsLoopback(hosts.WithoutRoot(u.Hostname()))
}

func sameOrigin(r *http.Request, origin string) bool {
	u, ok := parseOrigin(origin)
	return ok && (u.Scheme == "https") == (r.TLS != nil) && strings.EqualFold(u.Host, r.Host)
}

// ValidOrigin reports whether a browser can send this Origin.
func ValidOrigin(origin string) bool {
	_, ok := parseOrigin(origin)
	return ok
}

// ValidHost reports whether a browser can send a request to this host: an ASCII name or an IP
// address, without brackets and port.
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

// hostname returns the host in host[:port], without the brackets of IPv6.
func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}
