package command

import (
	"io"
	"sync"
	"time"
)

// spoolBytes is the most bytes that wait for a slow reader.
const spoolBytes = 1 << 20

// spool writes lines to a writer that may block forever, such as a pipe without a reader, and never
// waits for it. Up to 1 MiB of lines wait for the writer, in order; further lines are dropped. It
// is safe for concurrent use.
type spool struct {
	w    io.Writer
	lost func(lines int) // writes to w how many lines are missing here

	mu      sync.Mutex
	pending []byte        // guarded by mu: whole lines, in order
	missing int           // guarded by mu: dropped lines after those in pending
	idle    chan struct{} // guarded by mu: closed when everything is written; nil if it is
}

// newSpool returns a spool for w. When w accepts lines again after dropped ones, the spool calls
// lost, which writes their number to w. No other goroutine writes to w meanwhile.
func newSpool(w io.Writer, lost func(lines int)) *spool { return &spool{w: w, lost: lost} }

// Write takes one or more whole lines. It neither waits nor fails.
func (s *spool) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// After a loss, all lines are dropped until the writer has caught up, so that the missing lines
	// are in one place.
	if s.missing > 0 || len(s.pending)+len(line) > spoolBytes {
		s.missing++
	} else {
		s.pending = append(s.pending, line...)
	}
	if s.idle == nil {
		s.idle = make(chan struct{})
		go s.write()
	}
	return len(line), nil
}

// write writes what is pending until nothing is. It goes on after an error of the writer: there is
// nowhere to report it, and the next line may succeed.
func (s *spool) write() {
	var batch []byte
	for {
		s.mu.Lock()
		missing := s.missing
		batch, s.pending, s.missing = s.pending, batch[:0], 0
		if len(batch) == 0 && missing == 0 {
			close(s.idle)
			s.idle, s.pending = nil, nil
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		_, _ = s.w.Write(batch)
		if missing > 0 {
			s.lost(missing)
		}
	}
}

// flush waits until all lines are written, or for atMost. If the writer blocks, it leaves one
// goroutine blocked, which does not delay the program's end.
func (s *spool) flush(atMost time.Duration) {
	s.mu.Lock()
	idle := s.idle
	s.mu.Unlock()
	if idle == nil {
		return
	}
	timeout := time.NewTimer(atMost)
	defer timeout.Stop()
	select {
	case <-idle:
	case <-timeout.C:
	}
}
