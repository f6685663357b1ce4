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

// The time that a client has to send the headers of a request, and the time that a connection may
// be idle before the next request.
const (
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
)

// maxHeader is the maximum size of the request line and headers, in bytes. net/http accepts 4 KiB
// more. Beyond that, it responds with a 431 in plain text.
const maxHeader = 64 << 10

// Limits for one HTTP/2 connection. Sizes are in bytes. While a client leaves a header or another
// frame unfinished, it cannot respond to a ping, so the last two constants limit the time for a
// header to their sum.
const (
	maxStreams          = 100
	maxFrame            = 16 << 10
	uploadPerStream     = 64 << 10
	uploadPerConnection = 256 << 10
	pingAfter           = 10 * time.Second // after this time without a frame from the client, send a ping
	pingTimeout         = 15 * time.Second // for the response, which may follow 64 KiB in the socket's buffer
)

// newServer returns the HTTP server for the service. The server limits the headers of a request,
// the time that a connection may be idle, and the number of HTTP/2 streams of a connection. Package
// rest limits bodies and the time for sending a response. For responses that net/http itself
// writes, the listener's connections limit the time.
func (o *options) newServer(service *handlers.Server, listener *connections.Listener,
	logger *slog.Logger) *http.Server {
	server := &http.Server{
		Handler:           service,
		TLSConfig:         o.tls,
		ReadHeaderTimeout: readHeaderTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ConnState:         listener.ConnState,
		ErrorLog:          log.New(logWriter{logs.NewBounded(logger)}, "", 0),
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams:          maxStreams,
			MaxReadFrameSize:              maxFrame,
			MaxReceiveBufferPerStream:     uploadPerStream,
			MaxReceiveBufferPerConnection: uploadPerConnection,
			WriteByteTimeout:              rest.PieceTime,
			SendPingTimeout:               pingAfter,
			PingTimeout:                   pingTimeout,
		},
	}
	server.RegisterOnShutdown(service.Close) // event streams do not end by themselves
	server.RegisterOnShutdown(listener.Drain)
	return server
}
