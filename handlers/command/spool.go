package command

import (
	"io"
	"sync"
	"time"
)

// spoolBytes is the maximum total size, in bytes, of the lines that wait while the spool writes
// others.
const spoolBytes = 1 << 20

// spool passes lines to a writer. The writer may block forever, for example on a pipe that no
// process reads, but the spool never blocks. While the writer is busy, the spool holds up to 1 MiB
// of further lines and drops the rest. A spool is safe for concurrent use.
type spool struct {
	w io.Writer
	// lost writes the number of dropped lines to w. The spool calls lost when w accepts lines
	// again, and writes no lines until lost returns.
	lost func(lines int)

	mu      sync.Mutex
	pending []byte        // whole lines, in order; guarded by mu
	missing int           // the number of Write calls dropped after pending; guarded by mu
	idle    chan struct{} // closed when all lines are written; nil unless write is running; guarded by mu
}

// Write accepts one or more whole lines. It never blocks and never returns an error.
func (s *spool) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// After a line is dropped, drop all further lines until the writer has caught up, so that the
	// log has one gap and not many.
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

// write writes pending lines until none are left. It ignores errors, because there is no place to
// report them and the next write may succeed.
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

// flush waits until all lines are written or the time atMost has passed. If the writer blocks, one
// goroutine remains blocked. This does not prevent the program from exiting.
func (s *spool) flush(atMost time.Duration) {
	s.mu.Lock()
	idle := s.idle
	s.mu.Unlock()
	if idle == nil {
		return
	}
	select {
	case <-idle:
	case <-time.After(atMost):
	}
}
