package handlers

import (
	"context"
	"io"
	"net/http"
	"slices"
	"sync/atomic"

	"example.com/petstore/handlers/admin"
	"example.com/petstore/handlers/docs"
	"example.com/petstore/handlers/mcp"
	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/middleware"
	"example.com/petstore/handlers/pages"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/handlers/world"
)

// Server is the whole service as an http.Handler.
type Server struct {
	config    Config
	public    *rest.PublicURL // nil: users reach it directly
	proxies   middleware.Proxies
	control   *admin.Server
	tools     *mcp.Server
	table     []rest.Operation
	router    *router
	sandboxes *sandbox.Registry
	memory    *memory.Budget
	standing  *rest.Standing
	chain     rest.Handler
	life      context.Context
	end       context.CancelFunc // ends life
	draining  atomic.Bool
}

// leastFree is the memory, in bytes, that a server needs besides its initial data.
const leastFree = 4 << 20

// WorldError says why Config.World cannot be used: see [world.Read].
type WorldError struct{ Err error }

// Error returns what is wrong, a line each.
func (e *WorldError) Error() string { return "Config.World cannot be used:\n" + e.Err.Error() }

// Unwrap returns what is wrong with the file.
func (e *WorldError) Unwrap() error { return e.Err }

// New returns a server. The error is that of [Config.Check], a [WorldError], or says that the
// initial data leaves too little of Config.MaxMemory.
func New(config Config) (*Server, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	if err := config.complete(); err != nil {
		return nil, err
	}
	s := &Server{config: config, memory: memory.New(config.MaxMemory, sandbox.Machine), standing: rest.NewStanding(config.MaxStanding)}
	s.public, _ = rest.ParsePublicURL(config.PublicURL) // checked above
	s.proxies = middleware.ParseProxies(config.TrustedProxies)
	control := &admin.Server{Version: config.Version, Replica: config.Replica, Started: sandbox.Machine(), Memory: s.memory, Connections: config.Connections, Addresses: config.Addresses, Keyed: config.AdminKey != ""}
	s.tools = mcp.New(s, config.Version)
	s.control, s.table = control, s.rows(control)
	control.Requests = metrics.NewRequests(middleware.MeasuredNames(s.table), middleware.MeasuredCodes())
	s.sandboxes = sandbox.NewRegistry(sandbox.Options{
		Baseline:     sandbox.Baseline{State: config.Baseline, Seed: *config.Seed, Sizes: config.Sizes},
		MaxRecords:   config.MaxRecords,
		MaxBytes:     config.SandboxMemory,
		Machine:      config.Now,
		Journal:      *config.Journal,
		Operations:   s.lifecycles(),
		Faults:       config.faults(),
		FaultHeaders: rest.FaultHeaders(),
		Events:       eventTypes(),
		RateLimit:    config.RateLimit,
		Webhooks:     webhook.Targets{Hosts: config.WebhookHosts},
		Memory:       s.memory,
		Shard:        config.shard(),
		Keys:         append(slices.Clone(config.APIKeys), config.AdminKey),
	}, config.MaxSandboxes, config.SandboxTTL)
	if err := s.startWorld(); err != nil {
		return nil, err
	}
	if config.Workshop {
		s.sandboxes.OpenDoor()
	}
	if s.memory.Reserve(leastFree) != nil {
		return nil, config.tooLittleMemory(s.memory.Used())
	}
	s.memory.Release(leastFree)
	s.life, s.end = context.WithCancel(context.Background())
	control.Sandboxes = s.sandboxes
	control.OwnsHost = s.origins().OwnsHost
	s.router = newRouter(s.table)
	s.chain = s.links()
	return s, nil
}

// rows returns the whole route table.
func (s *Server) rows(control *admin.Server) []rest.Operation {
	c := &s.config
	return slices.Concat(
		s.operations(), control.Operations(), docs.Pages(len(c.APIKeys) > 0, c.AdminKey != ""), pages.Operations(c.Workshop),
		[]rest.Operation{admin.Certificate(c.CA), s.tools.Operation()},
	)
}

// startWorld starts the sandboxes with the world of the configuration, if it has one.
func (s *Server) startWorld() error {
	if s.config.World == nil {
		return nil
	}
	read, err := world.Read(s.config.World, s.sandboxes.Default(), nil)
	if err == nil {
		err = s.sandboxes.StartWith(read)
	}
	if err != nil {
		return &WorldError{err}
	}
	s.config.World = nil // which nobody needs any more
	return nil
}

// lifecycles completes the lifecycles of the table and returns the operations of
// the service, whose lifecycles a sandbox can change.
func (s *Server) lifecycles() []sandbox.Operation {
	var operations []sandbox.Operation
	for i := range s.table {
		op := &s.table[i]
		op.Lifecycle.EnforceSunset = s.config.EnforceSunset && op.TakesFaults()
		if op.ID != "" && op.Kind != rest.Admin {
			op.Index = len(operations)
			operations = append(operations, sandbox.Operation{
				ID: op.ID, Method: op.Method, Path: op.Path, Tag: op.Tag, Lifecycle: op.Lifecycle, Permanent: !op.TakesFaults(),
			})
		}
	}
	return operations
}

// FlushWebhooks waits until the deliveries of webhooks that are due have been tried, or ctx ends.
// Those that wait for another try are not waited for.
func (s *Server) FlushWebhooks(ctx context.Context) { s.sandboxes.Webhooks().Flush(ctx) }

// Close ends streams, waiting requests and the deliveries of webhooks.
func (s *Server) Close() {
	s.end()
	s.sandboxes.Close()
}

// links returns the chain around every operation, the first link outermost. Two
// rules order it: an answer is described by links outside of the one that gives
// it, and where several things are wrong the outermost link answers.
func (s *Server) links() rest.Handler {
	c := &s.config
	keys := middleware.Keys{API: c.APIKeys, Admin: c.AdminKey, OfSandbox: s.sandboxes.KnowsKey}
	door := middleware.Door{Sandboxes: s.sandboxes, Explicit: c.ExplicitSandboxes, Keys: keys}
	origins := s.origins()
	return rest.Chain(
		func(x *rest.Exchange) error { return x.Operation.Handle(x) },
		door.Acquire(),                         // outside of Journal, which writes to it
		middleware.Caching(),                   // before all that adds to Vary
		middleware.StandardHeaders(c.Replica),  // before Log, which writes the id
		middleware.Log(c.Log),                  // outside of all that answers
		middleware.Measure(s.control.Requests), // likewise
		middleware.Journal(),                   // likewise, preflights too
		middleware.CORS(c.CORSOrigins, s.public != nil, origins.TrustsPages), // a page must be able to read every answer, errors too
		middleware.Compress(), // outside of AnswerErrors, whose answers are answers like any
		middleware.AnswerErrors(c.Log),
		middleware.MeasureRefusals(s.control.Requests),   // of all that follow
		middleware.NotFound(s.router.guess),              // 404, 405
		middleware.Lifecycle(),                           // on the errors that follow, a sandbox that cannot be had among them
		door.Refuse(),                                    // 431, 400, 404, 503
		middleware.GuardAdmin(origins, c.AdminKey != ""), // 403, where no key decides
		middleware.Authenticate(keys),                    // 403, 401
		middleware.NoteChange(s.sandboxes),               // outside of all that changes a sandbox
		door.Register(),                                  // 404, 503 if there was room when the request came and is none now
		middleware.Count(c.Log),                          // who is let in, whatever the answer will be
		middleware.AssignDraws(),                         // before all that draws: rate limit, faults, brown-outs
		middleware.RateLimit(),                           // 429
		middleware.Fault(),                               // an injected fault
		middleware.Prefer(),                              // likewise
		middleware.Sunset(),                              // 410
		middleware.Strict(),
		middleware.TakeTurns(),             // before all that reads a body: 415, 413, 503
		middleware.Everywhere(s.sandboxes), // all that follows is done in each
		middleware.Reserve(),               // 503, of what leaves something behind and has no body to tell how much
	)
}

func (s *Server) origins() middleware.Origins {
	return middleware.Origins{AllowedHosts: s.config.AllowedHosts, Trusted: s.config.AdminOrigins}
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := rest.NewExchangeAt(s.public, w, r)
	x.Client, x.Strict, x.Memory, x.Standing = s.proxies.Client(r), s.config.Strict, s.memory, s.standing
	defer x.End()
	s.router.route(x)
	_ = s.chain(x) // AnswerErrors has answered every error
	x.DropUnread(s.life)
}

// Metrics returns what GET /metrics answers.
func (s *Server) Metrics() []byte { return s.control.Metrics() }

// ServeMCP answers the messages of the Model Context Protocol that come line by line, as a
// coding agent writes them to the standard input of a program that it starts, until in or ctx
// ends or out fails. They may do all that the admin key opens. address is that of the server,
// such as http://127.0.0.1:8080.
func (s *Server) ServeMCP(ctx context.Context, in io.Reader, out io.Writer, address string) error {
	return s.tools.ServeLines(ctx, in, out, address, s.config.AdminKey)
}

// Sandboxes returns the server's sandboxes, for use without HTTP.
func (s *Server) Sandboxes() *sandbox.Registry { return s.sandboxes }
