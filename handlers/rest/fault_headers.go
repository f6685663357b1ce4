package rest

import (
	"net/url"
	"slices"
	"strings"

	"example.com/petstore/handlers/sandbox/fault"
)

// FaultHeaders returns the headers that a fault rule can match and set.
func FaultHeaders() fault.Headers {
	return fault.Headers{
		Matched: func(name string) string {
			if name == "Host" {
				return "cannot be matched; X-Sandbox and the path say which sandbox a request is for"
			}
			return ""
		},
		Answered: func(name string) string {
			if slices.Contains(reserved, name) {
				return "is set by the server; leave it out"
			}
			return ""
		},
	}
}

// reserved are the response headers that a rule cannot set: those that frame the message and its
// content type.
var reserved = []string{
	"Connection", "Content-Encoding", "Content-Length", "Content-Type", "Keep-Alive", "Proxy-Connection", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade", "X-Content-Type-Options",
}

// forWholeOrigin are the headers that browsers apply beyond the response: to other requests to the
// origin, or by leaving it.
var forWholeOrigin = []string{
	"Alt-Svc", "Clear-Site-Data", "Content-Security-Policy", "Nel", "Public-Key-Pins", "Refresh", "Report-To",
	"Service-Worker-Allowed", "Set-Cookie", "Strict-Transport-Security",
}

// OwnerFaultHeaders limits the headers of rules set with a sandbox's key, because all sandboxes
// share the origin: no header may apply to the whole origin or command a proxy, and no redirect may
// leave it. base is the address of the server. If it is unknown (""), redirects must be paths.
func OwnerFaultHeaders(base string) fault.Allowed {
	return func(status int, name, value string) string {
		switch {
		case strings.HasPrefix(name, "X-Accel-"), name == "X-Sendfile":
			return "may have a proxy before the server send a file of its own, so it needs the server's --admin-key"
		case slices.Contains(forWholeOrigin, name):
			return "affects all sandboxes of the server in a browser, so it needs the server's --admin-key"
		case name == "Location" && status/100 == 3 && !staysAt(base, value):
			return "must lead to this server, such as /pets; another host needs the server's --admin-key"
		}
		return ""
	}
}

// staysAt reports whether a reference on a page of base leads to the same host, as browsers parse
// it: they read a backslash as a slash, remove tabs, and ignore extra slashes.
func staysAt(base, reference string) bool {
	if strings.ContainsAny(reference, "\\\t") {
		return false
	}
	u, err := url.Parse(reference)
	if err != nil || u.Scheme == "" && u.Host == "" {
		return err == nil && !strings.HasPrefix(reference, "//")
	}
	own, err := url.Parse(base)
	if u.Scheme == "" && err == nil {
		u.Scheme = own.Scheme
	}
	return err == nil && own.Host != "" && u.Scheme == own.Scheme && strings.EqualFold(u.Hostname(), own.Hostname()) && port(u) == port(own)
}

// port returns the port of an address, or the default port of its scheme.
func port(u *url.URL) string {
	if u.Port() == "" {
		return map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Port()
}
