package petstoretest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
)

// memoryHost is the host name of an in-memory server. Names under .test are reserved for testing
// (RFC 6761, section 6.2), so no server on the Internet has this name.
const memoryHost = "petstore.test"

// memory is a net.Listener for in-memory connections to one server.
type memory struct {
	connections chan net.Conn
	closed      context.Context
	close       context.CancelFunc
}

// newMemoryServer starts a server that only its own client can reach.
func newMemoryServer(handler http.Handler) *httptest.Server {
	m := &memory{connections: make(chan net.Conn)}
	m.closed, m.close = context.WithCancel(context.Background())
	server := &httptest.Server{Listener: m, Config: &http.Server{Handler: handler}}
	server.Start()
	server.Client().Transport.(*http.Transport).DialContext = m.dial
	return server
}

func (m *memory) dial(ctx context.Context, _, address string) (net.Conn, error) {
	if address != memoryHost+":80" {
		return nil, fmt.Errorf("petstoretest: %s cannot be reached: without a network there is only http://%s", address,
			memoryHost)
	}
	client, server := net.Pipe()
	select {
	case m.connections <- server:
		return client, nil
	case <-m.closed.Done():
		return nil, fmt.Errorf("petstoretest: the server at http://%s has stopped", memoryHost)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept waits for the next connection and returns the server's end of it.
func (m *memory) Accept() (net.Conn, error) {
	select {
	case connection := <-m.connections:
		return connection, nil
	case <-m.closed.Done():
		return nil, net.ErrClosed
	}
}

// Close makes Accept return an error.
func (m *memory) Close() error {
	m.close()
	return nil
}

// Addr returns an address with the host of the server's URL.
func (m *memory) Addr() net.Addr { return &net.UnixAddr{Name: memoryHost, Net: "memory"} }
