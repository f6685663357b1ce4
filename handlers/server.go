package handlers

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"sync/atomic"

	"example.com/petstore/handlers/admin"
	"example.com/petstore/handlers/config"
	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/middleware"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/handlers/world"
)

// Config configures a server. The zero Config is valid; see [config.Config].
type Config = config.Config

// Latency is a range of delays in a [Config].
type Latency = config.Latency

// Server serves the operations on the pet store, the control plane and Config.Extras.
type Server struct {
	config    Config
	shared    rest.Server
	proxies   middleware.Proxies
	control   *admin.Server
	table     []rest.Operation
	router    *router
	sandboxes *registry.Registry
	life      context.Context
	end       context.CancelFunc // cancels life
	draining  atomic.Bool
}

// leastFree is the memory, in bytes, that a server needs in addition to its initial data.
const leastFree = 4 << 20

// WorldError reports that Config.World cannot be used; see [world.Read].
type WorldError struct{ Err error }

// Error returns a message with one line per problem.
func (e *WorldError) Error() string {
	return "Config.World cannot be used:\n" + rest.Message(e.Err, rest.InGo)
}

// New returns a server. The error comes from [Config.Check] or [Config.Complete], is a
// [WorldError], or reports that the initial data leaves too little of Config.MaxMemory.
func New(config Config) (*Server, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	if err := config.Complete(); err != nil {
		return nil, err
	}
	s := &Server{config: config}
	s.shared.Memory = memory.New(config.MaxMemory, sandbox.Machine)
	s.shared.MaxWaiters = config.MaxStanding
	s.shared.Documents = config.Extras != nil
	s.shared.Public, _ = rest.ParsePublicURL(config.PublicURL) // Check has validated it
	s.proxies = middleware.ParseProxies(config.TrustedProxies)
	control := &admin.Server{Version: config.Version, Replica: config.Replica, Started: sandbox.Machine(),
		Memory: s.shared.Memory, Connections: config.Connections, Addresses: config.Addresses,
		Keyed: config.AdminKey != ""}
	s.control, s.table = control, s.rows(control)
	control.Requests = metrics.NewRequests()
	s.sandboxes = registry.New(registry.Options{
		Options: sandbox.Options{
			Origin:     sandbox.Baseline{State: config.Baseline, Seed: *config.Seed, Sizes: config.Sizes},
			MaxRecords: config.MaxRecords,
			MaxBytes:   config.SandboxMemory,
			Machine:    config.Now,
			Journal:    *config.Journal,
			Operations: s.lifecycles(),
			Faults:     config.Faults(),
			RateLimit:  config.RateLimit,
			Memory:     s.shared.Memory,
		},
		Events:   eventTypes(),
		Webhooks: webhook.Targets{Hosts: config.WebhookHosts, Roots: config.WebhookRoots},
		Shard:    config.Shard(),
		Keys:     append(slices.Clone(config.APIKeys), config.AdminKey),
	}, config.MaxSandboxes, config.SandboxTTL)
	if err := s.startWorld(); err != nil {
		return nil, err
	}
	if config.Workshop {
		s.sandboxes.OpenDoor()
	}
	if s.shared.Memory.CanHold(leastFree) != nil {
		return nil, config.TooLittleMemory(s.shared.Memory.Used(), memory.LeastLimit(s.shared.Memory.Used()+leastFree))
	}
	s.life, s.end = context.WithCancel(context.Background())
	control.Sandboxes, s.shared.Keys = s.sandboxes, s.sandboxes.Options.KnownKeys
	s.router = newRouter(s.table)
	s.router.setChains(s.links())
	return s, nil
}

// rows returns the whole route table.
func (s *Server) rows(control *admin.Server) []rest.Operation {
	c := &s.config
	extras := []rest.Operation{{Method: http.MethodGet, Path: "/", Kind: rest.Page, Handle: s.index}}
	if c.Extras != nil {
		extras = c.Extras(c, s, s.index)
	}
	return slices.Concat(s.operations(), control.Operations(), extras, []rest.Operation{admin.Certificate(c.CA)})
}

// startWorld makes Config.World, if it is set, the initial contents of the sandboxes.
func (s *Server) startWorld() error {
	if s.config.World == nil {
		return nil
	}
	read, err := world.Read(s.config.World, s.sandboxes.Default().Sandbox, nil)
	if err == nil {
		err = s.sandboxes.StartWith(read)
	}
	if err != nil {
		return &WorldError{err}
	}
	s.config.World = nil // free the memory
	return nil
}

// lifecycles completes the lifecycles in the table. It returns all operations whose lifecycles a
// sandbox can change.
func (s *Server) lifecycles() []lifecycle.Operation {
	var operations []lifecycle.Operation
	for i := range s.table {
		op := &s.table[i]
		op.Lifecycle.EnforceSunset = s.config.EnforceSunset && op.TakesFaults()
		if op.ID != "" && op.Kind != rest.Admin {
			op.Index = len(operations)
			operations = append(operations, lifecycle.Operation{Index: op.Index,
				ID: op.ID, Method: op.Method, Path: op.Path, Tag: op.Tag, Lifecycle: op.Lifecycle,
				Permanent: !op.TakesFaults(),
			})
		}
	}
	return operations
}

// FlushWebhooks waits until all webhook deliveries that are due have been tried, or until ctx ends.
// It does not wait for retries.
func (s *Server) FlushWebhooks(ctx context.Context) { s.sandboxes.Options.Sender.Flush(ctx) }

// Close ends event streams, waiting requests and webhook deliveries.
func (s *Server) Close() {
	s.end()
	s.sandboxes.Close()
}

// links returns the chain around every operation. The first link is the outermost. A link that records
// responses or adds headers to them must be outside the links that write them. A request that several
// links would refuse is refused by the outermost of these.
func (s *Server) links() rest.Link {
	c := &s.config
	keys := middleware.Keys{API: c.APIKeys, Admin: c.AdminKey, OfSandbox: s.sandboxes.KnowsKey}
	door := middleware.Door{Sandboxes: s.sandboxes, Explicit: c.ExplicitSandboxes, Keys: keys}
	origins := middleware.Origins{AllowedHosts: c.AllowedHosts, Trusted: c.AdminOrigins}
	cors := middleware.CORS(c.CORSOrigins, s.shared.Public.Origin != "", origins.TrustsPages)
	return rest.Links(
		door.Acquire,                                  // outside Headers and Observe, which need the sandbox
		middleware.Headers(c.Replica),                 // outside CORS and Compress, so that its Vary comes first
		middleware.Observe(c.Log, s.control.Requests), // outside every link that responds
		cors,                  // outside AnswerErrors, so that web pages can read errors
		middleware.Compress(), // outside AnswerErrors, so that errors are compressed
		middleware.AnswerErrors(c.Log, s.control.Requests), // outside every link that returns errors
		rest.ForOperations(
			door.Refuse,                         // 431, 400, 404, 503
			middleware.Authorize(origins, keys), // 403, 401; outside Admit, which may create a sandbox
			door.Admit,                          // 404, 409, 503; outside Count, which counts in the sandbox
			middleware.Count(c.Log),             // outside Disturb, so that every call counts
			middleware.Disturb(c.RateLimit > 0), // any status; outside Strict, so that faults come first
			middleware.Strict(c.Strict),         // 400, after 415 and 413
			middleware.TakeTurns(),              // outside Run, so that a request for all sandboxes takes one turn
			middleware.Run(s.sandboxes),
		),
	)
}

// ServeHTTP handles one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := rest.NewExchange(&s.shared, w, r)
	x.Client = s.proxies.Client(r)
	defer x.End()
	serve := s.router.route(x)
	_ = serve(x) // AnswerErrors has handled every error
	x.DropUnread(s.life)
}

// Metrics returns the body of GET /metrics.
func (s *Server) Metrics() []byte {
	var text bytes.Buffer
	_ = s.control.WriteMetrics(&text) // writing to a buffer cannot fail
	return text.Bytes()
}

// Sandboxes returns the server's sandboxes, for use without HTTP.
func (s *Server) Sandboxes() *registry.Registry { return s.sandboxes }
