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
	"example.com/petstore/handlers/hosts"
)

// The interval between health requests, and the timeout of each request.
const (
	tryInterval = 100 * time.Millisecond
	tryTimeout  = 5 * time.Second
)

// maxHealth is the maximum number of bytes read from a health response.
const maxHealth = 4 << 10

// waitReady sends health requests to the server at a base URL, such as http://127.0.0.1:8080, until
// the server is healthy, ctx is done, or a request fails permanently. The error describes the last
// completed request, or says that certFile cannot be used. If base is invalid, the error is a
// usageError.
//
// If base has a loopback host, any certificate is accepted. Any other server needs a certificate
// that the system or the PEM file certFile trusts. certFile may be empty.
func waitReady(ctx context.Context, base, certFile string) error {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return usagef("--wait-ready must be a base address such as http://127.0.0.1:8080, not %q", base)
	}
	client, err := readyClient(u.Hostname(), certFile)
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
		case ctx.Err() != nil: // keep the error of an earlier request
		case isPermanent(err):
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

// healthError describes a response that does not report a healthy server.
type healthError struct{ status, text string }

func (u healthError) Error() string {
	message := "its health check returned " + u.status
	if strings.HasPrefix(u.status, "200 ") { // probably another program
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
	text, _ := io.ReadAll(io.LimitReader(response.Body, maxHealth)) // on error, use what was read
	var health handlers.Health
	if response.StatusCode == http.StatusOK && json.Unmarshal(text, &health) == nil && health.Status == "ok" {
		return nil
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(text[:min(len(text), 200)])), "\n")
	return healthError{response.Status, line}
}

// isPermanent reports whether repeating the request is useless, for example after an invalid
// certificate, an invalid port, or a response that is not HTTP. Other errors may be temporary. For
// example, the server may not listen yet, or a proxy may still wait for the server.
func isPermanent(err error) bool {
	if answer, ok := errors.AsType[healthError](err); ok {
		return strings.HasPrefix(answer.status, "400 ") // the response of an HTTPS server to an HTTP request
	}
	for _, permanent := range []any{
		new(*net.AddrError), new(*tls.CertificateVerificationError), new(tls.RecordHeaderError),
	} {
		if errors.As(err, permanent) {
			return true
		}
	}
	if network, ok := errors.AsType[*net.OpError](err); ok {
		return network.Op == "remote error" // a TLS alert: the server rejected the handshake
	}
	return errors.Is(err, http.ErrSchemeMismatch) ||
		strings.Contains(err.Error(), "malformed HTTP") // net/http has no error type for a malformed response
}

// readyClient returns a client for a server on the host. The client trusts the certificates
// described at [waitReady]. If host is a loopback host, the client accepts any certificate even
// after a redirect to another host, because the requests carry no secret.
func readyClient(host, certFile string) (*http.Client, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableKeepAlives = true // each attempt must open a new connection
	transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: hosts.IsLoopback(host)}
	if certFile != "" {
		roots, err := rootsWith(certFile)
		if err != nil {
			return nil, err
		}
		transport.TLSClientConfig.RootCAs = roots
	}
	return &http.Client{Transport: transport, Timeout: tryTimeout}, nil
}

// rootsWith returns the system's root certificates and those in certFile.
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
