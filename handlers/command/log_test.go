package command

import (
	"bufio"
	"bytes"
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
	"testing/synctest"
	"time"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/logs"
)

// TestServerLogLinesAreBounded sends plain HTTP to an HTTPS server. net/http logs a line each
// time.
func TestServerLogLinesAreBounded(t *testing.T) {
	t.Parallel()
	cert, key, _ := certificate(t)
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key)
	for range 5 * logs.Lines {
		if got := programtest.Get(t,
			"http://"+strings.TrimPrefix(p.URL, "https://")); got.Status != http.StatusBadRequest {
			t.Fatalf("%d, want 400", got.Status)
		}
	}
	p.stop()
	got := 0
	for _, line := range programtest.Lines(p.Stderr.String()) {
		if strings.Contains(line, "TLS handshake error") {
			got++
		}
	}
	if got != logs.Lines || p.Stderr.Line("held back") == "" {
		t.Errorf("%d lines, want %d and the number of suppressed lines:\n%s", got, logs.Lines, p.Stderr)
	}
}

// TestLogIsJSON parses every line that the program logs, from start to end, and of a failed start.
func TestLogIsJSON(t *testing.T) {
	t.Parallel()
	environ := []string{"PETSTORE_PET=5"}
	p := startRun(t, environ, "--addr", "127.0.0.1:0", "--log-format", "json", "-v", "--drain", "1ms", "--max-memory",
		"64GiB", "--sandbox-memory", "65GiB")
	programtest.Get(t, p.URL+"/pets/7?name=\"")
	p.stop()
	taken := runToEnd(t, environ, "--addr",
		strings.TrimPrefix(startRun(t, nil, "--addr", "127.0.0.1:0").URL, "http://"), "--log-format", "json")
	if taken.Code != exitRun {
		t.Errorf("exit code %d of a port that is taken", taken.Code)
	}
	messages := make(map[string]string)
	for _, line := range programtest.Lines(p.Stderr.String() + taken.Stderr) {
		var entry struct{ Time, Level, Msg string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Time == "" || entry.Msg == "" {
			t.Errorf("%v in %s", err, line)
		}
		messages[strings.Fields(entry.Msg)[0]] = entry.Level
	}
	want := map[string]string{
		"the": "WARN", "--sandbox-memory": "WARN", "request": "DEBUG", "deprecated": "WARN", "draining:": "INFO",
		"stopping:": "INFO", "cannot": "ERROR",
	}
	must.Equal(t, want, messages, "lines by their first word")
}

// gate is a writer that blocks until it is opened, like a full pipe.
type gate struct {
	open chan struct{}
	text bytes.Buffer
}

func (g *gate) Write(data []byte) (int, error) {
	<-g.open
	return g.text.Write(data)
}

// TestSpoolNeverWaits checks that lines that do not fit are dropped, and that their number is
// written in their place.
func TestSpoolNeverWaits(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{})}
		s := &spool{w: g, lost: func(lines int) { fmt.Fprintf(g, "%d lost\n", lines) }}
		fmt.Fprintln(s, "first")
		synctest.Wait() // the writer blocks on this line, so that the others are queued
		line := strings.Repeat("x", spoolBytes/4-10) + "\n"
		for range 6 {
			if n, err := io.WriteString(s, line); n != len(line) || err != nil {
				t.Errorf("a line that does not fit: %d, %v", n, err)
			}
		}
		fmt.Fprintln(s, "short, but later than what is lost")
		close(g.open)
		s.flush(time.Minute)
		_, _ = s.Write(make([]byte, spoolBytes+1)) // never fits
		s.flush(time.Minute)
		fmt.Fprintln(s, "last")
		s.flush(time.Minute)
		if got, want := g.text.String(), "first\n"+strings.Repeat(line, 4)+"3 lost\n1 lost\nlast\n"; got != want {
			t.Errorf("%d bytes were written, want %d; the end is %.80q", len(got), len(want),
				got[strings.LastIndex(got, "x"):])
		}
	})
}

// startWithStderr starts petstore with a pipe for its standard error and returns the read end.
func startWithStderr(t *testing.T, args ...string) (*programtest.Process, *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { read.Close() })
	p := programtest.Start(t, programtest.Petstore, func(cmd *exec.Cmd) { cmd.Stderr = write },
		append([]string{"--addr", "127.0.0.1:0"}, args...)...)
	write.Close()
	return p, read
}

// callAsMany makes a request as each of the callers, pipelined over one connection. The program
// logs each at level debug.
func callAsMany(t *testing.T, p *programtest.Process, callers int) {
	t.Helper()
	connection := must.Get((&net.Dialer{Timeout: programtest.Patience}).
		DialContext(t.Context(), "tcp", strings.TrimPrefix(p.URL, "http://")))(t)
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(programtest.Patience))
	go func() {
		for caller := range callers { // the reader reports a broken connection
			_, _ = fmt.Fprintf(connection, "GET /pets?limit=1 HTTP/1.1\r\nHost: localhost\r\nX-Client: %s\r\n\r\n",
				agent(caller))
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
	must.Succeed(t, p.Cmd.Process.Signal(syscall.SIGTERM))
	if code := p.Wait(t); code != exitOK {
		t.Errorf("exit code %d after SIGTERM, want 0", code)
	}
}

// TestLogReadLate logs more lines than the program holds before standard error is read.
// The log must have the first lines in order, then the number of those that are lost.
func TestLogReadLate(t *testing.T) {
	t.Parallel()
	const callers = 2200 // lines of about 600 bytes each; a pipe and a spool hold 1.1 MB
	p, read := startWithStderr(t, "--log-format", "json", "--log-level", "debug")
	callAsMany(t, p, callers)
	_ = read.SetReadDeadline(time.Now().Add(programtest.Patience))
	got, lost := 0, 0
	for scanner := bufio.NewScanner(read); got < callers && scanner.Scan(); got++ {
		var entry struct {
			Level, Msg, ClientName string
			Lines                  int
		}
		if err := json.Unmarshal(scanner.Bytes(), &entry); err != nil {
			t.Fatalf("%v in %s", err, scanner.Bytes())
		}
		switch {
		case entry.Msg == "log lines were lost here, because nobody read standard error" && entry.Level == "WARN":
			lost += entry.Lines
			got += entry.Lines - 1
		case entry.Msg != "request" || !strings.HasPrefix(entry.ClientName, agent(got)):
			t.Fatalf("line %d is %s, want %s", got, scanner.Bytes(), agent(got))
		}
	}
	if got != callers || lost == 0 {
		t.Errorf("%d requests are logged or counted as lost, %d lost, want %d and some lost", got, lost, callers)
	}
	terminate(t, p)
}

// TestLogReaderCloses checks that the server keeps running after the reader of its log
// has closed the pipe.
func TestLogReaderCloses(t *testing.T) {
	t.Parallel()
	p, read := startWithStderr(t, "--log-level", "debug")
	read.Close()
	callAsMany(t, p, 3)
	terminate(t, p)
}
