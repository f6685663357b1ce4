package command

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
)

// startWithStderr starts petstore with a pipe for its standard error and returns the read end.
func startWithStderr(t *testing.T, args ...string) (*programtest.Process, *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { read.Close() })
	p := programtest.Start(t, programtest.Petstore, func(cmd *exec.Cmd) { cmd.Stderr = write }, append([]string{"--addr", "127.0.0.1:0"}, args...)...)
	write.Close()
	return p, read
}

// callAsMany makes a request as each of the callers, pipelined over one connection. The program
// logs each at level debug.
func callAsMany(t *testing.T, p *programtest.Process, callers int) {
	t.Helper()
	connection, err := (&net.Dialer{Timeout: programtest.Patience}).DialContext(t.Context(), "tcp", strings.TrimPrefix(p.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(programtest.Patience))
	go func() {
		for caller := range callers { // the reader reports a broken connection
			_, _ = fmt.Fprintf(connection, "GET /pets?limit=1 HTTP/1.1\r\nHost: localhost\r\nX-Client: %s\r\n\r\n", agent(caller))
		}
	}()
	answers := bufio.NewReader(connection)
	for caller := range callers {
		response, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatalf("caller %d: %v", caller, err)
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("caller %d: %s, %v; want 200", caller, response.Status, err)
		}
	}
}

// agent returns a client name that makes the longest possible line of the log.
func agent(caller int) string { return fmt.Sprintf("agent-%04d", caller) + strings.Repeat("🐈", 90) }

// terminate ends the program and checks its exit code.
func terminate(t *testing.T, p *programtest.Process) {
	t.Helper()
	if err := p.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := p.Wait(t); code != exitOK {
		t.Errorf("exit code %d after SIGTERM, want 0", code)
	}
}

// TestStandardErrorIsReadLate checks that lines logged before standard error is read are complete
// and in order, up to the last one.
func TestStandardErrorIsReadLate(t *testing.T) {
	t.Parallel()
	const callers = 400
	p, read := startWithStderr(t, "--log-format", "json", "--log-level", "debug")
	callAsMany(t, p, callers)
	if err := p.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	var got []string
	for scanner := bufio.NewScanner(read); scanner.Scan(); {
		var entry struct{ Msg, ClientName string }
		if err := json.Unmarshal(scanner.Bytes(), &entry); err != nil {
			t.Fatalf("%v in %s", err, scanner.Bytes())
		}
		got = append(got, entry.ClientName+entry.Msg)
	}
	if len(got) != callers+1 || !strings.HasPrefix(got[len(got)-1], "stopping") {
		t.Fatalf("%d lines, the last %q; want %d, and that it stops", len(got), got[len(got)-1], callers+1)
	}
	for caller, line := range got[:callers] {
		if !strings.HasPrefix(line, agent(caller)) {
			t.Fatalf("line %d is %q, want that of %s", caller, line, agent(caller))
		}
	}
	if code := p.Wait(t); code != exitOK {
		t.Errorf("exit code %d, want 0", code)
	}
}

// TestLossIsLogged logs more lines than the program buffers for a late reader.
func TestLossIsLogged(t *testing.T) {
	t.Parallel()
	p, read := startWithStderr(t, "--log-format", "json", "--log-level", "debug")
	const requests = 2200 // of about 600 bytes each; a pipe and a spool hold 1.1 MB
	callAsMany(t, p, requests)
	told, lost := 0, 0
	for scanner := bufio.NewScanner(read); told < requests && scanner.Scan(); {
		var entry struct {
			Level, Msg string
			Lines      int
		}
		if err := json.Unmarshal(scanner.Bytes(), &entry); err != nil {
			t.Fatal(err)
		}
		switch entry.Msg {
		case "request":
			told++
		case "log lines were lost here, because nobody read standard error":
			if entry.Level != "WARN" || entry.Lines < 1 {
				t.Errorf("the loss is told as %+v", entry)
			}
			told += entry.Lines
			lost += entry.Lines
		default:
			t.Fatalf("a line says %q", entry.Msg)
		}
	}
	if told != requests || lost == 0 {
		t.Errorf("%d requests are logged or told to be lost, %d lost, want %d and some lost", told, lost, requests)
	}
	terminate(t, p)
}

// TestReaderOfStandardErrorHasGone checks that the server keeps running after the reader of its log
// has closed the pipe.
func TestReaderOfStandardErrorHasGone(t *testing.T) {
	t.Parallel()
	p, read := startWithStderr(t, "--log-level", "debug")
	read.Close()
	callAsMany(t, p, 3)
	terminate(t, p)
}
