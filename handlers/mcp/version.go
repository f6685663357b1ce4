package mcp

import (
	"net/http"
	"slices"

	"github.com/go-json-experiment/json"
)

// versions lists the supported versions of the protocol, newest first.
var versions = []string{stateless, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// stateless is the first version in which every call contains the version and describes the client.
// In earlier versions, a client starts with initialize.
const stateless = "2026-07-28"

// Names of fields in _meta.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaServer       = "io.modelcontextprotocol/serverInfo"
)

// negotiate returns the version to use with a client that starts with initialize.
func negotiate(wanted string) string {
	if slices.Contains(versions[1:], wanted) {
		return wanted
	}
	return versions[1]
}

// version returns the version that the message names, or "".
func (p *params) version() string {
	var version string
	_ = json.Unmarshal(p.Meta[metaVersion], &version)
	return version
}

func (p *params) stateless() bool { return p.version() >= stateless }

// checkClient checks the version and the description of the client in a stateless call.
func (p *params) checkClient() *failure {
	client := p.Meta[metaClient]
	switch {
	case !p.stateless():
	case client != nil && client.Kind() != '{':
		return fail(invalidParams, "_meta.%s must be an object", metaClient)
	case p.Meta[metaCapabilities].Kind() != '{':
		return fail(invalidParams, "_meta.%s must be an object", metaCapabilities)
	case !slices.Contains(versions, p.version()):
		return unsupported(p.version())
	}
	return nil
}

func unsupported(version string) *failure {
	wrong := fail(unsupportedVersion, "unsupported protocol version")
	wrong.Data = object{"supported": versions, "requested": version}
	return wrong
}

// versionHeader is the header that contains the version of the protocol.
const versionHeader = "Mcp-Protocol-Version"

// checkHeaders checks that the headers agree with the message, if there are headers.
func (m *message) checkHeaders(h http.Header, p *params) *failure {
	const mismatch = "the header %s must be %q, as in the message, not %q"
	version, method, name := h.Get(versionHeader), h.Get("Mcp-Method"), h.Get("Mcp-Name")
	named, names := map[string]string{"tools/call": p.Name, "resources/read": p.URI}[m.method]
	switch {
	case h == nil:
	case version > stateless && p.version() == "":
		return unsupported(version)
	case m.id != nil && version >= stateless && p.version() == "":
		return fail(invalidParams, "_meta.%s must be the version of the protocol", metaVersion)
	case p.version() != "" && version != p.version():
		return fail(headerMismatch, mismatch, versionHeader, p.version(), version)
	case version >= stateless && method != m.method:
		return fail(headerMismatch, mismatch, "Mcp-Method", m.method, method)
	case version >= stateless && names && name != named:
		return fail(headerMismatch, mismatch, "Mcp-Name", named, name)
	}
	return nil
}
