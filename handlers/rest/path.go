package rest

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// prefixed is the start of a path that names a sandbox.
const prefixed = "/sandboxes/"

// JoinPath is the path at which attendees of a workshop get their sandboxes.
const JoinPath = "/join"

// MetricsPath is the path of the metrics. The guard of the control plane protects it.
const MetricsPath = "/metrics"

// MCPPath is the path of the MCP server, which offers the control plane as tools for coding agents.
// The guard of the control plane protects it.
const MCPPath = "/mcp"

// readPath splits the path of a URL into the escaped prefix that names the sandbox, the name in
// that prefix, and the path after the prefix. It first removes the path of the server's public
// address.
//
// A path is a sequence of segments (RFC 3986, section 3.3). An encoded slash is part of a segment
// and does not separate segments. To distinguish the two kinds of slash, readPath decodes the rest
// of the path except for %2F and %25.
func readPath(u *url.URL, public PublicURL) (prefix, name, behind string) {
	path := strings.ReplaceAll(u.Path, "%", "%25") // right if the path has no encoded slash
	if decoded, err := url.PathUnescape(u.RawPath); u.RawPath != "" && err == nil && decoded == u.Path {
		segments := strings.Split(u.RawPath, "/")
		for i, segment := range segments {
			text := strings.ReplaceAll(Segment(segment), "%", "%25")
			segments[i] = strings.ReplaceAll(text, "/", "%2F")
		}
		path = strings.Join(segments, "/")
	}
	if public.Path != "" {
		path = public.trim(path)
	}
	inSandbox, ok := strings.CutPrefix(path, prefixed)
	if !ok {
		return "", "", path
	}
	name, behind, _ = strings.Cut(inSandbox, "/")
	name = Segment(name)
	return prefixed + url.PathEscape(name), name, "/" + behind
}

// URL adds the public address's path prefix and the sandbox prefix to a path, so that a client can
// use it.
func (x *Exchange) URL(path string) string { return x.Public.Path + x.Prefix + path }

// Segment decodes a path segment. If the encoding is invalid, Segment returns the text unchanged.
func Segment(text string) string {
	decoded, err := url.PathUnescape(text)
	if err != nil {
		return text
	}
	return decoded
}

// NoRoute returns the response to an unknown path. nearest is the known path that the client
// probably meant. added is the prefix that a proxy may have added to the path. Both may be empty.
func (x *Exchange) NoRoute(nearest, added string) *Error {
	document := "/openapi.json"
	for _, path := range []string{x.Path, nearest} {
		if path == "/admin" || strings.HasPrefix(path, "/admin/") {
			document = "/admin/openapi.json"
		}
	}
	target := x.URL(x.Path)
	if target == "" { // in a CONNECT request
		target = x.R.RequestURI
	}
	hint := ""
	if nearest != "" {
		hint = "did you mean " + short(x.URL(nearest)) + "? "
	}
	if added != "" && x.Documents && x.Public.Origin == "" && x.Prefix == "" && publicPath.MatchString(added) {
		hint += fmt.Sprintf(
			"if a proxy adds %[1]s, start the server with --public-url and the address that users see, such as "+
				"http://localhost:5173%[1]s; ", short(added))
	}
	where := short(x.URL(document)) + " describes every path"
	if !x.Documents {
		where = "this server has no pages, documents and /mcp: package handlers/extras adds them"
	}
	return Refuse("not_found", fmt.Sprintf("there is nothing at %s; %s%s", short(target), hint, where))
}

// short truncates a path for use in a message.
func short(path string) string {
	const most = 200
	if len(path) <= most {
		return path
	}
	return path[:most] + "…"
}

// SandboxName returns the name of the request's sandbox. The path or the X-Sandbox header contains
// the name. If neither does, the name is [sandbox.Default]. The header is percent-encoded like a
// path segment. A request may name the same sandbox in both places. The error is a 400.
func (x *Exchange) SandboxName() (sandbox.Name, error) {
	name := sandbox.Name{Canonical: sandbox.Default, Title: sandbox.Default}
	var err error
	if x.Prefix != "" {
		if name, err = parseSandboxName("sandbox", x.named); err != nil {
			return name, err
		}
	}
	headers := x.R.Header["X-Sandbox"]
	if len(headers) == 0 {
		return name, nil
	}
	if len(headers) > 1 {
		return name, BadParameter("X-Sandbox", givenOften(len(headers)))
	}
	text, err := url.PathUnescape(headers[0])
	if err != nil {
		return name, BadParameter("X-Sandbox", field.Quote(headers[0])+" does not parse; write % as %25")
	}
	if !utf8.ValidString(text) {
		return name, BadParameter("X-Sandbox",
			field.Quote(headers[0])+" is not UTF-8; percent-encode the name in UTF-8, as encodeURIComponent does")
	}
	inHeader, err := parseSandboxName("X-Sandbox", text)
	switch {
	case err != nil:
		return name, err
	case x.Prefix != "" && inHeader.Canonical != name.Canonical:
		return name, BadParameter("X-Sandbox",
			"names a different sandbox than the path, "+field.Quote(x.named)+"; use the path or the header")
	}
	return inHeader, nil
}

// PathSandbox returns the named path parameter as a sandbox name, or a 400 if it is invalid.
func (x *Exchange) PathSandbox(parameter string) (sandbox.Name, error) {
	return parseSandboxName(parameter, x.Params.Get(parameter))
}

func parseSandboxName(parameter, text string) (sandbox.Name, error) {
	name, err := sandbox.ParseName(text)
	if err != nil {
		return name, BadParameter(parameter, BadSandboxName(text))
	}
	return name, nil
}

// BadSandboxName returns the message for an invalid sandbox name.
func BadSandboxName(text string) string { return field.Quote(text) + " " + sandbox.ErrBadName.Error() }

// PathName returns the named path parameter as the name of a snapshot or a webhook, or a 400 if it
// is invalid.
func (x *Exchange) PathName(parameter string) (string, error) {
	name := x.Params.Get(parameter)
	if !sandbox.ValidName(name) {
		return "", BadParameter(parameter, field.Quote(name)+" "+sandbox.ErrBadSnapshotName.Error())
	}
	return name, nil
}
