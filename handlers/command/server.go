package command

import (
	"log"
	"log/slog"
	"net/http"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/command/connections"
	"example.com/petstore/handlers/logs"
	"example.com/petstore/handlers/rest"
)

// The time for a request's headers, and for the next request on a connection.
const (
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
)

// maxHeader is the most bytes of the request line and the headers. net/http adds 4 KiB to it and
// returns 431 in plain text.
const maxHeader = 64 << 10

// Bounds of one HTTP/2 connection.
const (
	maxStreams          = 100
	maxFrame            = 16 << 10
	uploadPerStream     = 64 << 10
	uploadPerConnection = 256 << 10
)

// newServer returns the HTTP server around the service, with bounds on everything that a client
// sends or keeps open. The bounds of responses are in [rest.Writer], and for what net/http itself
// sends in the listener's connections.
func (o *options) newServer(service *handlers.Server, listener *connections.Listener, logger *slog.Logger) *http.Server {
	server := &http.Server{
		Handler:           service,
		TLSConfig:         o.tls,
		ReadHeaderTimeout: readHeaderTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ConnState:         listener.ConnState,
		ErrorLog:          log.New(logWriter{slog.New(logs.Bounded(logger.Handler()))}, "", 0),
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams:          maxStreams,
			MaxReadFrameSize:              maxFrame,
			MaxReceiveBufferPerStream:     uploadPerStream,
			MaxReceiveBufferPerConnection: uploadPerConnection,
			WriteByteTimeout:              rest.PieceTime,
		},
	}
	connections.BoundHTTP2(server)
	server.RegisterOnShutdown(service.Close) // streams would never end by themselves
	server.RegisterOnShutdown(listener.Drain)
	return server
}
