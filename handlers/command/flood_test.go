package command

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// flood describes a client that fills the server with one kind of data.
type flood struct {
	flags    []string
	prepare  []func(n int) *http.Request // requests sent once each before the flood, called with increasing n
	requests func(n int) *http.Request   // returns the n-th request; nil if unread is set
	unread   string                      // path of requests whose responses are not read
	posts    string                      // body of these requests, sent by POST; empty for GET
	between  int                         // number of prepare requests after each such connection
	most     int                         // maximum number of requests or connections
	refused  []string                    // error codes of the expected refusals; nil if none are expected
	fits     bool                        // whether everything may fit, so that refusals are optional
	always   bool                        // whether the flood also runs without -flood
}

// floodFlag makes TestFloods run every flood.
var floodFlag = flag.Int64("flood", 0, "MiB that the server of TestFloods may use; 0: 64, and one of the floods")

// floodMiB returns the value of --max-memory. Larger values take longer to fill. Floods without
// refusals scale the number of requests to send several times as much.
func floodMiB() int64 { return cmp.Or(*floodFlag, 64) }

// TestFloods floods a server with one kind of data at a time. It checks that the server stays
// within 110 % of --max-memory, refuses requests with the documented error, answers other requests
// meanwhile, and recovers once it has room again.
func TestFloods(t *testing.T) {
	t.Parallel()
	one := make(chan struct{}, 1) // one flood at a time, since they compete for memory and processors
	for name, f := range floods() {
		if *floodFlag == 0 && !f.always {
			continue // covered by the others: refused, forgotten or left unread
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one <- struct{}{}
			defer func() { <-one }()
			f.run(t)
		})
	}
}

func (f flood) run(t *testing.T) {
	args := append([]string{"--max-memory", fmt.Sprintf("%dMiB", floodMiB()), "--log-level", "error"}, f.flags...)
	p := programtest.StartPetstore(t, args...)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}
	defer client.CloseIdleConnections()
	s := floodServer{t: t, p: p, client: client}
	for n, prepare := range f.prepare {
		if code := s.send(prepare(n)); code != "" {
			t.Fatalf("the preparation is refused: %s", code)
		}
	}
	leave := func() {}
	if f.unread != "" {
		leave = s.leaveUnread(f)
	} else {
		s.sendAll(f)
	}
	s.expectAnswers()
	if peak, most := peakMemory(t, p), (floodMiB()<<20)*11/10; peak > most {
		t.Errorf("the process took %d MiB, more than the %d MiB that it may", peak>>20, most>>20)
	} else {
		t.Logf("the process took %d MiB", peak>>20)
	}
	leave() // the server would close them after 30 s
	s.expectRoom()
}

type floodServer struct {
	t      *testing.T
	p      *programtest.Process
	client *http.Client
}

// enough is the number of refusals that ends a flood. Each waits for a collection, and for the
// pause after the previous one.
const enough = 50

// sendAll sends requests until enough are refused or all are sent.
func (s floodServer) sendAll(f flood) {
	var sent, refusals atomic.Int64
	var codes sync.Map
	var clients sync.WaitGroup
	for range 16 {
		clients.Go(func() {
			for refusals.Load() < enough && !s.t.Failed() {
				n := int(sent.Add(1)) - 1
				if n >= f.most {
					return
				}
				if code := s.send(f.requests(n)); code != "" {
					codes.Store(code, true)
					refusals.Add(1)
				}
			}
		})
	}
	clients.Wait()
	s.t.Logf("%d requests, %d refused", sent.Load(), refusals.Load())
	var got []string
	codes.Range(func(code, _ any) bool { got = append(got, code.(string)); return true })
	slices.Sort(got)
	if !slices.Equal(got, f.refused) && !(f.fits && len(got) == 0) {
		s.t.Errorf("the refusals are %q, want %q", got, f.refused)
	}
}

// send makes a request and returns the error code of its response, or the empty string.
func (s floodServer) send(r *http.Request) string {
	base, err := url.Parse(s.p.URL)
	if err != nil {
		s.t.Error(err)
		return ""
	}
	r.URL = base.ResolveReference(r.URL)
	response, err := s.client.Do(r)
	if err != nil {
		s.t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
		return ""
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
	}
	if response.StatusCode < http.StatusBadRequest {
		return ""
	}
	var e struct{ Code string }
	if err := json.Unmarshal(body, &e); err != nil || e.Code == "" {
		s.t.Errorf("%s %s: %d %.200s", r.Method, r.URL.Path, response.StatusCode, body)
	}
	return e.Code
}

// leaveUnread opens connections, requests the path, and reads only the status line, which may be a
// refusal. The connections stay open until leave is called.
func (s floodServer) leaveUnread(f flood) (leave func()) {
	base := must.Get(url.Parse(s.p.URL))(s.t)
	asked, refused := 0, 0
	var open []net.Conn
	leave = func() {
		for _, connection := range open {
			connection.Close()
		}
	}
	s.t.Cleanup(leave)
	for ; asked < f.most && refused < enough; asked++ {
		connection := must.Get(net.Dial("tcp", base.Host))(s.t)
		open = append(open, connection)
		must.Succeed(s.t, connection.(*net.TCPConn).SetReadBuffer(4<<10))
		request := "GET " + f.unread + " HTTP/1.1\r\nHost: " + base.Host +
			"\r\nAuthorization: Bearer demo-key\r\nLast-Event-ID: 0\r\n\r\n"
		if f.posts != "" {
			request = fmt.Sprintf(
				"POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", f.unread, base.Host, len(f.posts), f.posts)
		}
		must.Get(io.WriteString(connection, request))(s.t)
		line, err := bufio.NewReaderSize(connection, 16).ReadString('\n')
		switch {
		case err == nil && strings.Contains(line, "503") && f.refused != nil:
			refused++
		case err != nil || !strings.Contains(line, "200"):
			s.t.Errorf("an answer that begins with %q, %v", line, err)
		}
		for n := range f.between {
			if code := s.send(f.prepare[n%len(f.prepare)](n)); code != "" {
				s.t.Errorf("a request in between is refused: %s", code)
			}
		}
	}
	if s.t.Logf("%d connections, %d refused", asked, refused); refused == 0 && f.refused != nil && !f.fits {
		s.t.Errorf("no answer is refused, want %q", f.refused)
	}
	return leave
}

// expectAnswers checks that the default sandbox is readable.
func (s floodServer) expectAnswers() {
	for _, path := range []string{"/pets?limit=3", "/pets/7", "/healthz", "/admin", "/metrics"} {
		r := must.Get(http.NewRequest(http.MethodGet, path, nil))(s.t)
		if code := s.send(r); code != "" {
			s.t.Errorf("GET %s is refused: %s", path, code)
		}
	}
}

// expectRoom resets and drops everything, and checks that writes succeed again.
func (s floodServer) expectRoom() {
	s.expectSuccess(http.MethodPost, "/admin/reset")
	for sandboxes := s.sandboxes(); len(sandboxes) > 0; sandboxes = s.sandboxes() {
		for _, name := range sandboxes {
			s.expectSuccess(http.MethodDelete, "/admin/sandboxes/"+name)
		}
	}
	deadline := time.Now().Add(programtest.Patience)
	for {
		r, err := http.NewRequest(http.MethodPost, "/sandboxes/fresh/pets",
			strings.NewReader(`{"name": "Rex", "categoryId": 1}`))
		if err != nil {
			s.t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		switch code := s.send(r); {
		case code == "":
			return
		case code != "server_full" || time.Now().After(deadline):
			s.t.Fatalf("a write is refused with %s after everything was dropped", code)
		}
		time.Sleep(100 * time.Millisecond) // shorter than Retry-After
	}
}

// sandboxes returns a page of the names of sandboxes except default.
func (s floodServer) sandboxes() []string {
	page := programtest.GetJSON[[]struct{ Name string }](s.t, s.p.URL+"/admin/sandboxes?limit=1000")
	var names []string
	for _, sb := range page {
		if sb.Name != "default" {
			names = append(names, sb.Name)
		}
	}
	return names
}

func (s floodServer) expectSuccess(method, path string) {
	r := must.Get(http.NewRequest(method, path, nil))(s.t)
	if code := s.send(r); code != "" {
		s.t.Fatalf("%s %s is refused: %s", method, path, code)
	}
}

var peakLine = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMemory returns the peak resident memory of the process in bytes.
func peakMemory(t *testing.T, p *programtest.Process) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Cmd.Process.Pid))
	if err != nil {
		t.Skipf("this needs a Linux with /proc: %v", err)
	}
	match := peakLine.FindSubmatch(status)
	if match == nil {
		t.Fatalf("no VmHWM in\n%s", status)
	}
	kib := must.Get(strconv.ParseInt(string(match[1]), 10, 64))(t)
	return kib << 10
}
