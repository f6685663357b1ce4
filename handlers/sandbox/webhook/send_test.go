package webhook

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox/memory"
)

// sendTo tries once to send a message to the address.
func sendTo(t *testing.T, ctx context.Context, address string) Try {
	t.Helper()
	s := NewSender(Targets{}, types, time.Now, nil)
	t.Cleanup(s.Close)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	try, _ := s.try(ctx, message{url: u, hook: "one", key: keyFor(t, secret), id: "msg_1", payload: []byte(`{"type":"pet.created"}`)})
	return try
}

func serve(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	return server.URL
}

// TestBadReceivers sends to receivers that misbehave in every way. Each try ends, reports the
// failure, and keeps a limited part of the response.
func TestBadReceivers(t *testing.T) {
	t.Parallel()
	raw := func(answer string) string { // responds to any request, then closes
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { listener.Close() })
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				if answer != "" {
					if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
						_, _ = io.Copy(io.Discard, r.Body) // unread data would abort the response
					}
					_, _ = io.WriteString(conn, answer)
				}
				conn.Close()
			}
		}()
		return "http://" + listener.Addr().String()
	}
	reached := 0
	elsewhere := serve(t, func(http.ResponseWriter, *http.Request) { reached++ })
	tls := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(202) }))
	t.Cleanup(tls.Close)
	for _, test := range []struct {
		name    string
		address string
		status  int
		error   string
		body    string
	}{
		{"closes", raw(""), 0, "", ""},
		{"speaks no HTTP", raw("SSH-2.0-OpenSSH_9.2\r\n"), 0, "malformed HTTP", ""},
		{"has a status that is none", raw("HTTP/1.1 9999999 No\r\n\r\n"), 0, "malformed HTTP", ""},
		{"has endless headers", raw("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20)), 0, "exceeded", ""},
		{"is not there", "http://127.0.0.1:1", 0, "refused", ""},
		{"redirects", serve(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere, http.StatusTemporaryRedirect)
		}), 307, "", ""},
		{"answers with a flood", serve(t, func(w http.ResponseWriter, _ *http.Request) {
			for range 10 << 4 {
				_, _ = w.Write(bytes.Repeat([]byte("x"), 64<<10))
			}
		}), 200, "", strings.Repeat("x", MaxBody)},
		{"answers what is no text", serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("a\xff\xfeb\x00c")) }), 200, "", "ab\x00c"},
		{"breaks off", raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nso"), 200, "", "so"},
		{"has a certificate of its own", tls.URL, 202, "", ""},
		{"is at an address that is not allowed", "http://192.0.2.1/", 0, "webhooks must not send to 192.0.2.1", ""},
	} {
		try := sendTo(t, t.Context(), test.address)
		if test.status == 0 && try.Error == "" || try.Status != test.status || !strings.Contains(try.Error, test.error) || try.Body != test.body && test.body+"\n" != try.Body {
			t.Errorf("a receiver that %s: %+.200v", test.name, try)
		}
		if len(try.Body) > MaxBody || try.size() > bareTry+MaxBody {
			t.Errorf("a receiver that %s: %d bytes are kept, %d of them of the body", test.name, try.size(), len(try.Body))
		}
	}
	if reached != 0 {
		t.Error("a redirect was followed")
	}
}

// TestTryIsCutOff has a receiver that never responds. Ending the webhook ends the try.
func TestTryIsCutOff(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	address := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-over
	})
	defer close(over)
	if try := sendTo(t, ctx, address); try.Status != 0 || try.Error == "" {
		t.Errorf("%+v", try)
	}
}

// TestTryNeedsMemory checks that nothing is sent if the server has no memory left.
func TestTryNeedsMemory(t *testing.T) {
	t.Parallel()
	address := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("sent") })
	s := NewSender(Targets{}, types, time.Now, memory.New(1, time.Now))
	defer s.Close()
	u, _ := url.Parse(address)
	if try, wait := s.try(t.Context(), message{url: u, payload: []byte("{}")}); try.Status != 0 || !strings.Contains(try.Error, "memory") || wait != shortestWait {
		t.Errorf("%+v, again after %v", try, wait)
	}
}
