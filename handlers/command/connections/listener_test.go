package connections

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
)

const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

// answered reads the response to the connection's request.
func (c *client) answered() {
	c.t.Helper()
	response := must.Get(http.ReadResponse(bufio.NewReader(c), nil))(c.t)
	_, _ = io.Copy(io.Discard, response.Body)
	response.Body.Close()
	synctest.Wait()
}

// ways are the ways in which a client may use its connection.
var ways = map[string]func(t *testing.T, s *server) *client{
	"says nothing":  func(t *testing.T, s *server) *client { return s.dial(t) },
	"half a header": sends("GET / HTTP/1.1\r\nHost: a\r\n"),
	"idle": func(t *testing.T, s *server) *client {
		c := s.dial(t)
		go func() { _, _ = io.WriteString(c, get) }()
		c.answered()
		return c
	},
	"no body":       sends("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n{"),
	"takes nothing": sends("GET /large HTTP/1.1\r\nHost: a\r\n\r\n"),
	"waits":         sends("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n"),
	"unwanted body": sends("POST /refuse HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n{"),
}

// sends is the way of a client that sends the text and does nothing more.
func sends(text string) func(t *testing.T, s *server) *client {
	return func(t *testing.T, s *server) *client {
		c := s.dial(t)
		c.send(text)
		return c
	}
}

// handle responds to the requests of ways.
func handle(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/body":
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(longTime))
		_, _ = io.ReadAll(r.Body)
	case "/large":
		_, _ = w.Write(make([]byte, 1<<20))
	case "/wait":
		<-r.Context().Done()
	case "/refuse":
		_ = http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0))
		time.Sleep(longTime)
	}
}

// TestEvictedConnection fills a server with two connections, opens a third and checks which one is
// closed.
func TestEvictedConnection(t *testing.T) {
	t.Parallel()
	const long, short, instant = 2 * time.Second, moment, time.Millisecond
	for _, test := range []struct {
		first  string
		wait   time.Duration // between the first and the second connection
		second string
		then   time.Duration
		closed string // first, second or third
	}{
		{"idle", instant, "says nothing", long, "first"},
		{"idle", instant, "half a header", long, "first"},
		{"idle", instant, "idle", instant, "first"},
		{"says nothing", instant, "idle", instant, "first"},
		{"says nothing", instant, "says nothing", instant, "first"},
		{"says nothing", instant, "waits", instant, "first"},
		{"says nothing", short, "takes nothing", short, "first"},
		{"takes nothing", instant, "idle", instant, "second"},
		{"takes nothing", long, "says nothing", instant, "second"},
		{"takes nothing", instant, "waits", short, "first"},
		{"no body", long, "idle", instant, "second"},
		{"no body", instant, "takes nothing", long, "first"},
		{"no body", instant, "takes nothing", short, "first"},
		{"waits", long, "waits", long, "third"},
		{"waits", long, "takes nothing", instant, "third"},
		{"waits", long, "no body", instant, "third"},
		{"waits", long, "idle", instant, "second"},
		{"unwanted body", long, "waits", long, "third"},
	} {
		t.Run(strings.Join([]string{test.first, test.wait.String(), test.second, test.then.String()}, " "),
			func(t *testing.T) {
				testmain.Bubble(t, func(t *testing.T) {
					s := serve(t, 2, handle)
					clients := map[string]*client{"first": ways[test.first](t, s)}
					time.Sleep(test.wait)
					clients["second"] = ways[test.second](t, s)
					time.Sleep(test.then)
					clients["third"] = s.dial(t)
					for name, c := range clients {
						if closed := c.closed(); closed != (name == test.closed) {
							t.Errorf("%s is closed: %t", name, closed)
						}
					}
					if open, closed := s.Open(), s.Closed(); open != 2 || closed != 1 {
						t.Errorf("%d open and %d closed connections, want 2 and 1", open, closed)
					}
					if n := strings.Count(s.log.String(), "level=WARN"); n != 1 ||
						!strings.Contains(s.log.String(), "--max-connections") {
						t.Errorf("the log says %q, want one warning with the flag", &s.log)
					}
				})
			})
	}
}

// TestArrivingRequestKeepsConnection begins a request on the connection that would be closed next. The server
// must close another connection and respond to the request.
func TestArrivingRequestKeepsConnection(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		s := serve(t, 2, handle)
		for _, way := range []string{"says nothing", "idle"} {
			first := ways[way](t, s)
			time.Sleep(time.Millisecond)
			second := s.dial(t)
			time.Sleep(time.Millisecond)
			first.send(get[:10])
			third := s.dial(t)
			if !second.closed() {
				t.Errorf("%s: the second connection is open", way)
			}
			go func() { _, _ = io.WriteString(first, get[10:]) }()
			first.answered()
			first.Close()
			third.Close()
		}
	})
}

// TestDrain checks that connections without a request are closed at once, and the others after
// their response.
func TestDrain(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		finish := make(chan struct{})
		s := serve(t, 10, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/wait" {
				<-finish
			}
		})
		for _, way := range []string{"says nothing", "half a header", "idle"} {
			ways[way](t, s)
		}
		waiting := ways["waits"](t, s)
		began := time.Now()
		stopped := make(chan error, 1)
		go func() { stopped <- s.http.Shutdown(context.Background()) }()
		time.Sleep(2 * drainEvery)
		synctest.Wait()
		if n := s.open(); n != 1 {
			t.Errorf("%d connections are open, want that with a request", n)
		}
		go close(finish)
		waiting.answered()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > time.Second/2 {
			t.Errorf("it took %v", took)
		}
		time.Sleep(drainEvery) // Drain looks once more
	})
}

// TestLimit uses the test process's limit of open files.
func TestLimit(t *testing.T) {
	t.Parallel()
	files := int(openFiles())
	for _, test := range []struct{ wanted, want int }{
		{1, 1}, {10, min(10, files-16)}, {1 << 30, files - min(max(files/4, 16), 64)},
	} {
		if got := Limit(test.wanted); got != test.want {
			t.Errorf("Limit(%d) with %d files is %d, want %d", test.wanted, files, got, test.want)
		}
	}
}
