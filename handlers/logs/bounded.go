package logs

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// The bound of lines: so many within the time from the first of them.
const (
	Lines = 10
	Time  = time.Minute
)

// Bounded returns a handler that passes on [Lines] records in any [Time] that begins with
// one of them. After the last it says that more are held back, and before the next that
// passes how many were. It and the handlers derived from it count together. They may be
// used by any number of goroutines.
func Bounded(inner slog.Handler) slog.Handler { return bounded{inner, new(budget)} }

type bounded struct {
	slog.Handler
	budget *budget
}

// Handle passes the record on, or holds it back.
func (b bounded) Handle(ctx context.Context, r slog.Record) error {
	passes, last, held := b.budget.take(r.Time)
	if !passes {
		return nil
	}
	if held > 0 {
		b.tell(ctx, r, "lines like the next were held back", slog.Int("lines", held))
	}
	err := b.Handler.Handle(ctx, r)
	if last {
		b.tell(ctx, r, "more lines like the last are held back", slog.Duration("for", Time))
	}
	return err
}

// tell logs about records like r.
func (b bounded) tell(ctx context.Context, r slog.Record, message string, attribute slog.Attr) {
	about := slog.NewRecord(r.Time, r.Level, message, 0)
	about.AddAttrs(attribute)
	_ = b.Handler.Handle(ctx, about) // the record itself says what is wrong
}

// WithAttrs returns the handler with attributes.
func (b bounded) WithAttrs(attrs []slog.Attr) slog.Handler {
	return bounded{b.Handler.WithAttrs(attrs), b.budget}
}

// WithGroup returns the handler with a group.
func (b bounded) WithGroup(name string) slog.Handler {
	return bounded{b.Handler.WithGroup(name), b.budget}
}

// budget is how many records may pass.
type budget struct {
	mu    sync.Mutex
	until time.Time // guarded by mu: when those that passed no longer count
	lines int       // guarded by mu: that passed since
	held  int       // guarded by mu: that did not, since the last one that did
}

// take reports whether a record of now passes, whether it is the last for a while, and
// how many before it did not pass.
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
