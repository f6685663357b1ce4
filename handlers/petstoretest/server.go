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
// concurrent use, but methods that can fail a test must be called from the test's own goroutine.
type Server struct {
	*defaultSandbox
	core *core
}

// defaultSandbox is the name of the embedded Sandbox, because Server also has a method named
// Sandbox.
type defaultSandbox = Sandbox

// core is the state that all Server values of one server share.
type core struct {
	service  *handlers.Server
	listener *httptest.Server
	version  string
	extras   bool // whether the server has tools for agents
}

// Run starts a pet store on a free port of 127.0.0.1, or without a port if [WithoutNetwork] is
// given, and returns when the server accepts requests. Without options, it serves the same data as
// the program without flags: 100 pets in 8 categories and 50 orders, the same every time.
//
// When the test and its subtests are over, the server aborts running requests and stops (see
// [testing.TB.Cleanup]). Log lines of level warn or above, such as the first use of a deprecated
// operation, go to the output of t. If the server cannot start or an option is invalid, Run fails
// the test.
func Run(t testing.TB, opts ...Option) *Server {
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

// Start starts a pet store as [Run] does, but is for use in TestMain, so that all tests of a package
// can share one server. The server runs until [Server.Close]. Use [Server.For] in each test. Log
// lines of level error go to standard error. The error reports why the server cannot start, for
// example which option is invalid.
func Start(opts ...Option) (*Server, error) {
	core, err := start(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})), opts)
	if err != nil {
		return nil, err
	}
	return core.server(noTest{}), nil
}

// Close stops the server for all tests. It aborts running requests. Further calls do nothing.
//
// Other methods still work, so that a test can examine the sandboxes. Requests of Client fail,
// streams of [Sandbox.Listen] end immediately, and [Sandbox.WaitForRequests] fails the test unless
// enough requests have already been made.
func (s *Server) Close() { s.core.close() }

// For returns the same server for the test t, such as a subtest, or a test that uses a server from
// [Start]. Sandboxes that the returned Server creates are dropped when t is over, and its errors
// fail t.
func (s *Server) For(t testing.TB) *Server {
	return s.core.server(t)
}

// Handler returns the server's handler, for a test that serves it in another way or calls it
// without a connection.
func (s *Server) Handler() http.Handler { return s.core.service }

// Metrics returns the server's metrics in the Prometheus text format, as GET /metrics does.
func (s *Server) Metrics() string { return string(s.core.service.Metrics()) }

// Sandbox returns the sandbox with the name, creating it if needed, for tests that run in parallel
// on one server. Requests to the sandbox do not affect other sandboxes. Creating a sandbox takes a
// few microseconds, however much data there is.
//
// The name may be any non-empty string, such as [testing.TB.Name]. The name refers to the same
// sandbox over HTTP, and so does its canonical form. The canonical form is readable in a URL and
// the same in every run. Different names have different canonical forms. Some names are not valid
// over HTTP: those with more than 200 characters, with control characters or with invalid UTF-8,
// and "*", "." and "..". Sandbox replaces control characters in such a name with spaces, truncates
// the name if it is too long, and appends twelve hexadecimal digits that depend on the whole name.
// The field Title of [Sandbox] has the result. In the header X-Sandbox, a name that contains a "%"
// or begins or ends with a space must be percent-encoded; the field Name of [Sandbox] never needs
// encoding.
//
// The sandbox is dropped when the test that created it, the one passed to [Run] or [Server.For], is
// over. Without a test, it lasts until [Sandbox.Drop] or until the server stops. It never counts as
// idle.
func (s *Server) Sandbox(name string) *Sandbox {
	s.t.Helper()
	return s.hold(s.mustTitle(name), false)
}

// Sandboxes returns all sandboxes, sorted by name, including the default one and those that
// requests have created.
func (s *Server) Sandboxes() []*Sandbox { return s.SandboxesNamed("") }

// SandboxesNamed is like [Server.Sandboxes], but returns only sandboxes whose Name or Title
// contains part, ignoring case.
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
	for _, opt := range opts {
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
	c := &core{service: service, version: config.Version, extras: config.Extras != nil}
	if o.withoutNetwork {
		c.listener = newMemoryServer(service)
	} else {
		c.listener = httptest.NewServer(service)
	}
	c.listener.Client().Transport.(*http.Transport).MaxIdleConnsPerHost = 64 // for parallel tests; the default is 2
	return c, nil
}

func (c *core) close() {
	c.listener.CloseClientConnections() // otherwise listener.Close would wait for requests that never end
	c.service.Close()
	c.listener.Close()
}

func (c *core) server(t testing.TB) *Server {
	return &Server{defaultSandbox: c.sandbox(t, c.service.Sandboxes().Default()), core: c}
}

func (c *core) sandbox(t testing.TB, sb *registry.Entry) *Sandbox {
	sb.Claim() // the test may change the sandbox at any time, so it must not be evicted
	s := &Sandbox{Name: sb.Name, Title: sb.Title, URL: c.listener.URL, Client: c.listener.Client(), t: t, core: c,
		sandbox: sb}
	if sb.Name != sandbox.Default {
		s.URL += "/sandboxes/" + sb.Name
	}
	return s
}

// withoutTime drops the time from log lines, because the output of a test does not need it.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}
