package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"example.com/petstore/handlers/hosts"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store/field"
)

// Bounds of a try.
const (
	TryTime    = 15 * time.Second // from connecting to the first bytes of the response body
	maxHeaders = 16 << 10         // of a response's headers, in bytes
	idleTime   = 5 * time.Second  // until an unused connection is closed
)

// Header marks requests of webhooks. A change that such a request makes is not sent to webhooks;
// otherwise a webhook whose receiver is a sandbox would loop forever.
const Header = "X-Petstore-Webhook"

// message is the request of a try.
type message struct {
	url     *url.URL
	hook    string
	key     []byte
	id      string
	payload []byte
	failed  int // earlier tries
}

// newClient returns the HTTP client of all tries. It uses no proxy and no cookies, follows no
// redirects, and connects only to the targets.
func newClient(targets Targets) *http.Client {
	roots := func() *x509.CertPool { return nil }
	if targets.Roots != nil {
		roots = sync.OnceValue(targets.Roots)
	}
	transport := &http.Transport{
		DialContext:            targets.dial,
		MaxIdleConns:           maxTrying,
		MaxIdleConnsPerHost:    maxTrying,
		IdleConnTimeout:        idleTime,
		MaxResponseHeaderBytes: maxHeaders,
		DisableCompression:     true,
	}
	transport.DialTLSContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		plain, err := targets.dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		name, _, _ := net.SplitHostPort(address) // dial has accepted it
		config := &tls.Config{ServerName: name}
		if hosts.IsLoopback(hosts.WithoutRoot(name)) {
			config.InsecureSkipVerify = true // on this machine, where receivers under test use self-signed certificates
		} else {
			config.RootCAs = roots()
		}
		conn := tls.Client(plain, config)
		if err := conn.HandshakeContext(ctx); err != nil {
			plain.Close()
			return nil, err
		}
		return conn, nil
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// try sends the message once. wait is the time until the next try if this one failed.
func (s *Sender) try(ctx context.Context, m message) (t Try, wait time.Duration) {
	t.At = s.now()
	if err := s.memory.Reserve(memory.Try); err != nil {
		t.Error = "not sent: " + err.Error()
		return t, backoff(m.failed, nil)
	}
	defer s.memory.Release(memory.Try)
	ctx, cancel := context.WithTimeout(ctx, TryTime)
	defer cancel()
	resp, err := s.send(ctx, &m, t.At)
	if err != nil {
		t.Error = whyNot(err)
	} else {
		t.Status, t.Body = resp.StatusCode, readStart(resp.Body)
		resp.Body.Close()
	}
	t.DurationMS = float64(s.now().Sub(t.At).Microseconds()) / 1000
	return t, backoff(m.failed, resp)
}

func (s *Sender) send(ctx context.Context, m *message, at time.Time) (*http.Response, error) {
	r, err := m.request(ctx, at)
	if err != nil {
		return nil, err
	}
	return s.client.Do(r)
}

func (m *message) request(ctx context.Context, at time.Time) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url.String(), bytes.NewReader(m.payload))
	if err != nil {
		return nil, err
	}
	r.Header = http.Header{
		"Content-Type":      {"application/json"},
		"User-Agent":        {"petstore-webhook"},
		"Webhook-Id":        {m.id},
		"Webhook-Timestamp": {seconds(at)},
		"Webhook-Signature": {sign(m.key, m.id, at, m.payload)},
		Header:              {m.hook},
		// This is not sent, but allows the client to send the request again if the receiver has
		// just closed a kept connection. Receivers recognize the request by its id.
		"Idempotency-Key": nil,
	}
	return r, nil
}

// readStart reads the first bytes of a response body, as far as they arrive.
func readStart(body io.Reader) string {
	start, _ := io.ReadAll(io.LimitReader(body, MaxBody+1)) // bytes before an error count
	return strings.ToValidUTF8(string(start[:min(len(start), MaxBody)]), "")
}

// whyNot describes a missing response without the address, which the webhook already shows.
func whyNot(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("no answer within %v", TryTime)
	}
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	return field.Abbreviate(strings.ToValidUTF8(err.Error(), ""))
}
