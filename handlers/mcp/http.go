package mcp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// MaxMessage is the most bytes of a client's message.
const MaxMessage = 64 << 10

// callTool is the method that calls a tool.
const callTool = "tools/call"

// The memory of a message until its response is sent: the message, a response, texts made from it,
// and the encoded messages.
const (
	heldPerByte = 8
	heldBytes   = 8*maxAnswer + 2*maxRead
)

// Operation returns the operation that serves the tools, for the route table. It has no sessions
// and no streams: each message gets its own response.
func (s *Server) Operation() rest.Operation {
	return rest.Operation{
		ID: "sendMcpMessage", Method: http.MethodPost, Path: rest.MCPPath, Tag: "Agents", Kind: rest.Admin,
		// Each tool call is authorized as the operation that it calls.
		ServerWide: true, OwnKey: true, Frees: true,
		Body: rest.Body{Max: MaxMessage}, Handle: s.serve,
	}
}

func (s *Server) serve(x *rest.Exchange) error {
	o, err := rest.ReadObject(x, envelopeFields)
	if err != nil {
		return err
	}
	var sent envelope
	if o.Read(&sent); hasNullID(o.Object) {
		o.Refuse("id", nullID)
	}
	if err := o.Err(); err != nil {
		return err
	}
	body, err := x.Body()
	if err != nil {
		return err
	}
	if err := x.HoldAnswer(heldPerByte * int64(len(body))); err != nil {
		return err
	}
	hold := sync.OnceValue(func() error { return x.HoldAnswer(heldBytes) })
	if sent.method != callTool { // a tool that waits holds nothing while it waits
		if err := hold(); err != nil {
			return err
		}
	}
	who := &caller{context: x.R.Context(), like: x.R, root: strings.TrimSuffix(x.Base(), x.Prefix), hold: hold}
	if x.Prefix != "" || x.R.Header["X-Sandbox"] != nil {
		name, err := x.SandboxName()
		if err != nil {
			return err
		}
		who.sandbox = name.Title
	}
	// The SDK would abandon a running tool when the client disconnects. So its context is not
	// cancelled; the contexts of the tool's requests are.
	r := x.R.Clone(context.WithValue(context.WithoutCancel(x.R.Context()), callerKey{}, who))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.Header.Set("Accept", "application/json, text/event-stream") // the SDK requires both, and responds with JSON
	recorded := &message{header: make(http.Header)}
	s.web().ServeHTTP(recorded, r)
	if err := hold(); err != nil {
		return err
	}
	id := o.Value("id")
	switch {
	case id != nil && sent.method == listen: // the SDK would respond with a stream
		return refuse(x, id, nothingToListenTo)
	case id != nil && strings.HasPrefix(recorded.body.String(), unhandled):
		return refuse(x, id, fmt.Sprintf("method not found: %q", sent.method))
	}
	return recorded.send(x)
}

// refuse responds to a call of a method that does not exist.
func refuse(x *rest.Exchange, id jsontext.Value, message string) error {
	text, err := refusal(id, jsonrpc.CodeMethodNotFound, message)
	if err != nil {
		return err
	}
	return x.Reply(http.StatusOK, "application/json", text)
}

// unhandled is the start of the SDK's plain-text error for an unknown method.
const unhandled = "JSON RPC not handled"

// newWeb returns the SDK's handler. The Host, the Origin and the body have been checked before.
func (s *Server) newWeb() http.Handler {
	server := s.protocol(" get_status tells where.")
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, DisableLocalhostProtection: true, MaxRequestBodyBytes: MaxMessage,
	})
}

// message is the ResponseWriter of the SDK's handler.
type message struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (m *message) Header() http.Header { return m.header }

func (m *message) WriteHeader(status int) {
	if m.status == 0 {
		m.status = status
	}
}

func (m *message) Write(p []byte) (int, error) {
	m.WriteHeader(http.StatusOK)
	return m.body.Write(p)
}

// send sends the SDK's response. It replaces plain-text errors by errors of the service.
func (m *message) send(x *rest.Exchange) error {
	m.WriteHeader(http.StatusOK)
	media := m.header.Get("Content-Type")
	switch {
	case m.status >= http.StatusInternalServerError:
		return fmt.Errorf("MCP: %s", m.body.Bytes())
	case m.status >= http.StatusBadRequest && !strings.HasPrefix(media, "application/json"):
		return rest.Invalid("", field.Abbreviate(strings.TrimSpace(m.body.String())))
	}
	return x.Reply(m.status, media, plainMessage(m.body.Bytes()))
}
