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

// How long a client may take to send the header of a request, and the next request.
const (
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
)

// maxHeader is how many bytes the request line and the headers may have. net/http adds
// 4 KiB to it, and answers 431 in plain text.
const maxHeader = 64 << 10

// What one connection of HTTP/2 may hold.
const (
	maxStreams          = 100
	maxFrame            = 16 << 10
	uploadPerStream     = 64 << 10
	uploadPerConnection = 256 << 10
)

// newServer returns the HTTP server around the service, bounded in all that a client can
// send or leave lying. The bounds of answers are those of the listener's connections
// (each write) and of [rest.Writer] (each stream).
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
	server.RegisterOnShutdown(service.Close) // streams would go on for ever
	server.RegisterOnShutdown(listener.Drain)
	return server
}
