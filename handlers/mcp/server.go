package mcp

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Server provides the control plane of a service as tools. It is safe for concurrent use.
type Server struct {
	service http.Handler
	version string
}

// New returns a server that offers tools for the service. It reports version to clients.
func New(service http.Handler, version string) *Server { return &Server{service, version} }

// instructions is the start of the text that a model reads before the list of tools. caller.place
// is the end.
const instructions = "A pet store for trying out clients: its data is fake and can be reset. Send requests to the " +
	"service itself over HTTP, with curl for example; the tools control it and show what happened. Everything is per " +
	"sandbox, an isolated copy of the service: `default`, unless `sandbox` names another one. "

// params contains the parameters of all methods. A method uses only some of them.
type params struct {
	Name            string                    `json:"name"`
	URI             string                    `json:"uri"`
	Arguments       jsontext.Value            `json:"arguments"`
	Cursor          string                    `json:"cursor"`
	RequestID       jsontext.Value            `json:"requestId"`
	ProtocolVersion string                    `json:"protocolVersion"`
	Meta            map[string]jsontext.Value `json:"_meta"`
}

// readParams parses the parameters. If a parameter has the wrong type, the failure names it.
func (m *message) readParams() (*params, *failure) {
	p := new(params)
	if m.params == nil {
		return p, nil
	}
	err := json.Unmarshal(m.params, p)
	if wrong, ok := errors.AsType[*json.SemanticError](err); ok {
		name := strings.ReplaceAll(string(wrong.JSONPointer), "/", ".")
		return p, fail(invalidParams, "params%s of %s is not of the type that the protocol gives it", name, m.method)
	}
	return p, nil
}

// respond returns the response to a message. The response to a notification is empty or an error.
func (s *Server) respond(ctx context.Context, who *caller, m *message) *response {
	r := &response{Version: "2.0", ID: m.id}
	p, wrong := m.readParams()
	if wrong == nil || m.id == nil { // ignore wrong types in a notification
		wrong = m.checkHeaders(who.header, p)
	}
	if wrong == nil && m.id != nil {
		wrong = p.checkClient()
	}
	if wrong == nil && m.id != nil {
		r.Result, wrong = s.run(ctx, who, m.method, p)
	}
	if r.Result != nil && p.stateless() {
		r.Result["resultType"], r.Result["_meta"] = "complete", object{metaServer: s.info()}
	}
	r.Error = wrong
	return r
}

// run carries out a call and returns its result.
func (s *Server) run(ctx context.Context, who *caller, method string, p *params) (object, *failure) {
	hello := object{"capabilities": object{"tools": object{}, "resources": object{}},
		"instructions": instructions + who.place}
	switch stateless := p.stateless(); {
	case method == "initialize" && !stateless:
		hello["protocolVersion"], hello["serverInfo"] = negotiate(p.ProtocolVersion), s.info()
		return hello, nil
	case method == "server/discover" && stateless:
		hello["supportedVersions"] = versions
		return cacheable(hello), nil
	case method == "ping" && !stateless:
		return object{}, nil
	case strings.HasSuffix(method, "/list") && p.Cursor != "":
		noun, _, _ := strings.Cut(method, "/")
		return nil, fail(invalidParams, "params.cursor: all %s are on the first page", noun)
	case method == "tools/list":
		return cacheable(object{"tools": listTools()}), nil
	case method == "resources/list":
		return cacheable(object{"resources": listResources()}), nil
	case method == "resources/templates/list": // some clients call this if a server has resources
		return cacheable(object{"resourceTemplates": []object{}}), nil
	case method == "resources/read":
		return s.readResource(ctx, who, p.URI)
	case method == "tools/call":
		tool := findTool(p.Name)
		if tool == nil {
			return nil, fail(invalidParams, "unknown tool %q", p.Name)
		}
		return toolResult(s.call(ctx, who, tool, p.Arguments)), nil
	}
	return nil, fail(methodNotFound, "method not found: %q", method)
}

// findTool returns the named tool, or nil if there is none.
func findTool(name string) *prepared {
	for _, t := range preparedTools() {
		if t.name == name {
			return t
		}
	}
	return nil
}

// waits reports whether the message calls a tool that may wait.
func (m *message) waits() bool {
	p, _ := m.readParams()
	tool := findTool(p.Name)
	return m.method == "tools/call" && tool != nil && tool.waits
}

// cacheable adds the fields that say who may cache the result, and for how long. With a ttlMs of 0,
// the result is stale at once.
func cacheable(result object) object {
	result["ttlMs"], result["cacheScope"] = 0, "public"
	return result
}

// info describes the server.
func (s *Server) info() object {
	return object{"name": "petstore", "title": "Petstore sandbox", "version": s.version}
}

// listTools describes the tools, sorted by name.
func listTools() []object {
	all := make([]object, len(preparedTools()))
	for i, p := range preparedTools() {
		all[i] = object{
			"name": p.name, "title": p.title, "description": p.description, "inputSchema": p.inputSchema(),
			"annotations": object{
				"readOnlyHint": p.does == reads, "destructiveHint": p.does == discards,
				"idempotentHint": p.idempotent, "openWorldHint": false,
			},
		}
	}
	slices.SortFunc(all, func(a, b object) int { return strings.Compare(a["name"].(string), b["name"].(string)) })
	return all
}

// toolResult returns the result of a tool. If err is not nil, the result describes err, because
// models cannot read JSON-RPC errors.
func toolResult(text []byte, err error) object {
	result := object{"structuredContent": jsontext.Value(text)}
	if err != nil {
		text, result = []byte(err.Error()), object{"isError": true}
	}
	result["content"] = []object{{"type": "text", "text": string(text)}}
	return result
}
