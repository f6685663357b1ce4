package handlers

import (
	"net/http"

	"example.com/petstore/handlers/admin"
	"example.com/petstore/handlers/docs"
	"example.com/petstore/handlers/middleware"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// Server is the whole service as an http.Handler.
type Server struct {
	config  Config
	table   []rest.Operation
	router  *router
	sandbox *sandbox.Sandbox
	chain   rest.Handler
}

// New returns a server. The error names what of the configuration cannot be.
func New(config Config) (*Server, error) {
	if err := config.complete(); err != nil {
		return nil, err
	}
	s := &Server{config: config}
	control := &admin.Server{Version: config.Version, Seed: config.Seed, Started: sandbox.Machine()}
	s.table = append(s.table, s.operations()...)
	s.table = append(s.table, control.Operations()...)
	s.table = append(s.table, docs.Pages()...)
	lifecycles := make(map[string]sandbox.Lifecycle)
	for i := range s.table {
		op := &s.table[i]
		op.Lifecycle.EnforceSunset = config.EnforceSunset
		if err := op.Lifecycle.Check(); err != nil {
			return nil, err
		}
		if op.ID != "" {
			lifecycles[op.ID] = op.Lifecycle
		}
	}
	s.router = newRouter(s.table)
	s.sandbox = sandbox.New(sandbox.Default, sandbox.Options{
		Baseline:   config.Baseline,
		MaxRecords: config.MaxRecords,
		Clock:      config.clock(),
		Lifecycles: lifecycles,
	})
	s.chain = s.links()
	return s, nil
}

// links returns the chain around every operation, the first link outermost. Two
// rules order it: an answer is described by links outside of the one that gives
// it, and where several things are wrong the outermost link answers.
func (s *Server) links() rest.Handler {
	c := &s.config
	origins := middleware.Origins{AllowedHosts: c.AllowedHosts, Trusted: c.AdminOrigins}
	return rest.Chain(
		func(x *rest.Exchange) error { return x.Operation.Handle(x) },
		middleware.Identify(),                               // before Log, which writes the id
		middleware.Log(c.Log),                               // outside of all that answers
		middleware.CORS(c.CORSOrigins, origins.TrustsPages), // a page must be able to read every answer, errors too
		middleware.Compress(),                               // outside of AnswerErrors, whose answers are answers like any
		middleware.AnswerErrors(c.Log),
		middleware.Unrouted(), // 404, 405
		middleware.Sandbox(s.sandbox),
		middleware.Lifecycle(),            // on the errors that follow too
		middleware.GuardAdmin(origins),    // 403, before a key is looked at
		middleware.Authenticate(c.keys()), // 401
		middleware.Prefer(),               // an injected fault
		middleware.Sunset(c.Log),          // 410
		middleware.Strict(),
	)
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := rest.NewExchange(w, r)
	x.Strict = s.config.Strict
	s.router.route(x)
	_ = s.chain(x) // AnswerErrors has answered every error
}

// Reset brings the sandbox back to its baseline, as POST /admin/reset does.
func (s *Server) Reset() { s.sandbox.Reset() }

func (c *Config) keys() middleware.Keys {
	return middleware.Keys{API: c.APIKeys, Admin: c.AdminKey}
}
