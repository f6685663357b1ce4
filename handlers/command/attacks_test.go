package command

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// attacks are the attacks of slow clients.
var attacks = []attack{
	{name: "slow headers", small: 100, full: 4000, begin: slowhttptest("-H", "-i", "5")},
	{name: "slow bodies", small: 100, full: 4000, begin: slowhttptest("-B", "-i", "5", "-s", "8192", "-t", "POST", "-f", "application/json")},
	{name: "ranges", small: 100, full: 4000, begin: slowhttptest("-R", "-a", "10", "-b", "3000")},
	{name: "slow reading", small: 100, full: 4000, begin: slowhttptest("-X", "-w", "512", "-y", "1024", "-n", "5", "-z", "32", "-k", "3")},
	{name: "idle connections", small: 200, full: 10_000, begin: idleConnections},
	{name: "more idle connections than there may be", small: 400, full: 10_000, args: []string{"--max-connections", "300"}, begin: idleConnections},
	{name: "event readers", small: 60, full: 2000, begin: eventReaders},
	{name: "never reading", small: 50, full: 200, begin: neverReading},
	{name: "closed windows of HTTP/2", small: 40, full: 1000, tls: true, begin: closedWindows},
}

// openAll opens n connections, sends the text on each, and closes them when the attack ends. It
// does not reopen connections that the server closes. If answered is set, it waits for the first
// byte of each response.
func openAll(ctx context.Context, t *testing.T, p *programtest.Process, n int, text string, answered bool) (wait func()) {
	t.Helper()
	var mu sync.Mutex
	var all []net.Conn
	opened := each(n, func(int) {
		dialer := net.Dialer{Timeout: programtest.Patience}
		c, err := dialer.DialContext(ctx, "tcp", strings.TrimPrefix(p.URL, "http://"))
		if err != nil {
			return // the server is full
		}
		_ = c.(*net.TCPConn).SetReadBuffer(4096)
		_, _ = io.WriteString(c, text)
		if answered { // or the connection is closed
			_, _ = c.Read(make([]byte, 1))
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, c)
	})
	opened()
	return func() {
		for _, c := range all {
			c.Close()
		}
	}
}

// idleConnections opens connections that become idle after one response.
func idleConnections(ctx context.Context, t *testing.T, p *programtest.Process, n int) func() {
	return openAll(ctx, t, p, n, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", true)
}

// eventReaders opens event streams without events.
func eventReaders(ctx context.Context, t *testing.T, p *programtest.Process, n int) func() {
	wait := openAll(ctx, t, p, n, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n", true)
	awaitDescriptors(t, p, n)
	return wait
}

// neverReading requests more than the connection's buffers hold, and does not read.
func neverReading(ctx context.Context, t *testing.T, p *programtest.Process, n int) func() {
	return openAll(ctx, t, p, n, strings.Repeat("GET /pets?limit=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n", 20), false)
}

// closedWindows opens HTTP/2 streams, a hundred on each connection, and does not read the
// responses.
func closedWindows(ctx context.Context, t *testing.T, p *programtest.Process, n int) func() {
	t.Helper()
	const perConnection = 100
	transports := make([]*http.Transport, (n+perConnection-1)/perConnection)
	connections := make([]net.Conn, len(transports))
	for i := range transports {
		transports[i] = trusting(nil)
		transports[i].HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerStream: 4 << 10}
		transports[i].DialContext = func(ctx context.Context, network, address string) (c net.Conn, err error) {
			connections[i], err = new(net.Dialer).DialContext(ctx, network, address)
			return connections[i], err
		}
	}
	for i := range n { // sequentially, so that each transport opens one connection
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL+"/pets?limit=1000", nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := transports[i/perConnection].RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { response.Body.Close() })
	}
	return func() {
		for _, c := range connections {
			c.Close()
		}
	}
}

// trusting returns an HTTP/2 transport that trusts the pool. A nil pool trusts every certificate.
func trusting(pool *x509.CertPool) *http.Transport {
	return &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, InsecureSkipVerify: pool == nil}, ForceAttemptHTTP2: true}
}
