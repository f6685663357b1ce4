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

// withFiles limits the number of open files of a program.
func withFiles(files int) func(*exec.Cmd) {
	return func(cmd *exec.Cmd) {
		cmd.Args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, files), cmd.Path}, cmd.Args[1:]...)
		cmd.Path = "/bin/sh"
	}
}

// TestFewOpenFiles opens more connections that never read than the program may have files. The
// program must still serve other clients, keep some files in reserve, and log which limit to raise.
func TestFewOpenFiles(t *testing.T) {
	t.Parallel()
	const files, clients = 256, 300
	p := programtest.Start(t, programtest.Petstore, withFiles(files), "--addr", "127.0.0.1:0", "--pets", "2000")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	wait := neverReading(ctx, t, p, clients)
	defer wait()
	healthy := func() bool {
		transport := &http.Transport{DisableKeepAlives: true} // a new connection each time
		status, err := get(ctx, transport, p.URL+"/healthz")
		return err == nil && status == http.StatusOK
	}
	line := p.Stderr.Line("maximum of connections")
	for end := time.Now().Add(programtest.Patience); !healthy() && time.Now().Before(end); {
		// Requests just after the flood may be refused.
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
