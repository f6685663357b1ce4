package command

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

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
