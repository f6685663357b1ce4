package programtest

import (
	"bytes"
	"context"
	"os/exec"
	"testing"
	"time"
)

// Patience is how long a test waits for what should come at once.
const Patience = 2 * time.Minute

// Result is how a program ended.
type Result struct {
	Stdout, Stderr string
	Code           int
}

// RunToEnd runs petstore to its end, in an empty environment.
func RunToEnd(t testing.TB, args ...string) Result {
	t.Helper()
	path := Petstore.Path(t) // its build takes its own time
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

// Process is a server that runs as a process of its own.
type Process struct {
	URL    string
	Cmd    *exec.Cmd
	Stdout *Transcript
	Stderr *Transcript
	Done   chan struct{} // closed when the process has ended
}

// Start starts a server in an empty environment, or as change, if any, makes its
// command, and returns when it has said where it listens. It is killed with the
// test, if it has not ended by then.
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
	if err := p.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.Done)
		_ = p.Cmd.Wait() // what it says is in ProcessState
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

// Kill ends the process, if it runs.
func (p *Process) Kill() {
	_ = p.Cmd.Process.Kill()
	<-p.Done
}

// Wait returns the exit code, when the process has ended.
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
