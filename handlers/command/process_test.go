package command

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/command/programtest"
)

func TestOneLineOnStandardOutput(t *testing.T) {
	t.Parallel()
	p := programtest.StartPetstore(t)
	// The port is bound once the line is printed, so a single request must succeed.
	if got := programtest.Get(t, p.URL+"/pets/7"); got.Status != http.StatusOK {
		t.Errorf("GET /pets/7: %d, want 200", got.Status)
	}
	if err := p.Cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := p.Wait(t); code != exitOK {
		t.Errorf("exit code %d after SIGINT, want 0", code)
	}
	if got := p.Stdout.String(); !regexp.MustCompile(`^petstore listening on http://127\.0\.0\.1:[1-9]\d*\n$`).MatchString(got) {
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
	got := programtest.RunToEnd(t, "--addr", taken)
	if got.Code != exitRun || got.Stdout != "" {
		t.Errorf("exit code %d, standard output %q, want %d and nothing", got.Code, got.Stdout, exitRun)
	}
	if !strings.Contains(got.Stderr, taken) || !strings.Contains(got.Stderr, "--addr") || len(programtest.Lines(got.Stderr)) != 1 {
		t.Errorf("standard error is %q, want one line with %s and --addr", got.Stderr, taken)
	}
}

// inFlight sends the header and the first part of the body of a POST, and returns when the server
// handles the request.
func inFlight(t *testing.T, p *programtest.Process, header, body string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(programtest.Patience)); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST /pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s\r\n%s", header, body)
	for called := `"operationId":"createPet","method":"POST","path":"/pets","tag":"Pets","calls":1`; ; {
		if strings.Contains(programtest.Get(t, p.URL+"/admin/operations").Body, called) {
			return conn // counted before the body is read
		}
		select {
		case <-time.After(time.Millisecond):
		case <-t.Context().Done():
			t.Fatal("the request has not come")
		}
	}
}

// TestSignalSentTwice sends a signal twice, as timeout(1) does to a process and its group. The
// program must end as after one signal.
func TestSignalSentTwice(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shop.keep")
	p := programtest.StartPetstore(t, "--keep", file, "--drain", "1s")
	for range 2 {
		if err := p.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		p.Stderr.Line("draining")
	}
	if code := p.Wait(t); code != exitOK {
		t.Errorf("exit code %d, %v", code, p.Cmd.ProcessState)
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("nothing is kept: %v", err)
	}
}

// TestSecondSignalEndsAtOnce sends signals until one counts as a second signal.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	p := programtest.StartPetstore(t)
	conn := inFlight(t, p, "Content-Length: 100\r\n", "{")
	signals := 0
	for ended := false; !ended; signals++ {
		_ = p.Cmd.Process.Signal(syscall.SIGTERM) // repeated until one counts as a second signal
		select {
		case <-p.Done:
			ended = true
		case <-time.After(20 * time.Millisecond):
			if signals > 200 {
				t.Fatal("200 signals did not end it")
			}
		}
	}
	if status := p.Cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("it ended with %v, want by the signal", p.Cmd.ProcessState)
	}
	if rest, _ := io.ReadAll(conn); len(rest) > 0 {
		t.Errorf("the request in flight got %q, want a broken connection", rest)
	}
}

// TestDrain checks the responses between SIGTERM and the end, and that a second signal ends the
// program at once.
func TestDrain(t *testing.T) {
	t.Parallel()
	p := programtest.StartPetstore(t, "--drain", "1h")
	statuses := func() (got []int) {
		for _, path := range []string{"/healthz", "/pets", "/admin"} {
			got = append(got, programtest.Get(t, p.URL+path).Status)
		}
		return got
	}
	if diff := cmp.Diff([]int{200, 200, 200}, statuses()); diff != "" {
		t.Errorf("before, -want +got:\n%s", diff)
	}
	if err := p.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if p.Stderr.Line("draining") == "" {
		t.Fatalf("it does not say that it drains:\n%s", p.Stderr)
	}
	if diff := cmp.Diff([]int{http.StatusServiceUnavailable, 200, 200}, statuses()); diff != "" {
		t.Errorf("while it drains, -want +got:\n%s", diff)
	}
	for ended := false; !ended; { // until one counts as a second signal
		_ = p.Cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-p.Done:
			ended = true
		case <-time.After(20 * time.Millisecond):
		}
	}
	if strings.Contains(p.Stderr.String(), "stopping") {
		t.Errorf("a second signal did not end it at once:\n%s", p.Stderr)
	}
}

// TestDrainEnds checks that the program ends after the time of --drain.
func TestDrainEnds(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--drain", "1ms")
	if code := p.stop(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	lines := programtest.Lines(p.Stderr.String())
	if len(lines) != 2 || !strings.Contains(lines[0], "draining") || !strings.Contains(lines[1], "stopping") {
		t.Errorf("standard error is %q", lines)
	}
}

// onLeash starts petstore with the file as its standard input, and closes the file in this process.
func onLeash(t *testing.T, stdin *os.File) *programtest.Process {
	t.Helper()
	p := programtest.Start(t, programtest.Petstore, func(cmd *exec.Cmd) { cmd.Stdin = stdin }, "--addr", "127.0.0.1:0", "--exit-with-stdin")
	stdin.Close()
	return p
}

// TestExitWithStdin closes the other end of a pipe and of a socket.
func TestExitWithStdin(t *testing.T) {
	t.Parallel()
	for name, connect := range map[string]func() (ours io.WriteCloser, theirs *os.File, err error){
		"pipe": func() (io.WriteCloser, *os.File, error) {
			theirs, ours, err := os.Pipe()
			return ours, theirs, err
		},
		"socket": func() (io.WriteCloser, *os.File, error) {
			listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(t.TempDir(), "socket")})
			if err != nil {
				return nil, nil, err
			}
			defer listener.Close()
			ours, err := net.DialUnix("unix", nil, listener.Addr().(*net.UnixAddr))
			if err != nil {
				return nil, nil, err
			}
			accepted, err := listener.AcceptUnix()
			if err != nil {
				return nil, nil, err
			}
			defer accepted.Close()
			theirs, err := accepted.File()
			return ours, theirs, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ours, theirs, err := connect()
			if err != nil {
				t.Fatal(err)
			}
			defer ours.Close()
			p := onLeash(t, theirs)
			if _, err := io.WriteString(ours, strings.Repeat("nobody reads this\n", 1<<15)); err != nil {
				t.Errorf("standard input is not read: %v", err)
			}
			if got := programtest.Get(t, p.URL+"/healthz"); got.Status != 200 {
				t.Errorf("while standard input is open, health is %d", got.Status)
			}
			ours.Close()
			if code := p.Wait(t); code != exitOK || !strings.Contains(p.Stderr.Line("stopping"), errStdinEnded.Error()) {
				t.Errorf("exit code %d, standard error:\n%s", code, p.Stderr)
			}
		})
	}
}

// TestStdinThatHasEnded checks that the program logs why it ends, even if it never served.
func TestStdinThatHasEnded(t *testing.T) {
	t.Parallel()
	var stdout, stderr strings.Builder
	code := Run(t.Context(), []string{"--addr", "127.0.0.1:0", "--exit-with-stdin"}, nil, strings.NewReader("hi\n"), &stdout, &stderr)
	if code != exitOK || !strings.Contains(stderr.String(), errStdinEnded.Error()) {
		t.Errorf("exit code %d, standard output %q, standard error %q", code, stdout.String(), stderr.String())
	}
}

// TestExitWithKilledParent kills the program at the other end of the pipe.
func TestExitWithKilledParent(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command("sleep", "600")
	parent.Stdout = write
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	p := onLeash(t, read)
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait() // returns that it was killed
	if code := p.Wait(t); code != exitOK {
		t.Errorf("exit code %d, standard error:\n%s", code, p.Stderr)
	}
}

// TestExitWithStdinWantsAPipe checks that the program does not start with other kinds of files.
func TestExitWithStdinWantsAPipe(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{os.DevNull, file} {
		stdin, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer stdin.Close()
		var stderr strings.Builder
		code := Run(t.Context(), []string{"--addr", "127.0.0.1:0", "--exit-with-stdin"}, nil, stdin, &stderr, &stderr)
		if code != exitUsage || !strings.Contains(stderr.String(), "--exit-with-stdin requires standard input to be a pipe or a socket") {
			t.Errorf("%s: exit code %d, %q", name, code, stderr.String())
		}
	}
}
