package rest

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/webhook"
)

// callerHeaders are the headers that identify a request, its caller, and the proxies between the
// caller and the server.
var callerHeaders = []string{
	"Authorization", "Origin", "Sec-Fetch-Site", "Via", "Forwarded", "X-Forwarded-For", "X-Real-Ip", webhook.Header,
	"User-Agent", "X-Client", "X-Request-Id",
}

// CallerHeader returns only those headers that identify the request, its caller and the proxies.
// The guard of the control plane examines no other headers, apart from the Host. A request made by
// an MCP tool has these headers of the tool's caller, so the guard treats the request like one that
// the caller sent directly.
func CallerHeader(all http.Header) http.Header {
	header := make(http.Header)
	for _, name := range callerHeaders {
		if values := all[name]; values != nil {
			header[name] = values
		}
	}
	return header
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

// Once calls run, which creates a record. If an earlier request with the same method, path and
// Idempotency-Key has not failed, Once instead returns the response to that request, or an error if
// that request had another body or is still running; see [sandbox.Idempotency.Do].
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

// beyondSandbox are the headers that have an effect beyond their own response. Browsers apply some
// of them to later requests to the origin, which all sandboxes share. Refresh makes a browser leave
// the page. X-Lighttpd-Send-File and X-Sendfile make a proxy send one of its own files.
var beyondSandbox = []string{
	"Accept-Ch", "Alt-Svc", "Clear-Site-Data", "Content-Security-Policy", "Nel", "Origin-Agent-Cluster",
	"Public-Key-Pins", "Refresh", "Report-To", "Service-Worker-Allowed", "Set-Cookie", "Set-Login",
	"Strict-Transport-Security", "Use-As-Dictionary", "X-Lighttpd-Send-File", "X-Sendfile",
}

// OwnerFaultHeaders is the [fault.Allowed] for a fault rule from a request with a sandbox's key. It
// refuses headers with an effect beyond the sandbox, and redirects whose Location is not a path.
func OwnerFaultHeaders(status int, name, value string) string {
	switch {
	case slices.Contains(beyondSandbox, name), strings.HasPrefix(name, "X-Accel-"): // nginx obeys X-Accel- headers
		return "has an effect beyond the sandbox, so it needs the server's --admin-key"
	case name == "Location" && status/100 == 3 && !isPath(value):
		return "must be a path, such as /pets; another address needs the server's --admin-key"
	}
	return ""
}

// isPath reports whether a URL reference stays on the origin of its page. It rejects backslashes
// and tabs, because browsers read a backslash as a slash and remove tabs.
func isPath(reference string) bool {
	u, err := url.Parse(reference)
	return err == nil && u.Scheme == "" && u.Host == "" && !strings.HasPrefix(reference, "//") &&
		!strings.ContainsAny(reference, "\\\t")
}
