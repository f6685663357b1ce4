package command

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

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
