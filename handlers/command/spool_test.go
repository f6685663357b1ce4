package command

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// gate is a writer that blocks until it is opened, like a full pipe.
type gate struct {
	open chan struct{}
	text bytes.Buffer
}

func newGate() *gate { return &gate{open: make(chan struct{})} }

func (g *gate) Write(data []byte) (int, error) {
	<-g.open
	return g.text.Write(data)
}

func (g *gate) spool() *spool {
	return newSpool(g, func(lines int) { fmt.Fprintf(g, "%d lost\n", lines) })
}

// TestSpoolNeverWaits checks that lines that do not fit are dropped, and that their number is
// written in their place.
func TestSpoolNeverWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		s := g.spool()
		fmt.Fprintln(s, "first")
		synctest.Wait() // the writer blocks on this line, so that the others are queued
		line := strings.Repeat("x", spoolBytes/4-1) + "\n"
		for range 6 {
			if n, err := io.WriteString(s, line); n != len(line) || err != nil {
				t.Errorf("a line that does not fit: %d, %v", n, err)
			}
		}
		fmt.Fprintln(s, "short, but later than what is lost")
		close(g.open)
		s.flush(time.Minute)
		fmt.Fprintln(s, "last")
		s.flush(time.Minute)
		if got, want := g.text.String(), "first\n"+strings.Repeat(line, 4)+"3 lost\nlast\n"; got != want {
			t.Errorf("%d bytes were written, want %d; the end is %.80q", len(got), len(want), got[strings.LastIndex(got, "x"):])
		}
	})
}

// TestSpoolTellsOfALineTooLong checks that a line that never fits is counted as lost.
func TestSpoolTellsOfALineTooLong(t *testing.T) {
	t.Parallel()
	g := newGate()
	close(g.open)
	s := g.spool()
	_, _ = s.Write(make([]byte, spoolBytes+1))
	s.flush(time.Minute)
	if got := g.text.String(); got != "1 lost\n" {
		t.Errorf("%q was written", got)
	}
}

func TestFlushEndsInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		s := g.spool()
		s.flush(time.Hour) // nothing is pending
		fmt.Fprintln(s, "a line")
		began := time.Now()
		s.flush(time.Second)
		if took := time.Since(began); took != time.Second {
			t.Errorf("it waits %v for a writer that blocks, want 1s", took)
		}
		close(g.open)
		s.flush(time.Hour)
		if got := g.text.String(); got != "a line\n" {
			t.Errorf("%q was written", got)
		}
	})
}
