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

// How long a client may take to send a request's headers, and to begin the next request on a
// connection.
const (
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
)

// maxHeader is the maximum size of the request line and headers, in bytes. net/http allows 4 KiB
// more and then returns 431 in plain text.
const maxHeader = 64 << 10

// Limits for one HTTP/2 connection. Sizes are in bytes.
const (
	maxStreams          = 100
	maxFrame            = 16 << 10
	uploadPerStream     = 64 << 10
	uploadPerConnection = 256 << 10
)

// newServer returns the HTTP server for the service, with limits on everything that a client sends
// or keeps open. [rest.Writer] limits the time for sending a response, and the listener's
// connections limit it for responses by net/http itself.
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
	server.RegisterOnShutdown(service.Close) // event streams do not end by themselves
	server.RegisterOnShutdown(listener.Drain)
	return server
}
