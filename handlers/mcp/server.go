package mcp

import (
	"context"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/petstore/handlers/docs"
)

// Server makes the control plane of a service available as tools. Its methods may be called
// by any number of goroutines.
type Server struct {
	service http.Handler
	version string
	tools   func() []*prepared // made when somebody asks, since that reads the documents
	web     func() http.Handler
}

// New returns the tools of the service, whose version it tells.
func New(service http.Handler, version string) *Server {
	s := &Server{service: service, version: version}
	s.tools = sync.OnceValue(func() []*prepared { return prepare(docs.Admin(), docs.Service()) })
	s.web = sync.OnceValue(s.newWeb)
	return s
}

// instructions are what a model is told before all tools.
const instructions = "A pet store for trying out clients: its data is fake and can be reset. " +
	"Send requests to the service itself over HTTP, with curl for example; the tools control it and show what happened. " +
	"Everything is per sandbox, an isolated copy of the service: `default`, unless `sandbox` names another one."

// protocol returns the tools as a server of the protocol, which keeps nothing of a client:
// no log level, no subscription.
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

// listen is the method of the protocol that listens to changes.
const (
	listen            = "subscriptions/listen"
	nothingToListenTo = "nothing here changes that can be listened to; call the tools again instead"
)

// withoutStreams refuses to listen to changes, of which there are none to tell: a stream
// would hold a connection for nothing.
func withoutStreams(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
		if method == listen {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: nothingToListenTo}
		}
		return next(ctx, method, request)
	}
}

// described returns the tool as a client sees it.
func (p *prepared) described() *mcp.Tool {
	return &mcp.Tool{
		Name: p.name, Title: p.title, Description: p.description, InputSchema: inputSchema(p.arguments),
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: p.does == reads, DestructiveHint: new(p.does == discards), IdempotentHint: p.again, OpenWorldHint: new(false),
		},
	}
}
