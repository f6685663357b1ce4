package mcp

import (
	"context"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/petstore/handlers/docs"
)

// Server provides the control plane of a service as tools. It is safe for concurrent use.
type Server struct {
	service http.Handler
	version string
	tools   func() []*prepared // made at the first use, because that reads the documents
	web     func() http.Handler
}

// New returns the tools of the service. version is the server's, for clients.
func New(service http.Handler, version string) *Server {
	s := &Server{service: service, version: version}
	s.tools = sync.OnceValue(func() []*prepared { return prepare(docs.Admin(), docs.Service()) })
	s.web = sync.OnceValue(s.newWeb)
	return s
}

// instructions are what a model reads before all tools.
const instructions = "A pet store for trying out clients: its data is fake and can be reset. " +
	"Send requests to the service itself over HTTP, with curl for example; the tools control it and show what happened. " +
	"Everything is per sandbox, an isolated copy of the service: `default`, unless `sandbox` names another one."

// protocol returns an SDK server with the tools. It keeps no state of a client.
func (s *Server) protocol(more string) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "petstore", Title: "Petstore sandbox", Version: s.version}, &mcp.ServerOptions{
		Instructions: instructions + more,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	server.AddReceivingMiddleware(withoutStreams)
	for _, t := range s.tools() {
		server.AddTool(t.described(), func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.call(ctx, t, request.Params.Arguments), nil
		})
	}
	return server
}

// listen is the method that subscribes to changes.
const (
	listen            = "subscriptions/listen"
	nothingToListenTo = "nothing here changes that can be listened to; call the tools again instead"
)

// withoutStreams refuses subscriptions to changes: the server never sends any, so a stream would
// only hold a connection.
func withoutStreams(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
		if method == listen {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: nothingToListenTo}
		}
		return next(ctx, method, request)
	}
}

// described returns the tool's description for clients.
func (p *prepared) described() *mcp.Tool {
	return &mcp.Tool{
		Name: p.name, Title: p.title, Description: p.description, InputSchema: inputSchema(p.arguments),
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: p.does == reads, DestructiveHint: new(p.does == discards), IdempotentHint: p.idempotent, OpenWorldHint: new(false),
		},
	}
}
