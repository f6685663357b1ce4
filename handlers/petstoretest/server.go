package petstoretest

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/petstore/handlers"
)

// Server is a running pet store. Its methods may be called by any number of
// goroutines.
type Server struct {
	// URL is the base address, such as http://127.0.0.1:40123, without a slash at
	// its end.
	URL string
	// Client makes requests to the server, or to any other. Its connections are
	// closed when the test ends. It sends no key.
	Client *http.Client

	service *handlers.Server
}

// Run starts a pet store on a free port of 127.0.0.1 and returns when it accepts
// requests. Without options it is what the program serves without flags: 100
// pets in 8 categories and 50 orders, the same every time.
//
// The server stops when the test and its subtests are over (see
// [testing.TB.Cleanup]): requests that are still running then are broken off.
// What it would log at level warn or above, such as the first use of a
// deprecated operation, goes to the output of t. A server that cannot start, and
// options that cannot be, end the test at once.
func Run(t testing.TB, opts ...Option) *Server {
	t.Helper()
	o := options{}
	o.config.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{
		Level:       slog.LevelWarn,
		ReplaceAttr: withoutTime,
	}))
	for _, opt := range opts {
		opt(&o)
	}
	config, err := o.complete()
	if err != nil {
		t.Fatalf("petstoretest: %v", err)
	}
	service, err := handlers.New(config)
	if err != nil {
		t.Fatalf("petstoretest: %v", err)
	}
	listener := httptest.NewServer(service)
	t.Cleanup(func() {
		listener.CloseClientConnections() // else Close waits for requests that never end
		listener.Close()
	})
	return &Server{URL: listener.URL, Client: listener.Client(), service: service}
}

// Reset brings the data and the ids back to what the server started with,
// however much there is, as POST /admin/reset does. It returns when that is done.
func (s *Server) Reset() { s.service.Reset() }

// withoutTime drops the time of log lines: a test has its own.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}
