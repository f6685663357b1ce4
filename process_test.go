package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

func TestOneLineOnStandardOutput(t *testing.T) {
	t.Parallel()
	p := startPetstore(t)
	// The line is out, so the port is bound: no waiting, no second try.
	if got := get(t, p.url+"/pets/7"); got.status != http.StatusOK {
		t.Errorf("GET /pets/7: %d, want 200", got.status)
	}
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := p.wait(t); code != exitOK {
		t.Errorf("exit code %d after SIGINT, want 0", code)
	}
	if got := p.stdout.String(); !regexp.MustCompile(`^petstore listening on http://127\.0\.0\.1:[1-9]\d*\n$`).MatchString(got) {
		t.Errorf("standard output is %q, want one line with the address", got)
	}
}

func TestPortTaken(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	taken := listener.Addr().String()
	got := runBinary(t, "--addr", taken)
	if got.code != exitRun || got.stdout != "" {
		t.Errorf("exit code %d, standard output %q, want %d and nothing", got.code, got.stdout, exitRun)
	}
	if !strings.Contains(got.stderr, taken) || !strings.Contains(got.stderr, "--addr") || len(lines(got.stderr)) != 1 {
		t.Errorf("standard error is %q, want one line with %s and --addr", got.stderr, taken)
	}
}

// inFlight begins a POST of a pet with the headers and the first part of its body,
// and returns when the server is at it.
func inFlight(t *testing.T, p *process, header, body string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST /pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s\r\n%s", header, body)
	for called := `"operationId":"createPet","method":"POST","path":"/pets","tag":"Pets","calls":1`; ; {
		if strings.Contains(get(t, p.url+"/admin/operations").body, called) {
			return conn // counted before its body is read, or it waits
		}
		if t.Context().Err() != nil {
			t.Fatal("the request has not come")
		}
	}
}

// TestTermination wants a request in flight to be finished, and one that waits to
// be told that it waits for nothing.
func TestTermination(t *testing.T) {
	t.Parallel()
	const half, rest = `{"name": "Rex", `, `"categoryId": 1}`
	length := fmt.Sprintf("Content-Length: %d\r\n", len(half)+len(rest))
	for _, test := range []struct {
		name                string
		header, body, after string
		status              int
	}{
		{"in flight", length, half, rest, http.StatusCreated},
		{"waiting", length + "Prefer: delay=60000\r\n", half + rest, "", http.StatusServiceUnavailable},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := startPetstore(t)
			conn := inFlight(t, p, test.header, test.body)
			if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if p.stderr.line("stopping") == "" {
				t.Errorf("standard error does not say that it stops:\n%s", p.stderr)
			}
			if _, err := io.WriteString(conn, test.after); err != nil {
				t.Fatal(err)
			}
			response, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			var answer struct{ Name, Code string }
			if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || response.StatusCode != test.status {
				t.Errorf("the request got %s, %+v, %v, want %d", response.Status, answer, err, test.status)
			}
			if created := test.status == http.StatusCreated; created != (answer.Name == "Rex") || created == (answer.Code == "unavailable") {
				t.Errorf("the request got %+v", answer)
			}
			if code := p.wait(t); code != exitOK {
				t.Errorf("exit code %d after SIGTERM, want 0", code)
			}
		})
	}
}

func TestSecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	p := startPetstore(t)
	conn := inFlight(t, p, "Content-Length: 100\r\n", "{")
	signals := 0
	for ended := false; !ended; signals++ {
		_ = p.cmd.Process.Signal(syscall.SIGTERM) // until one comes after the first was taken
		select {
		case <-p.done:
			ended = true
		case <-time.After(20 * time.Millisecond):
			if signals > 200 {
				t.Fatal("200 signals did not end it")
			}
		}
	}
	if status := p.cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("it ended with %v, want by the signal", p.cmd.ProcessState)
	}
	if rest, _ := io.ReadAll(conn); len(rest) > 0 {
		t.Errorf("the request in flight got %q, want a broken connection", rest)
	}
}

// TestNeedsNothing runs the program where there is no other file, if it may, and
// finds that it has made none and has none open.
func TestNeedsNothing(t *testing.T) {
	t.Parallel()
	path, err := petstoreBinary()
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	program, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "petstore"), program, 0o755); err != nil {
		t.Fatal(err)
	}
	p := start(t, petstoreBinary, func(cmd *exec.Cmd) {
		cmd.Dir = root
		cmd.Env = []string{"HOME=" + root, "TMPDIR=" + root}
		if os.Getuid() == 0 {
			cmd.Path, cmd.Dir, cmd.Env = "/petstore", "/", nil
			cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
		}
	}, "--addr", "127.0.0.1:0")
	for _, path := range []string{"/pets", "/pets/1", "/openapi.yaml", "/docs/"} {
		if got := get(t, p.url+path); got.status != http.StatusOK {
			t.Errorf("GET %s: %d, want 200", path, got.status)
		}
	}
	descriptors, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.cmd.Process.Pid))
	if err != nil || len(descriptors) < 4 {
		t.Fatalf("open files: %v, %v", descriptors, err)
	}
	for _, descriptor := range descriptors {
		target, err := os.Readlink(descriptor)
		if err == nil && strings.HasPrefix(target, "/") && target != "/dev/null" {
			t.Errorf("%s is open", target)
		}
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 1 {
		t.Errorf("files: %v, %v; want the program alone", entries, err)
	}
}

func TestSameSeedSameBytesInTwoProcesses(t *testing.T) {
	t.Parallel()
	everything := func(p *process) string {
		var all strings.Builder
		for _, path := range []string{"/pets", "/categories", "/store/orders", "/store/inventory"} {
			got := get(t, p.url+path+"?limit=1000")
			got.header.Del("Date")
			fmt.Fprintln(&all, path, got.status, got.header, got.body)
		}
		return all.String()
	}
	one := everything(startPetstore(t, "--seed", "42", "--pets", "500"))
	two := everything(startPetstore(t, "--seed", "42", "--pets", "500"))
	if one != two {
		t.Errorf("two processes of seed 42 differ:\n%.2000s\n%.2000s", one, two)
	}
	if other := everything(startPetstore(t, "--seed", "43", "--pets", "500")); other == one {
		t.Error("seeds 42 and 43 give the same")
	}
}

func TestWaitReady(t *testing.T) {
	t.Parallel()
	p := startPetstore(t)
	for _, base := range []string{p.url, p.url + "/"} {
		if got := runBinary(t, "--wait-ready", base); got != (program{}) {
			t.Errorf("--wait-ready %s: %+v, want exit code 0 and no word", base, got)
		}
	}
	var asked atomic.Int32
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/base/healthz" || asked.Add(1) < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer late.Close()
	if got := runToEnd(t, nil, "--wait-ready", late.URL+"/base"); got != (program{}) || asked.Load() != 3 {
		t.Errorf("a server that is ready at the third try: %+v after %d tries", got, asked.Load())
	}
}

// TestWaitReadyAtOnce wants exit code 1, not half a minute of tries, where waiting
// mends nothing, and the certificate of a loopback address not to matter.
func TestWaitReadyAtOnce(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"127.0.0.1:8080", "ftp://shop.example", "http://127.0.0.1:99999"} {
		got := runToEnd(t, nil, "--wait-ready", base)
		if got.code != exitRun || got.stdout != "" || len(lines(got.stderr)) != 1 {
			t.Errorf("--wait-ready %s: %+v, want exit code 1 and a line", base, got)
		}
	}
	secure := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer secure.Close()
	if got := runToEnd(t, nil, "--wait-ready", secure.URL); got != (program{}) {
		t.Errorf("--wait-ready %s: %+v, want exit code 0 and no word", secure.URL, got)
	}
	// As in an image that serves HTTPS and checks its own health.
	environ := []string{"PETSTORE_TLS_CERT=/none.pem", "PETSTORE_WAIT_READY=ftp://shop.example"}
	if got := runToEnd(t, environ, "--wait-ready", secure.URL); got.code != exitRun || !strings.Contains(got.stderr, "/none.pem") {
		t.Errorf("with %q: %+v, want exit code 1 for the file", environ, got)
	}
}

// TestWaitReadyGivesUp ends the waiting as its half minute would.
func TestWaitReadyGivesUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	ill := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		cancel()
	}))
	defer ill.Close()
	var stderr strings.Builder
	code := run(ctx, []string{"--wait-ready", ill.URL}, nil, io.Discard, &stderr)
	if code != exitRun || !strings.Contains(stderr.String(), "not ready") {
		t.Errorf("exit code %d, standard error %q", code, stderr.String())
	}
}

// TestStopWhileSeeding wants a program that is told to stop before it has its data
// to say nothing, and least of all that it listens.
func TestStopWhileSeeding(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr strings.Builder
	code := run(ctx, []string{"--addr", "127.0.0.1:0", "--pets", "1000"}, nil, &stdout, &stderr)
	if code != exitOK || stdout.String()+stderr.String() != "" {
		t.Errorf("exit code %d, output %q, standard error %q", code, stdout.String(), stderr.String())
	}
}
