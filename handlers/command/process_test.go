package command

import (
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// TestOneLineOnStandardOutput checks the output of a program on loopback, whose control plane is
// open, and that SIGINT ends it.
func TestOneLineOnStandardOutput(t *testing.T) {
	t.Parallel()
	p := programtest.StartPetstore(t)
	// The port is bound once the line is printed, so a single request must succeed.
	if got := programtest.Get(t, p.URL+"/admin"); got.Status != http.StatusOK {
		t.Errorf("GET /admin: %d, want 200", got.Status)
	}
	must.Succeed(t, p.Cmd.Process.Signal(os.Interrupt))
	if code := p.Wait(t); code != exitOK {
		t.Errorf("exit code %d after SIGINT, want 0", code)
	}
	if got := p.Stdout.String(); !regexp.MustCompile(`^petstore listening on http://127\.0\.0\.1:[1-9]\d*\n$`).
		MatchString(got) {
		t.Errorf("standard output is %q, want one line with the address", got)
	}
	if got := p.Stderr.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "stopping") {
		t.Errorf("standard error is %q, want one line about the end", got)
	}
}

// TestSignalSentTwice sends two signals at once, as timeout(1) does to a process and its group. The
// program must end as after one signal. The first one says that the terminal was closed, which the
// program ignores under nohup(1).
func TestSignalSentTwice(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shop.keep")
	p := programtest.StartPetstore(t, "--keep", file, "--drain", "1s")
	first := syscall.SIGHUP
	if signal.Ignored(first) {
		first = syscall.SIGTERM
	}
	for _, one := range []syscall.Signal{first, syscall.SIGTERM} {
		must.Succeed(t, p.Cmd.Process.Signal(one))
		p.Stderr.Line("draining")
	}
	if code := p.Wait(t); code != exitOK {
		t.Errorf("exit code %d, %v", code, p.Cmd.ProcessState)
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("nothing is kept: %v", err)
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
	must.Equal(t, []int{200, 200, 200}, statuses(), "before")
	must.Succeed(t, p.Cmd.Process.Signal(syscall.SIGTERM))
	if p.Stderr.Line("draining") == "" {
		t.Fatalf("it does not say that it drains:\n%s", p.Stderr)
	}
	must.Equal(t, []int{http.StatusServiceUnavailable, 200, 200}, statuses(), "while it drains")
	go func() {
		for p.Cmd.Process.Signal(syscall.SIGTERM) == nil { // until one counts as a second signal
			time.Sleep(20 * time.Millisecond)
		}
	}()
	p.Wait(t)
	status := p.Cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signal() != syscall.SIGTERM || strings.Contains(p.Stderr.String(), "stopping") {
		t.Errorf("it ended with %v, want by the second signal:\n%s", p.Cmd.ProcessState, p.Stderr)
	}
}

// startWithStdin starts petstore with the file as its standard input, and closes the file in this process.
func startWithStdin(t *testing.T, stdin *os.File) *programtest.Process {
	t.Helper()
	p := programtest.Start(t, programtest.Petstore, func(cmd *exec.Cmd) { cmd.Stdin = stdin }, "--addr", "127.0.0.1:0",
		"--exit-with-stdin")
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
			p := startWithStdin(t, theirs)
			if _, err := io.WriteString(ours, strings.Repeat("unread input\n", 1<<15)); err != nil {
				t.Errorf("standard input is not read: %v", err)
			}
			if got := programtest.Get(t, p.URL+"/healthz"); got.Status != 200 {
				t.Errorf("while standard input is open, health is %d", got.Status)
			}
			ours.Close()
			if code := p.Wait(t); code != exitOK ||
				!strings.Contains(p.Stderr.Line("stopping"), errStdinEnded.Error()) {
				t.Errorf("exit code %d, standard error:\n%s", code, p.Stderr)
			}
		})
	}
}

// TestClosedStdin checks that the program logs why it ends, even if it never served.
func TestClosedStdin(t *testing.T) {
	t.Parallel()
	var stdout, stderr strings.Builder
	code := Run(t.Context(), []string{"--addr", "127.0.0.1:0", "--exit-with-stdin"}, nil, strings.NewReader("hi\n"),
		&stdout, &stderr)
	if code != exitOK || !strings.Contains(stderr.String(), errStdinEnded.Error()) {
		t.Errorf("exit code %d, standard output %q, standard error %q", code, stdout.String(), stderr.String())
	}
}

// TestExitWithStdinNeedsPipe checks that the program does not start with other kinds of files.
func TestExitWithStdinNeedsPipe(t *testing.T) {
	t.Parallel()
	for _, name := range []string{os.DevNull, fileOf(t, "")} {
		stdin := must.Get(os.Open(name))(t)
		defer stdin.Close()
		var stderr strings.Builder
		code := Run(t.Context(), []string{"--addr", "127.0.0.1:0", "--exit-with-stdin"}, nil, stdin, &stderr, &stderr)
		if code != exitUsage ||
			!strings.Contains(stderr.String(), "--exit-with-stdin requires standard input to be a pipe or a socket") {
			t.Errorf("%s: exit code %d, %q", name, code, stderr.String())
		}
	}
}
