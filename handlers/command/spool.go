package command

import (
	"io"
	"sync"
	"time"
)

// spoolBytes is the maximum size of the lines held for a slow reader.
const spoolBytes = 1 << 20

// spool passes lines to a writer that may block forever, such as a pipe that nothing reads, without
// ever blocking itself. It holds up to 1 MiB of lines for the writer and drops further ones. It is
// safe for concurrent use.
type spool struct {
	w    io.Writer
	lost func(lines int) // writes the number of dropped lines to w

	mu      sync.Mutex
	pending []byte        // guarded by mu: whole lines, in order
	missing int           // guarded by mu: the number of lines dropped after pending
	idle    chan struct{} // guarded by mu: closed once everything is written; nil if nothing is pending
}

// newSpool returns a spool for w. When w accepts lines again after some were dropped, the spool
// calls lost, which must write their number to w. The spool does not write to w until lost returns.
func newSpool(w io.Writer, lost func(lines int)) *spool { return &spool{w: w, lost: lost} }

// Write accepts one or more whole lines. It never blocks and never returns an error.
func (s *spool) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Once a line is dropped, drop all further lines until the writer has caught up, so that the
	// log has one gap rather than many.
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

// write writes pending lines until none are left. It ignores write errors: there is nowhere to
// report them, and the next write may succeed.
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

// flush waits until all lines are written, but no longer than atMost. If the writer blocks, one
// goroutine stays blocked, but it does not keep the program from exiting.
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
