// Package logs limits the number of log records that clients can cause.
package logs

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// A handler returned by [Bounded] passes at most Lines records in a period. A period has the length
// Time and starts with its first record.
const (
	Lines = 10
	Time  = time.Minute
)

// Bounded returns a handler that passes at most [Lines] records to inner in each period of length
// [Time]. After the last of these records, it logs that further records will be suppressed. Before
// the first record of a later period, it logs how many records were suppressed. The handlers that
// WithAttrs and WithGroup return share this limit. All of them are safe for concurrent use.
func Bounded(inner slog.Handler) slog.Handler { return bounded{inner, new(budget)} }

type bounded struct {
	slog.Handler
	budget *budget
}

// Handle passes or suppresses the record.
func (b bounded) Handle(ctx context.Context, r slog.Record) error {
	passes, last, held := b.budget.take(r.Time)
	if !passes {
		return nil
	}
	if held > 0 {
		b.report(ctx, r, "lines like the next were held back", slog.Int("lines", held))
	}
	err := b.Handler.Handle(ctx, r)
	if last {
		b.report(ctx, r, "more lines like the last are held back", slog.Duration("for", Time))
	}
	return err
}

// report logs a message about suppressed records, with the time and the level of r.
func (b bounded) report(ctx context.Context, r slog.Record, message string, attribute slog.Attr) {
	about := slog.NewRecord(r.Time, r.Level, message, 0)
	about.AddAttrs(attribute)
	_ = b.Handler.Handle(ctx, about) // ignore the error, because Handle also returns one for r
}

// WithAttrs returns a handler with the attributes added.
func (b bounded) WithAttrs(attrs []slog.Attr) slog.Handler {
	return bounded{b.Handler.WithAttrs(attrs), b.budget}
}

// WithGroup returns a handler with the group opened.
func (b bounded) WithGroup(name string) slog.Handler {
	return bounded{b.Handler.WithGroup(name), b.budget}
}

// budget counts the records in the current period.
type budget struct {
	mu    sync.Mutex
	until time.Time // the end of the current period; guarded by mu
	lines int       // the number of records passed in the current period; guarded by mu
	held  int       // the number of records suppressed since the last one passed; guarded by mu
}

// take counts a record. passes reports whether the record passes, and last reports whether it is
// the last record that may pass in the current period. held is the number of records that were
// suppressed before it.
func (b *budget) take(now time.Time) (passes, last bool, held int) {
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
