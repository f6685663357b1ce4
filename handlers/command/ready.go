package command

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/rest"
)

// How often a server is asked whether it is ready, and how long it has to answer.
const (
	tryInterval = 100 * time.Millisecond
	tryTimeout  = 5 * time.Second
)

// maxHealth is the most bytes that are read of what a server says of its health.
const maxHealth = 4 << 10

// waitReady polls the health of the server at a base address, such as
// http://127.0.0.1:8080, until it is well, ctx ends, or a try fails in a way that
// no later one can mend. The error says what the last try met; it is a usageError
// where base is no such address.
//
// A server at a loopback address may have any certificate, another one that the
// system trusts or certFile, a PEM file, has; certFile may be empty.
func waitReady(ctx context.Context, base, certFile string) error {
	if u, err := url.Parse(base); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return usagef("--wait-ready must be a base address such as http://127.0.0.1:8080, not %q", base)
	}
	client, err := readyClient(certFile, new(net.Dialer).DialContext)
	if err != nil {
		return err
	}
	return pollHealth(ctx, client, base)
}

func pollHealth(ctx context.Context, client *http.Client, base string) error {
	tick := time.NewTicker(tryInterval)
	defer tick.Stop()
	met := errors.New("it has not responded")
	for {
		err := checkHealth(ctx, client, strings.TrimSuffix(base, "/")+"/healthz")
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil: // that ctx ended in the middle of a try says nothing of the server
		case stays(err):
			return fmt.Errorf("%s cannot become ready: %w", base, err)
		default:
			met = err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w", base, met)
		case <-tick.C:
		}
	}
}

// unwell is an answer that does not say that the server is well.
type unwell struct{ status, text string }

func (u unwell) Error() string {
	message := "its health check returned " + u.status
	if strings.HasPrefix(u.status, "200 ") { // of whatever else has the address
		message += `, but its body is not {"status": "ok", …}`
	}
	if u.text == "" {
		return message
	}
	return message + ": " + u.text
}

func checkHealth(ctx context.Context, client *http.Client, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(response.Body, maxHealth)) // what can be had of it
	var health handlers.Health
	if response.StatusCode == http.StatusOK && json.Unmarshal(text, &health) == nil && health.Status == "ok" {
		return nil
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(text[:min(len(text), 200)])), "\n")
	return unwell{response.Status, line}
}

// stays reports whether an error is one that waiting does not mend: a bad
// certificate or port, or what is not HTTP. All else may pass: nobody listens yet, or
// a proxy stands there that cannot hand the request on.
func stays(err error) bool {
	if answer, ok := errors.AsType[unwell](err); ok {
		return strings.HasPrefix(answer.status, "400 ") // as HTTPS servers answer HTTP
	}
	if _, ok := errors.AsType[*net.AddrError](err); ok {
		return true
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok || errors.Is(err, http.ErrSchemeMismatch) {
		return true
	}
	if network, ok := errors.AsType[*net.OpError](err); ok {
		return network.Op == "remote error" // what TLS calls a handshake that the server refuses
	}
	return strings.Contains(err.Error(), "malformed HTTP") // net/http has no type for it
}

// dialFunc connects to an address.
type dialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// readyClient returns a client that trusts as [waitReady] says. It decides by the
// address that it connects to, which a redirect can change.
func readyClient(certFile string, dial dialFunc) (*http.Client, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableKeepAlives = true // each try is to meet the server as it is
	transport.DialContext = dial
	transport.TLSClientConfig = new(tls.Config)
	if certFile != "" {
		roots, err := rootsWith(certFile)
		if err != nil {
			return nil, err
		}
		transport.TLSClientConfig.RootCAs = roots
	}
	transport.DialTLSContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		plain, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		config := transport.TLSClientConfig.Clone()
		config.ServerName, _, _ = net.SplitHostPort(address) // which the dialer has accepted
		config.InsecureSkipVerify = rest.IsLoopback(config.ServerName)
		conn := tls.Client(plain, config)
		if err := conn.HandshakeContext(ctx); err != nil {
			plain.Close()
			return nil, err
		}
		return conn, nil
	}
	return &http.Client{Transport: transport, Timeout: tryTimeout}, nil
}

// rootsWith returns what the system trusts and the certificates of the file.
func rootsWith(certFile string) (*x509.CertPool, error) {
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	text, err := os.ReadFile(certFile)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert: %w", err)
	}
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("--tls-cert %s has no certificate in the PEM format", certFile)
	}
	return roots, nil
}
