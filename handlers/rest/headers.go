package rest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store/field"
)

// maxHeaderLines is the maximum number of lines of one header in a request.
const maxHeaderLines = 100

// BoundHeaders returns a 431 if the request has too many lines of one header. Without this limit,
// each fault rule with a condition on the header would have to read all the lines.
func BoundHeaders(header http.Header) error {
	for name, lines := range header {
		if len(lines) > maxHeaderLines {
			return Refuse("too_many_header_lines",
				fmt.Sprintf("the request has %d lines of the header %s: send at most %d", len(lines),
					field.Abbreviate(name), maxHeaderLines))
		}
	}
	return nil
}

// callerHeaders are the headers that identify a request, its caller, and the proxies between the
// caller and the server.
var callerHeaders = []string{
	"Authorization", "Origin", "Sec-Fetch-Site", "Via", "Forwarded", "X-Forwarded-For", "X-Real-Ip", webhook.Header,
	"User-Agent", "X-Client", "X-Request-Id",
}

// CallerHeader returns a copy of only those headers that identify the request, its caller and the
// proxies. The guard of the control plane examines no other headers. A request made by an MCP tool
// has these headers of the tool's caller, so the guard treats the request like one that the caller
// sent directly.
func CallerHeader(all http.Header) http.Header {
	header := make(http.Header)
	for _, name := range callerHeaders {
		if values := all[name]; values != nil {
			header[name] = values
		}
	}
	return header
}

// Caller returns the request's caller, read from User-Agent and X-Client. Keys are redacted.
func (x *Exchange) Caller() lifecycle.Caller {
	agent := x.R.UserAgent()
	return lifecycle.Caller{UserAgent: x.Keys.Redact(agent),
		ClientName: x.Keys.Redact(journal.ClientName(x.R.Header.Get("X-Client"), agent))}
}

// NameCaller formats a caller for display.
func NameCaller(c lifecycle.Caller) string {
	switch {
	case c.ClientName == "":
		return "a caller without a name"
	case c.UserAgent == "":
		return c.ClientName
	case c.ClientName == journal.ClientName("", c.UserAgent):
		return c.UserAgent
	}
	return c.ClientName + " (" + c.UserAgent + ")"
}

// longestKey is the maximum length of an idempotency key, in bytes.
const longestKey = 255

// idempotencyKey returns the request's Idempotency-Key, or "" if it has none. The header's value is
// a quoted string (draft-ietf-httpapi-idempotency-key-header, section 2.1). An unquoted value is
// accepted too, because most clients send one. If the header is invalid, the error is a 400.
func (x *Exchange) idempotencyKey() (string, error) {
	values := x.R.Header["Idempotency-Key"]
	if values == nil {
		return "", nil
	}
	key := strings.Trim(values[0], " \t")
	if len(key) >= 2 && key[0] == '"' && key[len(key)-1] == '"' {
		key = key[1 : len(key)-1]
	}
	if len(values) > 1 || !registry.ValidKey(key) || strings.ContainsAny(key, `"\`) || len(key) > longestKey {
		return "", BadParameter("Idempotency-Key",
			`must be given once, as 1 to 255 visible ASCII characters in double quotes, such as "8e03978e-40d5"`)
	}
	return key, nil
}

// Once calls run to create a record, unless an earlier request with the same Idempotency-Key did. It
// then returns the response to that request, or an error if that request had another body or is
// still running; see [sandbox.Idempotency.Do].
func (x *Exchange) Once(run func() (sandbox.Answer, error)) (sandbox.Answer, error) {
	key, err := x.idempotencyKey()
	if err != nil {
		return sandbox.Answer{}, err
	}
	if key == "" {
		return run()
	}
	body, err := x.Body()
	if err != nil {
		return sandbox.Answer{}, err
	}
	answer, replayed, err := x.Sandbox.Idempotency.Do(x.Operation.Method+" "+x.Path, key, body, run)
	if replayed {
		x.SetHeader("Idempotency-Replayed", "true")
	}
	return answer, err
}

// forWholeOrigin are the headers that have an effect beyond their own response. Browsers apply some
// of them to later requests to the origin. With Refresh, a browser leaves the page.
var forWholeOrigin = []string{
	"Accept-Ch", "Alt-Svc", "Clear-Site-Data", "Content-Security-Policy", "Nel", "Origin-Agent-Cluster",
	"Public-Key-Pins", "Refresh", "Report-To", "Service-Worker-Allowed", "Set-Cookie", "Set-Login",
	"Strict-Transport-Security", "Use-As-Dictionary",
}

// forProxies are headers that make a proxy send a file of its own. Those that start with X-Accel-,
// which nginx obeys, are not listed.
var forProxies = []string{"X-Lighttpd-Send-File", "X-Sendfile"}

// OwnerFaultHeaders returns a check for the headers in a fault rule from a request with a sandbox's
// key. Since all sandboxes share an origin, these headers must not affect the whole origin,
// instruct a proxy, or redirect to another host. base is the server's address. If base is ""
// (unknown), redirects must be paths.
func OwnerFaultHeaders(base string) fault.Allowed {
	return func(status int, name, value string) string {
		switch {
		case strings.HasPrefix(name, "X-Accel-"), slices.Contains(forProxies, name):
			return "may have a proxy before the server send a file of its own, so it needs the server's --admin-key"
		case slices.Contains(forWholeOrigin, name):
			return "affects all sandboxes of the server in a browser, so it needs the server's --admin-key"
		case name == "Location" && status/100 == 3 && !staysAt(base, value):
			return "must lead to this server, such as /pets; another host needs the server's --admin-key"
		}
		return ""
	}
}

// staysAt reports whether a reference on a page of base leads to the same origin. It rejects
// backslashes, tabs and extra slashes. Browsers read a backslash as a slash, remove tabs, and
// ignore extra slashes.
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
	return err == nil && own.Host != "" && u.Scheme == own.Scheme && strings.EqualFold(u.Hostname(), own.Hostname()) &&
		port(u) == port(own)
}

// port returns the port in u. If u has no port, it returns the default port of the scheme.
func port(u *url.URL) string {
	if u.Port() == "" {
		return map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Port()
}
