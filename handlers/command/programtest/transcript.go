package programtest

import (
	"strings"
	"sync"
	"testing"
	"time"
)

// Transcript records what is written to it. Its methods can wait for a line.
type Transcript struct {
	mu     sync.Mutex
	change *sync.Cond
	text   []byte // guarded by mu
	ended  bool   // guarded by mu
}

// NewTranscript returns an empty transcript.
func NewTranscript() *Transcript {
	s := new(Transcript)
	s.change = sync.NewCond(&s.mu)
	return s
}

// Write appends to the transcript.
func (s *Transcript) Write(data []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = append(s.text, data...)
	s.change.Broadcast()
	return len(data), nil
}

// End marks the transcript as complete: no further lines will come.
func (s *Transcript) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.change.Broadcast()
}

// String returns the recorded text.
func (s *Transcript) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.text)
}

// Line waits for a complete line that contains part and returns it. It returns "" if the transcript
// ends without such a line or after Patience.
func (s *Transcript) Line(part string) string {
	deadline := time.Now().Add(Patience)
	defer time.AfterFunc(Patience, s.change.Broadcast).Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for line := range strings.Lines(string(s.text)) {
			if strings.HasSuffix(line, "\n") && strings.Contains(line, part) {
				return strings.TrimSuffix(line, "\n")
			}
		}
		if s.ended || !time.Now().Before(deadline) {
			return ""
		}
		s.change.Wait()
	}
}

// Address waits for the line with the server's address and returns the address. It fails the test
// if there is none.
func (s *Transcript) Address(t testing.TB, stderr *Transcript) string {
	t.Helper()
	_, address, ok := strings.Cut(s.Line(" listening on "), " listening on ")
	if !ok {
		t.Fatalf("the server did not say where it listens; standard output:\n%s\nstandard error:\n%s", s, stderr)
	}
	return address
}
