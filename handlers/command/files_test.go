package command

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
)

// withFiles lets a program have so many open files.
func withFiles(files int) func(*exec.Cmd) {
	return func(cmd *exec.Cmd) {
		cmd.Args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, files), cmd.Path}, cmd.Args[1:]...)
		cmd.Path = "/bin/sh"
	}
}

// TestFewOpenFiles has more clients that never read than the program may have files. It
// is there for others all the while, keeps to fewer files, and says what to raise.
func TestFewOpenFiles(t *testing.T) {
	t.Parallel()
	const files, clients = 256, 300
	p := programtest.Start(t, programtest.Petstore, withFiles(files), "--addr", "127.0.0.1:0", "--pets", "2000")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	wait := neverReading(ctx, t, p, clients)
	defer wait()
	healthy := func() bool {
		transport := &http.Transport{DisableKeepAlives: true} // a connection each
		status, err := get(ctx, transport, p.URL+"/healthz")
		return err == nil && status == http.StatusOK
	}
	line := p.Stderr.Line("maximum of connections")
	for end := time.Now().Add(programtest.Patience); !healthy() && time.Now().Before(end); {
		// those that come within a moment of the flood are refused
	}
	answered := 0
	for range 50 {
		if healthy() {
			answered++
		}
	}
	if answered < 45 {
		t.Errorf("%d of 50 requests for health are answered", answered)
	}
	if held := p.Usage(t).Descriptors; held > files*3/4+20 {
		t.Errorf("%d of %d files are open, want some to be left", held, files)
	}
	if !strings.Contains(line, "--max-connections") || !strings.Contains(line, "max=192") {
		t.Errorf("the log says %q, want the flag and how many there may be", line)
	}
}
