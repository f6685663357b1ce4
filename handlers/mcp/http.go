package mcp

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/memory"
)

// MaxMessage is the maximum size of a client's message, in bytes.
const MaxMessage = 64 << 10

// Operation returns the operation that serves the tools, for the route table. It uses no sessions
// and no streams: it responds to each message separately.
func (s *Server) Operation() rest.Operation {
	return rest.Operation{
		ID: "sendMcpMessage", Method: http.MethodPost, Path: rest.MCPPath, Tag: "Agents", Kind: rest.Admin,
		// A sandbox's key suffices, because each tool call is authorized like a direct request.
		Reach: rest.Reach{ServerWide: true, OwnKey: true}, Frees: true,
		Body: rest.Body{Max: MaxMessage}, Handle: s.serve,
	}
}

func (s *Server) serve(x *rest.Exchange) error {
	o, err := rest.ReadObject(x, messageFields)
	if err != nil {
		return err
	}
	m, err := readMessage(o)
	if err != nil {
		return err
	}
	version := x.R.Header.Get(versionHeader)
	if version != "" && version < stateless && !slices.Contains(versions, version) {
		return rest.Invalid("", versionHeader+" must be one of "+strings.Join(versions, ", "))
	}
	if why := m.misuse(); why != "" {
		return rest.Invalid("", why)
	}
	who, err := callerOf(x)
	if err != nil {
		return err
	}
	r := s.respond(x.R.Context(), who, m)
	if err := who.hold(); err != nil {
		return err
	}
	if m.id == nil && r.Error == nil {
		return x.Reply(http.StatusAccepted, "", nil)
	}
	text, err := rest.Encode(r)
	if err != nil {
		return err
	}
	return x.Reply(r.status(version), "application/json", text)
}

// callerOf returns the caller of a request. It also reserves memory for the message.
func callerOf(x *rest.Exchange) (*caller, error) {
	body, err := x.Body()
	if err != nil {
		return nil, err
	}
	if err := x.HoldAnswer(memory.MessagePerByte * int64(len(body))); err != nil {
		return nil, err
	}
	const result = memory.MessagePerByte*maxAnswer + memory.ReceivePerByte*maxRead
	who := &caller{
		like: x.R, root: strings.TrimSuffix(x.Base(), x.Prefix), place: "get_status tells where.",
		header: x.R.Header,
		hold:   sync.OnceValue(func() error { return x.HoldAnswer(result) }),
	}
	if x.Prefix == "" && x.R.Header["X-Sandbox"] == nil {
		return who, nil
	}
	who.sandbox, err = x.SandboxName()
	return who, err
}

// status returns the HTTP status of the response. version is the protocol version in the request's
// header.
func (r *response) status(version string) int {
	switch {
	case r.Error == nil:
		return http.StatusOK
	case r.Error.Code == headerMismatch:
		return http.StatusBadRequest
	case version < stateless:
		return http.StatusOK
	case r.Error.Code == methodNotFound:
		return http.StatusNotFound
	}
	return http.StatusBadRequest
}
