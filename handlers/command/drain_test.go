package command

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/command/programtest"
)

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
