package command

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// TestStreamsLeaveRoom opens event streams until one is refused, and checks that other requests
// still succeed.
func TestStreamsLeaveRoom(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--max-connections", "8")
	listen := func() *http.Response {
		t.Helper()
		r := must.Get(http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL+"/events", nil))(t)
		response := must.Get(new(http.Transport).RoundTrip(r))(t)
		t.Cleanup(func() { response.Body.Close() })
		return response
	}
	for i := range 6 {
		if response := listen(); response.StatusCode != http.StatusOK {
			t.Fatalf("stream %d: %s", i+1, response.Status)
		}
	}
	if response := listen(); response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one stream more than three quarters of the connections: %s, want 503", response.Status)
	}
	for _, test := range []struct {
		path, prefer string
		status       int
	}{
		{"/healthz", "", http.StatusOK},
		{"/admin", "", http.StatusOK},
		{"/pets", "", http.StatusOK},
		{"/pets", "delay=10", http.StatusOK},
		{"/pets", "delay=60000", http.StatusServiceUnavailable},
		{"/admin/requests?status=499&count=1&wait=60s", "", http.StatusServiceUnavailable},
		{"/admin/requests?status=499&count=1&wait=1ms", "", http.StatusOK},
	} {
		if got := programtest.Get(t, p.URL+test.path, "Prefer", test.prefer, "Connection",
			"close"); got.Status != test.status {
			t.Errorf("%s (%s) = %d %s, want %d", test.path, test.prefer, got.Status, got.Body, test.status)
		}
	}
}

// TestSilentConnectionsAreClosed opens more connections than there may be, without sending a request.
// A request on a new connection must succeed at once, and the metrics must have the connections.
func TestSilentConnectionsAreClosed(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--max-connections", "16")
	for range 48 {
		c := must.Get(net.Dial("tcp", strings.TrimPrefix(p.URL, "http://")))(t)
		t.Cleanup(func() { c.Close() })
	}
	got := programtest.Get(t, p.URL+"/metrics", "Connection", "close")
	for _, line := range []string{"connections 16", "connections_max 16", "connections_closed_total 33"} {
		if !strings.Contains(got.Body, "\npetstore_"+line+"\n") {
			t.Errorf("%q is not in\n%s", line, got.Body)
		}
	}
}

// TestReset checks that the fault reset reaches the TCP connection of the client.
func TestReset(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0")
	change(t, http.MethodPost, p.URL+"/admin/faults", `{"abort": "reset"}`)
	if status, err := get(t.Context(), new(http.Transport), p.URL+"/pets"); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("%d, %v; want a reset", status, err)
	}
}

// withFiles limits the number of open files of a program.
func withFiles(files int) func(*exec.Cmd) {
	return func(cmd *exec.Cmd) {
		cmd.Args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, files), cmd.Path},
			cmd.Args[1:]...)
		cmd.Path = "/bin/sh"
	}
}

// TestFewOpenFiles opens more connections that never read than the program may have files. The
// program must still serve other clients, keep some files in reserve, and log which limit to raise.
func TestFewOpenFiles(t *testing.T) {
	t.Parallel()
	const files, clients = 256, 300
	p := programtest.Start(t, programtest.Petstore, withFiles(files), "--addr", "127.0.0.1:0", "--pets", "2000")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	wait := neverReading(ctx, t, p, clients)
	defer wait()
	healthy := func() bool {
		transport := &http.Transport{DisableKeepAlives: true} // a new connection each time
		status, err := get(ctx, transport, p.URL+"/healthz")
		return err == nil && status == http.StatusOK
	}
	line := p.Stderr.Line("maximum of connections")
	for end := time.Now().Add(programtest.Patience); !healthy() && time.Now().Before(end); {
		// Requests just after the flood may be refused.
	}
	answered := 0
	for range 50 {
		if healthy() {
			answered++
		}
	}
	if answered < 45 {
		t.Errorf("%d of 50 requests for health are answered", answered)
	}
	if held := p.Usage(t).Descriptors; held > files*3/4+20 {
		t.Errorf("%d of %d files are open, want some to be left", held, files)
	}
	if !strings.Contains(line, "--max-connections") || !strings.Contains(line, "max=192") {
		t.Errorf("the log says %q, want the flag and how many there may be", line)
	}
}
