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

// MaxMessage is how many bytes a message of a client may have.
const MaxMessage = 64 << 10

// callTool is the method of the protocol that calls a tool.
const callTool = "tools/call"

// What a message holds until it is answered: what is read of it, an answer, the texts made
// of that, and the messages around them.
const (
	heldPerByte = 8
	heldBytes   = 8*maxAnswer + 2*maxRead
)

// Operation is the row of the route table that serves the tools, without sessions and
// without streams: each message is answered by itself.
func (s *Server) Operation() rest.Operation {
	return rest.Operation{
		ID: "sendMcpMessage", Method: http.MethodPost, Path: rest.MCPPath, Tag: "Agents", Kind: rest.Admin,
		// What a tool does is judged as the operation that it calls, its key as well.
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
	if sent.method != callTool { // a tool that waits holds nothing meanwhile
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
	// The library would leave a tool alone with its answer when the client goes. So it does not
	// learn of that; the requests of the tool do.
	r := x.R.Clone(context.WithValue(context.WithoutCancel(x.R.Context()), callerKey{}, who))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.Header.Set("Accept", "application/json, text/event-stream") // of which the first is answered, whatever the client prefers
	recorded := &message{header: make(http.Header)}
	s.web().ServeHTTP(recorded, r)
	if err := hold(); err != nil {
		return err
	}
	id := o.Value("id")
	switch {
	case id != nil && sent.method == listen: // which the library would answer by a stream
		return refuse(x, id, nothingToListenTo)
	case id != nil && strings.HasPrefix(recorded.body.String(), unhandled):
		return refuse(x, id, fmt.Sprintf("method not found: %q", sent.method))
	}
	return recorded.send(x)
}

// refuse answers a call of a method that does not exist.
func refuse(x *rest.Exchange, id jsontext.Value, message string) error {
	text, err := refusal(id, jsonrpc.CodeMethodNotFound, message)
	if err != nil {
		return err
	}
	return x.Reply(http.StatusOK, "application/json", text)
}

// unhandled begins the library's plain text about a method that it does not have.
const unhandled = "JSON RPC not handled"

// newWeb returns the handler of the protocol's library. Hosts, origins and bodies have been
// judged before.
func (s *Server) newWeb() http.Handler {
	server := s.protocol(" get_status tells where.")
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, DisableLocalhostProtection: true, MaxRequestBodyBytes: MaxMessage,
	})
}

// message is where the library writes its answer.
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

// send answers what the library has written. Its refusals in plain text become errors like
// any other.
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
