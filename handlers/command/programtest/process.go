package programtest

import (
	"bytes"
	"context"
	"os/exec"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/must"
)

// Patience is how long a test waits for an event that should happen at once.
const Patience = 2 * time.Minute

// Result holds a program's output and exit code.
type Result struct {
	Stdout, Stderr string
	Code           int
}

// RunToEnd runs petstore, with an empty environment, until it exits.
func RunToEnd(t testing.TB, args ...string) Result {
	t.Helper()
	path := Petstore.Path(t) // before the time limit starts, because this may build the program
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = []string{}, &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return Result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// Process is a server running in its own process.
type Process struct {
	URL    string
	Cmd    *exec.Cmd
	Stdout *Transcript
	Stderr *Transcript
	Done   chan struct{} // closed when the process has ended
}

// Start starts a server with an empty environment and waits until it has printed its address. If
// change is not nil, it may modify the command first. The server is killed at the end of the test.
func Start(t testing.TB, binary Binary, change func(*exec.Cmd), args ...string) *Process {
	t.Helper()
	p := &Process{
		Cmd:    exec.Command(binary.Path(t), args...),
		Stdout: NewTranscript(), Stderr: NewTranscript(), Done: make(chan struct{}),
	}
	p.Cmd.Env, p.Cmd.Stdout, p.Cmd.Stderr = []string{}, p.Stdout, p.Stderr
	if change != nil {
		change(p.Cmd)
	}
	must.Succeed(t, p.Cmd.Start())
	go func() {
		defer close(p.Done)
		_ = p.Cmd.Wait() // the exit code is in ProcessState
		p.Stdout.End()
		p.Stderr.End()
	}()
	t.Cleanup(p.Kill)
	p.URL = p.Stdout.Address(t, p.Stderr)
	return p
}

// StartPetstore starts petstore on a free port.
func StartPetstore(t testing.TB, args ...string) *Process {
	t.Helper()
	return Start(t, Petstore, nil, append([]string{"--addr", "127.0.0.1:0"}, args...)...)
}

// Kill kills the process if it is running, and waits until it has ended.
func (p *Process) Kill() {
	_ = p.Cmd.Process.Kill()
	<-p.Done
}

// Wait waits until the process has ended and returns its exit code.
func (p *Process) Wait(t testing.TB) int {
	t.Helper()
	select {
	case <-p.Done:
		return p.Cmd.ProcessState.ExitCode()
	case <-time.After(Patience):
		t.Fatalf("still running after %v; standard error:\n%s", Patience, p.Stderr)
		return 0
	}
}
