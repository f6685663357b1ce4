package middleware

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"example.com/petstore/handlers/hosts"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store/field"
)

// Origins determines which hosts and origins may use the control plane.
type Origins struct {
	// AllowedHosts lists the accepted hosts, without ports, in addition to loopback names and the
	// address to which the client connected.
	AllowedHosts []string
	// Trusted lists the accepted origins (scheme://host[:port]), in addition to loopback origins
	// and the server's own. An origin must match exactly, except for letter case.
	Trusted []string
}

// If the control plane requires no key, guard protects it from foreign pages and machines. It refuses
// every Host but the server's own (to stop DNS rebinding), requests that a proxy may have forwarded
// from another machine, and writes and event streams that foreign pages request. It also refuses
// requests from webhooks, because webhooks must not target the admin API.
//
// If the server requires a key, or if the request has its sandbox's key and the operation accepts
// it, guard checks only the Origin of MCP requests. Foreign pages do not know these keys.
func (o Origins) guard(x *rest.Exchange, hasKey bool) error {
	header := rest.CallerHeader(x.R.Header) // an MCP tool copies only these headers
	if x.Path == rest.MCPPath {             // MCP requires this check even for requests with a key
		if err := o.checkOrigin(x, header); err != nil {
			return err
		}
	}
	switch {
	case hasKey, x.ByOwner:
		return nil
	case !o.knows(x.R):
		return rest.Forbidden(
			fmt.Sprintf(
				"the control plane does not accept the Host %s; use a loopback address, or start the server with "+
					"--allowed-host or --admin-key", field.Quote(x.R.Host)))
	case header[webhook.Header] != nil:
		return rest.Forbidden(
			"the control plane does not accept what a webhook sends; give the webhook another url")
	case header["Via"] != nil, !forLoopback(header):
		return rest.Forbidden(
			"the control plane does not accept requests through a proxy without a key; start the server with " +
				"--admin-key and send Authorization: Bearer KEY")
	}
	return o.checkOrigin(x, header)
}

// checkOrigin refuses writes and event streams that an untrusted page requests. CORS hides all
// other responses from such a page. header is the request's [rest.CallerHeader].
func (o Origins) checkOrigin(x *rest.Exchange, header http.Header) error {
	origins := header["Origin"]
	safe := (x.R.Method == http.MethodGet || x.R.Method == http.MethodHead) && !x.Operation.Stream
	switch {
	case len(origins) == 0 && (safe || slices.Contains(ownSites, header.Get("Sec-Fetch-Site"))):
		return nil
	case len(origins) == 0:
		return rest.Forbidden(
			"the control plane does not accept requests from pages of other sites; start the server with " +
				"--admin-origin to trust them")
	case !safe && slices.Equal(origins, []string{"null"}):
		return rest.Forbidden(
			"the control plane does not accept requests from pages without an origin, such as files; serve the page " +
				"over HTTP, and start the server with --admin-origin to trust it")
	case len(origins) > 1, !safe && !o.TrustsPages(origins[0]) && !sameOrigin(x.R, origins[0]):
		return rest.Forbidden(
			fmt.Sprintf(
				"the control plane does not accept requests from pages of %s; start the server with --admin-origin "+
					"to trust them", field.Quote(strings.Join(origins, ", "))))
	}
	return nil
}

// ownSites are the values of Sec-Fetch-Site in requests that no page of another site has caused.
// Browsers that send no Origin send this header, and other programs send neither.
var ownSites = []string{"", "none", "same-origin"}

func isAdmin(x *rest.Exchange) bool { return underAdmin(x.Path) }

// underAdmin reports whether the path is in the control plane. Unknown paths there are included, so
// that foreign pages cannot see a 404 or 405 either.
func underAdmin(path string) bool {
	return path == "/admin" || strings.HasPrefix(path, "/admin/") || path == rest.MetricsPath || path == rest.MCPPath
}

// knows reports whether the request's Host is one of the server's names.
func (o Origins) knows(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil { // no port
		host = strings.Trim(r.Host, "[]")
	}
	host = hosts.WithoutRoot(host)
	return hosts.IsLoopback(host) || isLocalAddress(r, host) ||
		slices.ContainsFunc(o.AllowedHosts, func(h string) bool { return strings.EqualFold(hosts.WithoutRoot(h), host) })
}

// isLocalAddress reports whether host is the IP address to which the client connected.
func isLocalAddress(r *http.Request, host string) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	ip, err := netip.ParseAddr(host)
	return ok && err == nil && ip.Unmap() == local.AddrPort().Addr().Unmap()
}

// TrustsPages reports whether pages of the origin may use the control plane. The origin must be in
// o.Trusted or have a loopback host.
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

// ValidOrigin reports whether origin has the form scheme://host[:port], with http or https.
func ValidOrigin(origin string) bool {
	_, ok := parseOrigin(origin)
	return ok
}

var hostName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// ValidHost reports whether host is an ASCII name or an IP address, without brackets or a port.
// Browsers can send requests only to such hosts.
func ValidHost(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil || hostName.MatchString(host)
}

// parseOrigin parses an origin in the form scheme://host[:port] (RFC 6454, section 6.2), with http
// or https. It rejects any other text.
func parseOrigin(origin string) (*url.URL, bool) {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, false
	}
	return u, u.Scheme+"://"+u.Host == origin
}
