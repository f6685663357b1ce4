package rest

import (
	"fmt"
	"net/url"
	"strings"
)

// prefixed is what the paths of a sandbox other than the default one begin with.
const prefixed = "/sandboxes/"

// JoinPath is where attendees of a workshop get a sandbox each.
const JoinPath = "/join"

// MetricsPath is where monitoring looks for figures, by the guard of the control plane.
const MetricsPath = "/metrics"

// MCPPath is where coding agents find the control plane as tools, by its guard.
const MCPPath = "/mcp"

// readPath parts the path of an address into the prefix by which the client chose a
// sandbox, as an address has it, the name in that prefix, and the path behind it.
//
// A path is read segment by segment (RFC 3986, section 2.2): an encoded slash is a
// part of its segment and separates nothing. So the path behind the prefix is decoded
// but for %2F and %25, and says which of its slashes is which.
//
// What the path has before that by the server's public address is left out.
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

// encoded returns the path as it came. [url.URL.EscapedPath] encodes the decoded path
// anew where the client left a byte plain that it should not have, and every %2F is a
// slash then.
func encoded(u *url.URL) string {
	if u.RawPath != "" {
		if decoded, err := url.PathUnescape(u.RawPath); err == nil && decoded == u.Path {
			return u.RawPath
		}
	}
	return u.EscapedPath()
}

// readable decodes all of a path but %2F and %25.
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

// Segment decodes a segment of a path, or returns it as it is if it is not encoded as
// one.
func Segment(text string) string {
	decoded, err := url.PathUnescape(text)
	if err != nil {
		return text
	}
	return decoded
}

// NoRoute is the answer to a path that is none. nearest is the one there is that was
// most likely meant, and added what a proxy may have put before it. Both may be empty.
func (x *Exchange) NoRoute(nearest, added string) *Error {
	document := "/openapi.json"
	for _, path := range []string{x.Path, nearest} {
		if path == "/admin" || strings.HasPrefix(path, "/admin/") {
			document = "/admin/openapi.json"
		}
	}
	target := x.URL(x.Path)
	if target == "" { // that of CONNECT
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

// short keeps a path that an error repeats to a line.
func short(path string) string {
	const most = 200
	if len(path) <= most {
		return path
	}
	return path[:most] + "…"
}
