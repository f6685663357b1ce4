package command

import (
	"io"
	"sync"
	"time"
)

// spoolBytes is how much a spool keeps for a reader that is behind.
const spoolBytes = 1 << 20

// spool writes lines to a writer that may block for ever, such as a pipe that
// nobody reads, without ever waiting for it: up to 1 MiB of lines wait for the
// writer, in order, and what does not fit is lost. Its methods may be called by any
// number of goroutines.
type spool struct {
	w    io.Writer
	lost func(lines int) // writes to w how many lines are missing here

	mu      sync.Mutex
	pending []byte        // guarded by mu: whole lines, in order
	missing int           // guarded by mu: lines lost after those in pending
	idle    chan struct{} // guarded by mu: closed when all is written; nil: it is
}

// newSpool returns a spool for w. Once w takes lines again, lost is called to
// write in their place that some were lost; it has w to itself.
func newSpool(w io.Writer, lost func(lines int)) *spool { return &spool{w: w, lost: lost} }

// Write takes one line, or some that belong together. It neither waits nor fails.
func (s *spool) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// After a loss nothing is taken until the writer has caught up, so that the lost lines have one place.
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

// write writes what is pending, until nothing is. An error of the writer is no
// reason to stop: there is nowhere to tell of it, and the next line may pass.
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

// flush waits until all lines are written, for the time at most. A writer that
// blocks then goes on blocking one goroutine, which does not hold up the program's end.
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
