package command

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/logs"
)

func TestLogFormatAndLevel(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--log-format", "json", "--log-level", "debug")
	programtest.Get(t, p.URL+"/pets?limit=1", "X-Request-Id", "abc", "X-Sandbox", "ada", "X-Client", "web")
	p.Stderr.Line(`"operation":"listPets"`)
	all := programtest.Lines(p.Stderr.String())
	if len(all) != 1 {
		t.Fatalf("%d lines for one request, want 1:\n%s", len(all), p.Stderr)
	}
	type fields struct {
		Level, Msg, ID, Sandbox, Client, ClientName, Method, Path, Operation string
		Status                                                               int
	}
	var entry struct {
		fields
		DurationMs float64
	}
	if err := json.Unmarshal([]byte(all[0]), &entry); err != nil {
		t.Fatalf("%v in %s", err, all[0])
	}
	want := fields{"DEBUG", "request", "abc", "ada", "127.0.0.1", "web", "GET", "/pets", "listPets", 200}
	if entry.fields != want {
		t.Errorf("logged %+v, want %+v", entry.fields, want)
	}
	if entry.DurationMs <= 0 || entry.DurationMs > float64(programtest.Patience.Milliseconds()) {
		t.Errorf("logged a duration of %v ms", entry.DurationMs)
	}
}

func TestFirstUseOfDeprecatedOperationIsLogged(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0")
	for _, agent := range []string{"one", "one", "two", "one"} {
		programtest.Get(t, p.URL+"/pets/7", "User-Agent", agent)
	}
	programtest.Get(t, p.URL+"/pets?id=7", "User-Agent", "three")
	p.stop() // flush the log
	all := programtest.Lines(p.Stderr.String())
	if len(all) == 0 || !strings.Contains(all[len(all)-1], "stopping") {
		t.Fatalf("the log ends in\n%s", p.Stderr)
	}
	if all = all[:len(all)-1]; len(all) != 2 {
		t.Fatalf("%d lines, want one for each of the two callers:\n%s", len(all), p.Stderr)
	}
	for i, agent := range []string{"one", "two"} {
		for _, want := range []string{"level=WARN", "caller=" + agent, "getPet is deprecated since 2026-01-01", "2030-12-31"} {
			if !strings.Contains(all[i], want) {
				t.Errorf("line %d is %q, want %q in it", i, all[i], want)
			}
		}
	}
}

// TestLinesOfTheServerAreBounded sends plain HTTP to an HTTPS server. net/http logs a line each
// time.
func TestLinesOfTheServerAreBounded(t *testing.T) {
	t.Parallel()
	cert, key, _ := certificate(t)
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key)
	for range 5 * logs.Lines {
		if got := programtest.Get(t, "http://"+strings.TrimPrefix(p.URL, "https://")); got.Status != http.StatusBadRequest {
			t.Fatalf("%d, want 400", got.Status)
		}
	}
	p.stop()
	told := 0
	for _, line := range programtest.Lines(p.Stderr.String()) {
		if strings.Contains(line, "TLS handshake error") {
			told++
		}
	}
	if told != logs.Lines || p.Stderr.Line("held back") == "" {
		t.Errorf("%d lines tell of it, want %d and that more are held back:\n%s", told, logs.Lines, p.Stderr)
	}
}

// TestLogIsJSON parses every line that the program logs, from start to end, and of a failed start.
func TestLogIsJSON(t *testing.T) {
	t.Parallel()
	environ := []string{"PETSTORE_PET=5"}
	p := startRun(t, environ, "--addr", "127.0.0.1:0", "--log-format", "json", "-v", "--drain", "1ms", "--max-memory", "64GiB", "--sandbox-memory", "65GiB")
	programtest.Get(t, p.URL+"/pets/7?name=\"")
	p.stop()
	taken := runToEnd(t, environ, "--addr", strings.TrimPrefix(startRun(t, nil, "--addr", "127.0.0.1:0").URL, "http://"), "--log-format", "json")
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
		"the": "WARN", "--sandbox-memory": "WARN", "request": "DEBUG", "deprecated": "WARN", "draining:": "INFO", "stopping:": "INFO", "cannot": "ERROR",
	}
	if diff := cmp.Diff(want, messages); diff != "" {
		t.Errorf("lines by their first word, -want +got:\n%s", diff)
	}
}
