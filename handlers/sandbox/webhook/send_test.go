package webhook

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/sandbox/memory"
)

// sendTo tries once to send a message to the address.
func sendTo(t *testing.T, ctx context.Context, address string) Try {
	t.Helper()
	s := NewSender(Targets{}, types, time.Now, nil)
	t.Cleanup(s.Close)
	try, _ := s.try(ctx,
		message{url: address, hook: "one", key: keyFor(t, secret), id: "msg_1", payload: []byte(`{"type":"pet.created"}`)})
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
		listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
		t.Cleanup(func() { listener.Close() })
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					_, _ = io.Copy(io.Discard, r.Body) // unread data would abort the response
				}
				_, _ = io.WriteString(conn, answer)
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
		{"closes", raw(""), 0, "the receiver closed the connection without an answer", ""},
		{"speaks no HTTP", raw("SSH-2.0-OpenSSH_9.2\r\n"), 0, "malformed HTTP", ""},
		{"sends an invalid status", raw("HTTP/1.1 9999999 No\r\n\r\n"), 0, "malformed HTTP", ""},
		{"has endless headers", raw("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20)), 0, "exceeded", ""},
		{"is unreachable", "http://127.0.0.1:1", 0, "refused", ""},
		{"redirects", serve(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere, http.StatusTemporaryRedirect)
		}), 307, "", ""},
		{"answers with a flood", serve(t, func(w http.ResponseWriter, _ *http.Request) {
			for range 10 << 4 {
				_, _ = w.Write(bytes.Repeat([]byte("x"), 64<<10))
			}
		}), 200, "", strings.Repeat("x", MaxBody)},
		{"responds with invalid UTF-8",
			serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("a\xff\xfeb\x00c")) }), 200,
			"", "ab\x00c"},
		{"breaks off", raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nso"), 200, "", "so"},
		{"has a self-signed certificate and a name", strings.Replace(tls.URL, "127.0.0.1", "localhost", 1), 202, "", ""},
		{"is at a forbidden address", "http://192.0.2.1/", 0, "webhooks must not send to 192.0.2.1", ""},
	} {
		try := sendTo(t, t.Context(), test.address)
		if test.status == 0 && try.Error == "" || try.Status != test.status ||
			!strings.Contains(try.Error, test.error) || try.Body != test.body && test.body+"\n" != try.Body {
			t.Errorf("a receiver that %s: %+.200v", test.name, try)
		}
		if len(try.Body) > MaxBody || try.size() < len(try.Body) || try.size() > bareTry+MaxBody {
			t.Errorf("a receiver that %s: %d bytes are kept, %d of them of the body", test.name, try.size(),
				len(try.Body))
		}
	}
	if reached != 0 {
		t.Error("a redirect was followed")
	}
}

// TestTryNeedsMemory checks that nothing is sent if the server has no memory left.
func TestTryNeedsMemory(t *testing.T) {
	t.Parallel()
	address := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("sent") })
	s := NewSender(Targets{}, types, time.Now, memory.New(1, time.Now))
	defer s.Close()
	if try, wait := s.try(t.Context(), message{url: address, payload: []byte("{}")}); try.Status != 0 ||
		!strings.Contains(try.Error, "memory") || wait != shortestWait {
		t.Errorf("%+v, again after %v", try, wait)
	}
}

func TestTries(t *testing.T) {
	for name, test := range map[string]struct {
		answer func(*http.Request, int) (*http.Response, error)
		after  string // in seconds
		want   string
	}{
		"all fail": {always(500), "0 1 3 7 15 31 63 123",
			"pet.created failed 500 500 500 500 500 500 500 500"},
		"never an answer": {hang, "0 16 33 52 75 106 153 228", "pet.created failed - - - - - - - -"},
		"no connection":   {broken, "0 1 3 7 15 31 63 123", "pet.created failed - - - - - - - -"},
		"a redirect": {always(300, "Location", "http://127.0.0.1/other"), "0 1 3 7 15 31 63 123",
			"pet.created failed 300 300 300 300 300 300 300 300"},
		"wait as I say": {always(429, "Retry-After", "5"), "0 5 10 15 20 25 30 35",
			"pet.created failed 429 429 429 429 429 429 429 429"},
		"wait for long": {always(503, "Retry-After", "9999"), "0 60 120 180 240 300 360 420",
			"pet.created failed 503 503 503 503 503 503 503 503"},
		"wait for ever": {always(503, "Retry-After", "9223372036854775807"), "0 60 120 180 240 300 360 420",
			"pet.created failed 503 503 503 503 503 503 503 503"},
		"wait, by a date": {always(503, "Retry-After", "Sat, 01 Jan 2000 00:00:10 GMT"), "0 10 11 12 13 14 15 16",
			"pet.created failed 503 503 503 503 503 503 503 503"},
		"no longer than bad": {func(_ *http.Request, n int) (*http.Response, error) {
			return status([]int{500, 404, 299}[n-1])
		}, "0 1 3", "pet.created delivered 500 404 299"},
		"gone": {always(410), "0", "pet.created failed 410"},
	} {
		t.Run(name, func(t *testing.T) {
			testmain.Bubble(t, func(t *testing.T) {
				b := newBench(t, test.answer, nil)
				set(t, b.Hooks, "one")
				notify(b.Hooks, "pet.created")
				time.Sleep(10 * time.Minute)
				if got := b.receiver.after(b.start); got != test.after {
					t.Errorf("tries after %s s, want %s", got, test.after)
				}
				list := deliveries(t, b.Hooks, "one")
				must.Equal(t, []string{test.want}, outline(list), "deliveries")
				for _, c := range b.receiver.requests() {
					if c.id != list[0].MessageID {
						t.Errorf("a try has the id %s, want %s", c.id, list[0].MessageID)
					}
				}
			})
		})
	}
}

// TestGone checks that a receiver that has responded 410 gets nothing until its webhook is set
// again.
func TestGone(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		code := newStatus(410)
		b := newBench(t, code.answer, nil)
		set(t, b.Hooks, "one")
		notify(b.Hooks, "pet.created", "pet.updated", "pet.deleted")
		synctest.Wait()
		notify(b.Hooks, "pet.created")
		time.Sleep(time.Hour)
		if diff := cmp.Diff([]string{"pet.created failed 410", "pet.updated failed", "pet.deleted failed"},
			outline(deliveries(t, b.Hooks, "one"))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if i := info(t, b.Hooks, "one"); !i.Disabled || i.Failed != 3 || i.Pending != 0 ||
			len(b.receiver.requests()) != 1 {
			t.Errorf("%+v after %d requests", i, len(b.receiver.requests()))
		}
		code.Store(204)
		set(t, b.Hooks, "one")
		notify(b.Hooks, "order.created")
		synctest.Wait()
		if i := info(t, b.Hooks, "one"); i.Disabled || i.Delivered != 1 {
			t.Errorf("set again: %+v", i)
		}
	})
}

// TestDeliveriesAreTriedInOrder checks that deliveries keep their order and that a failed one does not
// delay the others.
func TestDeliveriesAreTriedInOrder(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		b := newBench(t, func(r *http.Request, n int) (*http.Response, error) {
			time.Sleep(100 * time.Millisecond)
			if n == 1 {
				return status(500)
			}
			return status(204)
		}, nil)
		set(t, b.Hooks, "one")
		notify(b.Hooks, "pet.created", "pet.updated", "pet.deleted")
		time.Sleep(time.Minute)
		if got, want := b.receiver.after(b.start), "0 0.1 0.2 1.1"; got != want {
			t.Errorf("requests after %s s, want %s", got, want)
		}
		if diff := cmp.Diff([]string{"pet.created delivered 500 204", "pet.updated delivered 204",
			"pet.deleted delivered 204"}, outline(deliveries(t, b.Hooks, "one"))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// TestUnresponsiveReceivers has more unresponsive receivers than concurrent tries, and one
// that responds. That one waits for one of their tries at most.
func TestUnresponsiveReceivers(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		going, most := 0, 0
		var b *bench
		b = newBench(t, func(r *http.Request, n int) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "good") {
				return status(204)
			}
			b.receiver.mu.Lock()
			going++
			most = max(most, going)
			b.receiver.mu.Unlock()
			defer func() {
				b.receiver.mu.Lock()
				going--
				b.receiver.mu.Unlock()
			}()
			return hang(r, n)
		}, nil)
		for range maxTrying/MaxHooks + 1 {
			h := b.sandbox(t)
			for i := range MaxHooks {
				set(t, h, fmt.Sprint("dead", i))
			}
			for range 100 {
				notify(h, "pet.created")
			}
		}
		good := b.sandbox(t)
		set(t, good, "good")
		notify(good, "pet.created", "pet.updated")
		time.Sleep(2*TryTime + time.Second)
		i := info(t, good, "good")
		b.receiver.mu.Lock()
		defer b.receiver.mu.Unlock()
		if i.Delivered != 2 || most != maxTrying {
			t.Errorf("delivered %d while up to %d others were tried", i.Delivered, most)
		}
	})
}

// TestTriesAreTimed checks the duration of a try that the receiver did not answer in time.
func TestTriesAreTimed(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		b := newBench(t, hang, nil)
		set(t, b.Hooks, "one")
		notify(b.Hooks, "pet.created")
		time.Sleep(TryTime)
		synctest.Wait()
		d := deliveries(t, b.Hooks, "one")[0]
		if len(d.Tries) != 1 || d.Tries[0].DurationMS != float64(TryTime.Milliseconds()) || d.NextTryAt == nil {
			t.Errorf("%+v, want one try that took %v, and when the next one is", d, TryTime)
		}
	})
}
