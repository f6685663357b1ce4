package rest

import (
	"fmt"
	"net/url"
	"strings"
)

// prefixed is the path prefix of sandboxes other than the default one.
const prefixed = "/sandboxes/"

// JoinPath is where the attendees of a workshop get their sandboxes.
const JoinPath = "/join"

// MetricsPath is the path of the metrics, behind the guard of the control plane.
const MetricsPath = "/metrics"

// MCPPath is the path of the control plane as tools for coding agents, behind its guard.
const MCPPath = "/mcp"

// readPath splits the path of a URL into the prefix that chose the sandbox (escaped), the name in
// that prefix, and the path behind it.
//
// A path is a sequence of segments (RFC 3986, section 2.2): an encoded slash is part of a segment.
// So the path behind the prefix is decoded except for %2F and %25, which keeps the two kinds of
// slash apart.
//
// The path of the server's public address is removed first.
func readPath(u *url.URL, public *PublicURL) (prefix, name, behind string) {
	path := public.without(readable(encoded(u)))
	inSandbox, ok := strings.CutPrefix(path, prefixed)
	if !ok {
		return "", "", path
	}
	name, behind, _ = strings.Cut(inSandbox, "/")
	name = Segment(name)
	return prefixed + url.PathEscape(name), name, "/" + behind
}

// encoded returns the path as the client sent it. [url.URL.EscapedPath] would encode the decoded
// path again if the client left a byte unescaped, and turn every %2F into a slash.
func encoded(u *url.URL) string {
	if u.RawPath != "" {
		if decoded, err := url.PathUnescape(u.RawPath); err == nil && decoded == u.Path {
			return u.RawPath
		}
	}
	return u.EscapedPath()
}

// readable decodes a path except for %2F and %25.
func readable(path string) string {
	if !strings.Contains(path, "%") {
		return path
	}
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		text := Segment(segment)
		text = strings.ReplaceAll(text, "%", "%25")
		segments[i] = strings.ReplaceAll(text, "/", "%2F")
	}
	return strings.Join(segments, "/")
}

// Segment decodes a path segment, or returns it unchanged if it is not validly encoded.
func Segment(text string) string {
	decoded, err := url.PathUnescape(text)
	if err != nil {
		return text
	}
	return decoded
}

// NoRoute returns the response to an unknown path. nearest is the known path that was probably
// meant, added the prefix that a proxy may have put before it. Both may be empty.
func (x *Exchange) NoRoute(nearest, added string) *Error {
	document := "/openapi.json"
	for _, path := range []string{x.Path, nearest} {
		if path == "/admin" || strings.HasPrefix(path, "/admin/") {
			document = "/admin/openapi.json"
		}
	}
	target := x.URL(x.Path)
	if target == "" { // of a CONNECT request
		target = x.R.RequestURI
	}
	hint := ""
	if nearest != "" {
		hint = "did you mean " + short(x.URL(nearest)) + "? "
	}
	if added != "" && x.public == nil && x.Prefix == "" && publicPath.MatchString(added) {
		hint += fmt.Sprintf("if a proxy adds %[1]s, start the server with --public-url and the address that users see, such as http://localhost:5173%[1]s; ", short(added))
	}
	return Refuse("not_found", fmt.Sprintf("there is nothing at %s; %s%s describes every path", short(target), hint, short(x.URL(document))))
}

// short shortens a path in a message to one line.
func short(path string) string {
	const most = 200
	if len(path) <= most {
		return path
	}
	return path[:most] + "…"
}
