package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for what should come at once.
const patience = 30 * time.Second

// binDir holds the programs that the tests build. It is set once, before them.
var binDir string

func TestMain(m *testing.M) {
	var err error
	if binDir, err = os.MkdirTemp("", "petstore-test-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(binDir)
	os.Exit(code)
}

// The programs, each built when the first test wants it: as the README says to
// build petstore, and without the race detector.
var (
	petstoreBinary = sync.OnceValues(func() (string, error) { return build("petstore", ".") })
	bareBinary     = sync.OnceValues(func() (string, error) { return build("bareserver", "./testdata/bareserver") })
)

func build(name, pkg string) (string, error) {
	path := filepath.Join(binDir, name)
	cmd := exec.Command("go", "build", "-o", path, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", pkg, err, output)
	}
	return path, nil
}

// program is a command's end result.
type program struct {
	stdout, stderr string
	code           int
}

// runBinary runs petstore to its end.
func runBinary(t *testing.T, args ...string) program {
	t.Helper()
	path, err := petstoreBinary()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = []string{}, &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return program{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// process is a server that runs as a process of its own.
type process struct {
	url    string
	cmd    *exec.Cmd
	stdout *transcript
	stderr *transcript
	done   chan struct{} // closed when the process has ended
}

// start runs a server until it has said where it listens. It is killed with the
// test, if it has not ended by then.
func start(t testing.TB, binary func() (string, error), change func(*exec.Cmd), args ...string) *process {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: exec.Command(path, args...), stdout: newTranscript(), stderr: newTranscript(), done: make(chan struct{})}
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = []string{}, p.stdout, p.stderr
	if change != nil {
		change(p.cmd)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.done)
		_ = p.cmd.Wait() // what it says is in ProcessState
		p.stdout.end()
		p.stderr.end()
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.done
	})
	p.url = p.stdout.address(t, p.stderr)
	return p
}

// startPetstore starts petstore on a free port.
func startPetstore(t testing.TB, args ...string) *process {
	t.Helper()
	return start(t, petstoreBinary, nil, append([]string{"--addr", "127.0.0.1:0"}, args...)...)
}

// wait returns the exit code, when the process has ended.
func (p *process) wait(t *testing.T) int {
	t.Helper()
	select {
	case <-p.done:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		t.Fatalf("still running after %v; standard error:\n%s", patience, p.stderr)
		return 0
	}
}

// inProcess is a server that run runs in the process of the test.
type inProcess struct {
	url    string
	stdout *transcript
	stderr *transcript
	stop   func() int // ends run and returns the exit code
}

// startRun calls run with the arguments and the environment, until it has said
// where it listens. It is stopped with the test.
func startRun(t *testing.T, environ []string, args ...string) *inProcess {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p := &inProcess{stdout: newTranscript(), stderr: newTranscript()}
	result := make(chan int, 1)
	go func() {
		code := run(ctx, args, environ, p.stdout, p.stderr)
		p.stdout.end()
		p.stderr.end()
		result <- code
	}()
	p.stop = sync.OnceValue(func() int {
		cancel()
		return <-result
	})
	t.Cleanup(func() {
		if code := p.stop(); code != exitOK {
			t.Errorf("exit code %d; standard error:\n%s", code, p.stderr)
		}
	})
	p.url = p.stdout.address(t, p.stderr)
	return p
}

// runToEnd calls run where it is not to serve.
func runToEnd(t *testing.T, environ []string, args ...string) program {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	code := run(ctx, args, environ, &stdout, &stderr)
	if ctx.Err() != nil {
		t.Fatalf("run %v did not end by itself", args)
	}
	return program{stdout.String(), stderr.String(), code}
}

// transcript keeps what is written to it and lets a test wait for a line.
type transcript struct {
	mu     sync.Mutex
	change *sync.Cond
	text   []byte // guarded by mu
	ended  bool   // guarded by mu
}

func newTranscript() *transcript {
	s := new(transcript)
	s.change = sync.NewCond(&s.mu)
	return s
}

func (s *transcript) Write(data []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = append(s.text, data...)
	s.change.Broadcast()
	return len(data), nil
}

func (s *transcript) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.change.Broadcast()
}

func (s *transcript) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.text)
}

// line waits for a whole line that contains part and returns it, or "" where the
// program ends, or patience does, without one.
func (s *transcript) line(part string) string {
	deadline := time.Now().Add(patience)
	defer time.AfterFunc(patience, s.change.Broadcast).Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for line := range strings.Lines(string(s.text)) {
			if strings.HasSuffix(line, "\n") && strings.Contains(line, part) {
				return strings.TrimSuffix(line, "\n")
			}
		}
		if s.ended || !time.Now().Before(deadline) {
			return ""
		}
		s.change.Wait()
	}
}

// address waits for the line that says where the server listens.
func (s *transcript) address(t testing.TB, stderr *transcript) string {
	t.Helper()
	_, address, ok := strings.Cut(s.line(" listening on "), " listening on ")
	if !ok {
		t.Fatalf("the server did not say where it listens; standard output:\n%s\nstandard error:\n%s", s, stderr)
	}
	return address
}

// answer is what a test looks at of a response.
type answer struct {
	status int
	header http.Header
	body   string
}

// get requests an address over a connection of its own, with headers in pairs.
func get(t testing.TB, url string, headers ...string) answer {
	t.Helper()
	a, err := request(t.Context(), http.DefaultTransport.(*http.Transport), http.MethodGet, url, headers...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func request(ctx context.Context, transport *http.Transport, method, url string, headers ...string) (answer, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return answer{}, err
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	transport = transport.Clone()
	defer transport.CloseIdleConnections()
	response, err := transport.RoundTrip(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(body)}, err
}

// lines returns the lines of a text.
func lines(text string) []string {
	var all []string
	for scanner := bufio.NewScanner(strings.NewReader(text)); scanner.Scan(); {
		all = append(all, scanner.Text())
	}
	return all
}
