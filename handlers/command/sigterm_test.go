package command

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// TestSIGTERMUnderLoad ends the program while hundreds of clients create pets, others wait, follow
// events or have opened a connection, and its log is not read. Ids are consecutive, so a gap means
// that a pet was created without a response.
func TestSIGTERMUnderLoad(t *testing.T) {
	t.Parallel()
	const creators, others = 300, 20
	p, _ := startWithStderr(t, "--log-level", "debug", "--pets", "100")
	var stopping atomic.Bool
	ctx, cancel := context.WithTimeout(t.Context(), 2*programtest.Patience)
	defer cancel()
	bystanders(ctx, t, p, others)
	ids := make(chan int64, 1<<20)
	done := make(chan struct{})
	go func() {
		defer close(done)
		each(creators, func(int) { create(ctx, t, p.URL, ids, &stopping) })()
		close(ids)
	}()
	for len(ids) < 10*creators {
		select {
		case <-done:
			t.Fatal("the clients gave up")
		case <-time.After(time.Millisecond):
		}
	}
	stopping.Store(true)
	began := time.Now()
	terminate(t, p)
	took := time.Since(began) // about a second on an idle machine
	t.Logf("%d pets; it ended after %v", len(ids), took)
	if took >= shutdownTimeout {
		t.Errorf("the end took %v and aborted requests", took)
	}
	<-done
	var created []int64
	for id := range ids {
		created = append(created, id)
	}
	slices.Sort(created)
	for i, id := range created {
		if want := int64(101 + i); id != want {
			t.Fatalf("of %d pets, the response has id %d, want %d: a request ran without a response, or twice",
				len(created), id, want)
		}
	}
}

// create creates pets until a request fails, which is an error unless the program is stopping.
func create(ctx context.Context, t *testing.T, url string, ids chan<- int64, stopping *atomic.Bool) {
	transport := new(http.Transport)
	defer transport.CloseIdleConnections()
	for {
		answer,
			err := programtest.Do(ctx, transport, http.MethodPost, url+"/pets",
			strings.NewReader(`{"name": "Rex", "categoryId": 1}`),
			"Content-Type", "application/json")
		if err != nil && answer.Status == 0 {
			if !stopping.Load() {
				t.Error(err)
			}
			return
		}
		var pet struct{ ID int64 }
		if json.Unmarshal([]byte(answer.Body), &pet) != nil || answer.Status != http.StatusCreated {
			t.Errorf("a pet is answered with %d %s, %v", answer.Status, answer.Body, err)
			return
		}
		ids <- pet.ID
	}
}

// bystanders opens connections that delay the program's end: for a delay, a fault, an event stream,
// an incomplete request or no request. Waiting requests must get a final response.
func bystanders(ctx context.Context, t *testing.T, p *programtest.Process, n int) {
	t.Helper()
	const rule = `{"match": {"operationId": "listOrders"}, "delay": {"fixedMs": 60000}}`
	change(t, http.MethodPost, p.URL+"/admin/faults", rule)
	var waiting sync.WaitGroup
	for name, test := range map[string]struct {
		request string
		status  int
	}{
		"delay": {"GET /pets HTTP/1.1\r\nHost: localhost\r\nPrefer: delay=60000\r\n\r\n",
			http.StatusServiceUnavailable},
		"fault":  {"GET /store/orders HTTP/1.1\r\nHost: localhost\r\n\r\n", http.StatusServiceUnavailable},
		"events": {"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n", http.StatusOK},
		"header": {"GET /pets HTTP/1.1\r\nHost: localhost\r\n", 0},
		"none":   {"", 0},
	} {
		for range n {
			c := must.Get(new(net.Dialer).DialContext(ctx, "tcp", strings.TrimPrefix(p.URL, "http://")))(t)
			must.Get(io.WriteString(c, test.request))(t)
			waiting.Go(func() {
				defer c.Close()
				if err := status(c, test.status); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
	}
	t.Cleanup(waiting.Wait)
}

// status reads a response and checks its status. Zero means that there may be no response.
func status(c net.Conn, want int) error {
	_ = c.SetReadDeadline(time.Now().Add(2 * programtest.Patience))
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	switch {
	case err != nil && want == 0:
		return nil
	case err != nil:
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return fmt.Errorf("the answer is broken off: %w", err)
	}
	if want != 0 && response.StatusCode != want {
		return fmt.Errorf("the answer is %s, want %d", response.Status, want)
	}
	return nil
}
