package petstoretest_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
)

// exampleT replaces the *testing.T of a user's test.
type exampleT struct {
	testing.TB
	cleanups []func()
	output   bytes.Buffer
	fatal    string
	failed   bool
	dir      string
}

func newExampleT() *exampleT { return new(exampleT) }

func (t *exampleT) Helper()           {}
func (t *exampleT) Name() string      { return "TestShop" }
func (t *exampleT) Cleanup(f func())  { t.cleanups = append(t.cleanups, f) }
func (t *exampleT) Output() io.Writer { return &t.output }
func (t *exampleT) Fail()             { t.failed = true }
func (t *exampleT) Failed() bool      { return t.failed }
func (t *exampleT) Logf(format string, args ...any) {
	fmt.Fprintf(&t.output, format+"\n", args...)
}

func (t *exampleT) ArtifactDir() string {
	if t.dir == "" {
		var err error
		if t.dir, err = os.MkdirTemp("", "petstoretest"); err != nil {
			panic(err)
		}
	}
	return t.dir
}

func (t *exampleT) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

func (t *exampleT) Fatalf(format string, args ...any) {
	t.fatal = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// end runs the cleanup functions, as at the end of a test.
func (t *exampleT) end() {
	for len(t.cleanups) > 0 {
		last := len(t.cleanups) - 1
		cleanup := t.cleanups[last]
		t.cleanups = t.cleanups[:last]
		cleanup()
	}
}

// removeArtifacts removes the artifact directory.
func (t *exampleT) removeArtifacts() { os.RemoveAll(t.dir) }

// mustEnd checks that f ends its test with a message that contains all the parts.
func mustEnd(t *testing.T, f func(fake *exampleT), parts ...string) {
	t.Helper()
	fake := newExampleT()
	ended := make(chan struct{})
	returned := false
	go func() { // a goroutine, since Fatalf ends it
		defer close(ended)
		f(fake)
		returned = true
	}()
	<-ended
	fake.end()
	if returned {
		t.Error("the test goes on, want it to end")
	}
	for _, part := range parts {
		if !strings.Contains(fake.fatal, part) {
			t.Errorf("the test ended with %q, want %q in it", fake.fatal, part)
		}
	}
	for _, word := range []string{" --", "/admin/"} { // these belong to the command line and to HTTP
		if strings.Contains(fake.fatal, word) {
			t.Errorf("the test ended with %q, want no %q in it", fake.fatal, word)
		}
	}
}
