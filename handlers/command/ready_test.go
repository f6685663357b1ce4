package command

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// healthy is the response of a healthy server's health check.
const healthy = `{"status": "ok", "version": "1.2.3"}`

// ready is the handler of a healthy server.
var ready = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/base/healthz" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	fmt.Fprint(w, healthy)
})

// TestWaitReadyReportsLastResponse checks that the error has the server's last response and not only the
// timeout. A 200 of another server does not count as ready, and the petstore may still start.
func TestWaitReadyReportsLastResponse(t *testing.T) {
	t.Parallel()
	const other = `200 OK, but its body is not {"status": "ok", …}`
	for _, test := range []struct {
		status     int
		body, want string
	}{
		{http.StatusTeapot, "I am short\nand stout", "418 I'm a teapot: I am short"},
		{http.StatusOK, "", other},
		{http.StatusOK, "<html>\nWelcome", other + `: <html>`},
		{http.StatusOK, `{"status": "UP"}`, other + `: {"status": "UP"}`},
		{http.StatusOK, `[{"status": "ok"}]`, other + `: [{"status": "ok"}]`},
		{http.StatusOK, `{"status": "ok"}{}`, other + `: {"status": "ok"}{}`},
		{http.StatusOK, strings.Repeat("x", 9e3), other + `: ` + strings.Repeat("x", 200)},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var asked atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) == 2 {
				cancel() // during a try
				<-r.Context().Done()
			}
			w.WriteHeader(test.status)
			fmt.Fprint(w, test.body)
		}))
		defer server.Close()
		err := waitReady(ctx, server.URL, "")
		want := server.URL + " is not ready: its health check returned " + test.want
		if err == nil || err.Error() != want {
			t.Errorf("a body of %.40q: error %v\nwant %s", test.body, err, want)
		}
	}
}

// listen calls serve with each connection to a loopback address.
func listen(t *testing.T, serve func(net.Conn)) (address string) {
	t.Helper()
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // the listener is closed
			}
			serve(conn)
			conn.Close()
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		<-done
	})
	return listener.Addr().String()
}

// TestWaitReadyOutlastsBrokenConnections uses a proxy that accepts connections before it can
// forward them.
func TestWaitReadyOutlastsBrokenConnections(t *testing.T) {
	t.Parallel()
	var connections atomic.Int32
	address := listen(t, func(conn net.Conn) {
		if connections.Add(1) < 3 {
			return
		}
		buffer := make([]byte, 1024)
		_, _ = conn.Read(buffer)
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(healthy), healthy)
	})
	if err := waitReady(t.Context(), "http://"+address, ""); err != nil || connections.Load() != 3 {
		t.Errorf("%v after %d connections, want readiness at the third", err, connections.Load())
	}
}

// TestWaitReadyPermanentErrors checks that permanent errors are not retried.
func TestWaitReadyPermanentErrors(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(ready)
	t.Cleanup(plain.Close)
	secure, _ := startTLS(t, httptest.NewUnstartedServer(ready))
	choosy := httptest.NewUnstartedServer(ready)
	choosy.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	members, _ := startTLS(t, choosy)
	ssh := listen(t, func(conn net.Conn) { fmt.Fprint(conn, "SSH-2.0-OpenSSH_9.2\r\n") })
	empty := fileOf(t, "")
	for name, test := range map[string]struct {
		base, cert string
		code       int
		want       string
	}{
		"nothing":        {want: "--wait-ready is empty", code: exitUsage},
		"no address":     {base: "127.0.0.1:8080", want: "http://127.0.0.1:8080", code: exitUsage},
		"no host":        {base: "http:///base", want: "http://127.0.0.1:8080", code: exitUsage},
		"another scheme": {base: "ftp://shop.example", want: "ftp", code: exitUsage},
		"no such port":   {base: "http://127.0.0.1:99999", want: "port"},
		"HTTPS asked, HTTP is": {base: strings.Replace(plain.URL, "http:", "https:", 1),
			want: "HTTP response to HTTPS client"},
		"HTTP asked, HTTPS is": {base: strings.Replace(secure, "https:", "http:", 1),
			want: "HTTP request to an HTTPS server"},
		"not HTTP":                         {base: "http://" + ssh, want: "SSH-2.0"},
		"a client's certificate is wanted": {base: members, want: "certificate required"},
		"no certificate":                   {base: secure, cert: empty, want: "--tls-cert " + empty},
		"no certificate file":              {base: secure, cert: empty + "x", want: empty + "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// An image that serves HTTPS and checks its own health has such variables.
			environ := []string{"PETSTORE_TLS_CERT=" + test.cert, "PETSTORE_WAIT_READY=ftp://shop.example"}
			got := runToEnd(t, environ, "--wait-ready", test.base)
			if got.Code != cmp.Or(test.code, exitRun) || got.Stdout != "" || len(programtest.Lines(got.Stderr)) != 1 ||
				!strings.Contains(got.Stderr, test.want) || strings.Contains(got.Stderr, "is not ready") {
				t.Errorf("%+v, want a line with %q", got, test.want)
			}
		})
	}
}

// startTLS starts a server with a certificate for example.com and 127.0.0.1. It discards the errors
// of intended handshake failures.
func startTLS(t *testing.T, server *httptest.Server) (base, certFile string) {
	t.Helper()
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	block := &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}
	return server.URL, fileOf(t, string(pem.EncodeToMemory(block)))
}

// TestWaitReadyTrusts resolves every name to one server with a certificate that the system does not
// trust.
func TestWaitReadyTrusts(t *testing.T) {
	t.Parallel()
	base, certFile := startTLS(t,
		httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, healthy)
		})))
	for _, test := range []struct{ base, cert, want string }{
		{"https://localhost", "", ""},
		{"https://127.0.0.1", "", ""},
		{"https://[::1]", "", ""},
		{"https://example.com", certFile, ""},
		{"https://example.com", "", "unknown authority"},
		{"https://shop.example", certFile, "not shop.example"},
	} {
		host := strings.Trim(strings.TrimPrefix(test.base, "https://"), "[]")
		client := must.Get(readyClient(host, test.cert))(t)
		transport := client.Transport.(*http.Transport)
		transport.Proxy = nil
		transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, strings.TrimPrefix(base, "https://"))
		}
		switch err := pollHealth(t.Context(), client, test.base); {
		case test.want == "" && err != nil:
			t.Errorf("%s with %q: %v", test.base, test.cert, err)
		case test.want != "" &&
			(err == nil || !strings.Contains(err.Error(), "cannot become ready") ||
				!strings.Contains(err.Error(), test.want)):
			t.Errorf("%s with %q: error %v, want %q in it", test.base, test.cert, err, test.want)
		}
	}
}

func TestWaitReady(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--tls") // verified by no client on loopback
	var asked atomic.Int32
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/base/healthz" || asked.Add(1) < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, healthy)
	}))
	defer late.Close()
	for _, base := range []string{p.URL, p.URL + "/", late.URL + "/base"} {
		if got := runToEnd(t, nil, "--wait-ready", base); got != (programtest.Result{}) {
			t.Errorf("--wait-ready %s: %+v, want exit code 0 and no word", base, got)
		}
	}
	if asked.Load() != 3 {
		t.Errorf("a server that is ready at the third try was asked %d times", asked.Load())
	}
}
