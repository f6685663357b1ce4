package petstoretest

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// Server is a running pet store. It is also its default sandbox: it has every field and method of
// [Sandbox], so a test with its own server needs no other sandbox. Its methods are safe for
// concurrent use, but methods that can end a test must be called from the test's own goroutine.
type Server struct {
	*defaultSandbox
	core *core
}

// defaultSandbox is embedded under a name other than that of the method Sandbox.
type defaultSandbox = Sandbox

// core is the state that all Server values of one server share.
type core struct {
	service  *handlers.Server
	listener *httptest.Server
	adminKey string
	version  string
	extras   bool // there are tools for agents
}

// Run starts a pet store on a free port of 127.0.0.1, unless [WithoutNetwork] is given, and returns
// when it accepts requests. Without options it serves what the program serves without flags: 100
// pets in 8 categories and 50 orders, the same every time.
//
// The server stops when the test and its subtests are over (see [testing.TB.Cleanup]), and aborts
// requests that are still running then. Log lines of level warn or above, such as the first use of
// a deprecated operation, go to the output of t. If the server cannot start or an option is
// invalid, Run ends the test.
func Run(t testing.TB, opts ...Option) *Server {
	mustBeTest("Run", t)
	t.Helper()
	core, err := start(slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{
		Level:       slog.LevelWarn,
		ReplaceAttr: withoutTime,
	})), opts)
	if err != nil {
		t.Fatalf("petstoretest: %v", err)
	}
	t.Cleanup(core.close)
	return core.server(t)
}

// Start starts a pet store as [Run] does, for a TestMain whose tests share it. It runs until
// [Server.Close] and belongs to no test: [Server.For] returns it for one. Log lines of level error
// go to standard error. The error says which option is invalid.
func Start(opts ...Option) (*Server, error) {
	core, err := start(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})), opts)
	if err != nil {
		return nil, err
	}
	return core.server(noTest{}), nil
}

// Close stops the server, for every test. It aborts requests that are still running. Further calls
// do nothing.
//
// Other methods still work, so that a test can examine the sandboxes. Requests of Client fail,
// streams of [Sandbox.Listen] end at once, and [Sandbox.WaitForRequests] ends the test unless
// enough requests have already been made.
func (s *Server) Close() { s.core.close() }

// For returns the same server for another test, such as a subtest or a test of a package that
// shares the server of [Start]. Sandboxes that it creates are dropped when t is over, and errors
// end t.
func (s *Server) For(t testing.TB) *Server {
	mustBeTest("Server.For", t)
	return s.core.server(t)
}

// mustBeTest panics if t is nil.
func mustBeTest(function string, t testing.TB) {
	if t == nil {
		panic("petstoretest: " + function + " needs a test, not nil; without a test, use what Start returns")
	}
}

// Handler returns the service itself, for a test that serves it differently or calls it without a
// connection.
func (s *Server) Handler() http.Handler { return s.core.service }

// Metrics returns the server's figures in the text format of Prometheus, as GET /metrics does.
func (s *Server) Metrics() string { return string(s.core.service.Metrics()) }

// Sandbox returns the sandbox with the name, creating it if needed, for tests that run in parallel
// on one server. Nothing that happens in it affects other sandboxes. It takes a few microseconds,
// however much data there is.
//
// The name may be any text, such as [testing.TB.Name]. It names the same sandbox over HTTP, and so
// does its canonical form, which is readable in a URL and the same in every run. Different texts
// have different canonical forms. A text that cannot name a sandbox over HTTP, because it has more
// than 200 characters or control characters, is shortened, and twelve digits that depend on all of
// it are added; see [Sandbox]'s Title. In the header X-Sandbox, a text that contains a "%" or
// begins or ends with a space must be percent-encoded; [Sandbox]'s Name can always be sent as it
// is.
//
// The sandbox is dropped when the test that created it is over: the one of [Run] or [Server.For].
// Without a test, it lasts until [Sandbox.Drop] or until the server stops. It never counts as idle.
func (s *Server) Sandbox(name string) *Sandbox {
	s.t.Helper()
	return s.hold(s.mustTitle(name), false)
}

// Sandboxes returns all sandboxes by name, including the default one and those that
// requests have created.
func (s *Server) Sandboxes() []*Sandbox { return s.SandboxesNamed("") }

// SandboxesNamed is [Server.Sandboxes] for those whose Name or Title contains the text, ignoring
// case.
func (s *Server) SandboxesNamed(part string) []*Sandbox {
	var list []*Sandbox
	all := store.Paging{Limit: math.MaxInt}
	for _, sb := range s.core.service.Sandboxes().Page(store.NewNameFilter(part), all).Items {
		list = append(list, s.core.sandbox(s.t, sb))
	}
	return list
}

func start(log *slog.Logger, opts []Option) (*core, error) {
	o := options{config: Config{Log: log}}
	for i, opt := range opts {
		if opt == nil {
			return nil, fmt.Errorf("option %d is nil; leave it out", i+1)
		}
		opt(&o)
	}
	config, err := o.complete()
	if err != nil {
		return nil, err
	}
	service, err := handlers.New(config)
	if wrong, ok := errors.AsType[*handlers.WorldError](err); ok && o.world != "" {
		return nil, fmt.Errorf("FromWorld: %s cannot be used:\n%s", o.world, rest.Message(wrong.Err, rest.InGo))
	}
	if err != nil {
		return nil, err
	}
	if o.draw != 0 {
		service.Sandboxes().Default().DrawNext(o.draw)
	}
	c := &core{service: service, adminKey: config.AdminKey, version: config.Version, extras: config.Extras != nil}
	if o.withoutNetwork {
		c.listener = newMemoryServer(service)
	} else {
		c.listener = httptest.NewServer(service)
	}
	c.listener.Client().Transport.(*http.Transport).MaxIdleConnsPerHost = 64 // for tests in parallel; 2 by default
	return c, nil
}

func (c *core) close() {
	c.listener.CloseClientConnections() // otherwise Close waits for requests that never end
	c.service.Close()
	c.listener.Close()
}

func (c *core) server(t testing.TB) *Server {
	return &Server{defaultSandbox: c.sandbox(t, c.service.Sandboxes().Default()), core: c}
}

func (c *core) sandbox(t testing.TB, sb *registry.Entry) *Sandbox {
	sb.Claim() // the test may change it at any time
	s := &Sandbox{Name: sb.Name, Title: sb.Title, URL: c.listener.URL, Client: c.listener.Client(), t: t, core: c, sandbox: sb}
	if sb.Name != sandbox.Default {
		s.URL += "/sandboxes/" + sb.Name
	}
	return s
}

// withoutTime drops the time of log lines, because the test's output has times of its own.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}
