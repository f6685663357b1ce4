// Package logs limits the number of log records that clients can cause.
package logs

import (
	"log/slog"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// Lines and Time are the limits of a [Bounded].
const (
	Lines = 10
	Time  = time.Minute
)

// Bounded logs at most [Lines] warnings at once, and then one in each [Time]. When it begins to
// suppress warnings, it logs this fact. Before it logs the next warning, it logs how many it has
// suppressed. It is safe for concurrent use.
type Bounded struct {
	log   *slog.Logger
	limit *rate.Limiter
	held  atomic.Int64 // the number of warnings suppressed since the last one logged
}

// NewBounded returns a Bounded that logs to log.
func NewBounded(log *slog.Logger) *Bounded {
	return &Bounded{log: log, limit: rate.NewLimiter(rate.Every(Time), Lines)}
}

// Warn logs a warning like [slog.Logger.Warn], or suppresses it.
func (b *Bounded) Warn(message string, args ...any) {
	if !b.limit.Allow() {
		if b.held.Add(1) == 1 {
			b.log.Warn("more lines like the last are held back", "for", Time)
		}
		return
	}
	if held := b.held.Swap(0); held > 0 {
		b.log.Warn("lines like the next were held back", "lines", held)
	}
	b.log.Warn(message, args...)
}
