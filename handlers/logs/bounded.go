// Package logs limits the number of log records that clients can cause.
package logs

import (
	"log/slog"
	"sync"
	"time"
)

// A [Bounded] logs at most Lines warnings in a period. A period has the length Time and starts with
// its first warning.
const (
	Lines = 10
	Time  = time.Minute
)

// Bounded logs at most [Lines] warnings in each period of length [Time]. After the last of these
// warnings, it logs that further ones will be suppressed. Before the first warning of a later
// period, it logs how many were suppressed. It is safe for concurrent use.
type Bounded struct {
	log *slog.Logger

	mu    sync.Mutex
	until time.Time // the end of the current period; guarded by mu
	lines int       // the number of warnings logged in the current period; guarded by mu
	held  int       // the number of warnings suppressed since the last one logged; guarded by mu
}

// NewBounded returns a Bounded that logs to log.
func NewBounded(log *slog.Logger) *Bounded { return &Bounded{log: log} }

// Warn logs a warning like [slog.Logger.Warn], or suppresses it.
func (b *Bounded) Warn(message string, args ...any) {
	passes, last, held := b.take(time.Now())
	if !passes {
		return
	}
	if held > 0 {
		b.log.Warn("lines like the next were held back", "lines", held)
	}
	b.log.Warn(message, args...)
	if last {
		b.log.Warn("more lines like the last are held back", "for", Time)
	}
}

// take counts a warning. passes reports whether the warning passes, and last reports whether it is
// the last one that may pass in the current period. held is the number of warnings that were
// suppressed before it.
func (b *Bounded) take(now time.Time) (passes, last bool, held int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !now.Before(b.until) {
		b.until, b.lines = now.Add(Time), 0
	}
	if b.lines == Lines {
		b.held++
		return false, false, 0
	}
	b.lines++
	held, b.held = b.held, 0
	return true, b.lines == Lines, held
}
