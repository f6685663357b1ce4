package command

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/browsertest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
)

func TestMain(m *testing.M) {
	testmain.CollectLess()
	code := programtest.Run(browsertest.Closing(m))
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// inProcess is a server that Run runs in the test's process.
type inProcess struct {
	URL    string
	Stdout *programtest.Transcript
	Stderr *programtest.Transcript
	stop   func() int // ends Run and returns the exit code
}

// startRun calls Run with the arguments and the environment, and waits until it has printed its
// address. The server stops with the test.
func startRun(t *testing.T, environ []string, args ...string) *inProcess {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p := &inProcess{Stdout: programtest.NewTranscript(), Stderr: programtest.NewTranscript()}
	result := make(chan int, 1)
	go func() {
		code := Run(ctx, args, environ, nil, p.Stdout, p.Stderr)
		p.Stdout.End()
		p.Stderr.End()
		result <- code
	}()
	p.stop = sync.OnceValue(func() int {
		cancel()
		return <-result
	})
	t.Cleanup(func() {
		if code := p.stop(); code != exitOK {
			t.Errorf("exit code %d; standard error:\n%s", code, p.Stderr)
		}
	})
	p.URL = p.Stdout.Address(t, p.Stderr)
	return p
}

// fileOf writes the text to a file and returns its path.
func fileOf(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file")
	must.Succeed(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// runToEnd calls Run and waits until it returns.
func runToEnd(t *testing.T, environ []string, args ...string) programtest.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), programtest.Patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	code := Run(ctx, args, environ, nil, &stdout, &stderr)
	if ctx.Err() != nil {
		t.Fatalf("run %v did not end by itself", args)
	}
	return programtest.Result{Stdout: stdout.String(), Stderr: stderr.String(), Code: code}
}
