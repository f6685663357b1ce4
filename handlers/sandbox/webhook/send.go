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

// Limits of tries and of their connections.
const (
	TryTime    = 15 * time.Second // the maximum duration, from connecting to reading the start of the response body
	maxHeaders = 16 << 10         // the maximum size of the response headers, in bytes
	idleTime   = 5 * time.Second  // how long an unused connection stays open
)

// Header marks requests sent by webhooks. Changes made by such a request are not sent to webhooks.
// Otherwise a webhook whose receiver is a sandbox could loop forever.
const Header = "X-Petstore-Webhook"

// message is the request to send in a try.
type message struct {
	url     string
	hook    string
	key     []byte
	id      string
	payload []byte
	failed  int // the number of earlier failed tries
}

// newClient returns the HTTP client for all tries. The client uses no proxy and no cookies, follows
// no redirects, and connects only to the given targets.
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
		name, _, _ := net.SplitHostPort(address) // always valid: dial has accepted it
		config := &tls.Config{ServerName: name}
		if hosts.IsLoopback(hosts.WithoutRoot(name)) {
			config.InsecureSkipVerify = true // receivers on this machine often use self-signed certificates
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
	if err := s.memory.Reserve(memory.Try, 0); err != nil {
		t.Error = "not sent: " + err.Error()
		return t, backoff(m.failed, nil, t.At)
	}
	defer s.memory.Release(memory.Try)
	ctx, cancel := context.WithTimeout(ctx, TryTime)
	defer cancel()
	resp, err := s.send(ctx, m, t.At)
	if err != nil {
		t.Error = whyNot(err)
	} else {
		t.Status, t.Body = resp.StatusCode, readStart(resp.Body)
		resp.Body.Close()
	}
	ended := s.now()
	t.DurationMS = float64(ended.Sub(t.At).Microseconds()) / 1000
	return t, backoff(m.failed, resp, ended)
}

func (s *Sender) send(ctx context.Context, m message, at time.Time) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url, bytes.NewReader(m.payload))
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
		// The nil value keeps the header from being sent. Its presence in the map lets net/http repeat
		// the request if the receiver has just closed an idle connection. Receivers recognize the
		// repeated request by its Webhook-Id.
		"Idempotency-Key": nil,
	}
	return s.client.Do(r)
}

// readStart returns the first MaxBody bytes of a response body, or as many as arrive, without bytes
// that are not valid UTF-8.
func readStart(body io.Reader) string {
	start, _ := io.ReadAll(io.LimitReader(body, MaxBody+1)) // keep what arrived before an error
	return strings.ToValidUTF8(string(start[:min(len(start), MaxBody)]), "")
}

// whyNot returns the reason why there was no response. It omits the URL, which the webhook already
// shows.
func whyNot(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("no answer within %v", TryTime)
	}
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	if err == io.EOF {
		return "the receiver closed the connection without an answer"
	}
	return field.Abbreviate(strings.ToValidUTF8(err.Error(), ""))
}
