package middleware

import (
	"sync"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

const (
	turns    = 2                // requests that read or make a whole state at the same time
	turnWait = 30 * time.Second // the longest wait for a turn
)

// TakeTurns runs at most two requests at a time that read or make a whole state, and one per
// sandbox. A turn begins when the request's body has arrived, so a stalled client holds up nothing.
// A request that waits 30 seconds for its turn is refused with 503.
func TakeTurns() rest.Link {
	taken := turnsTaken{of: make(map[*sandbox.Sandbox]bool)}
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		if !op.TakesTurn {
			return next
		}
		return func(x *rest.Exchange) error {
			if x.R.ContentLength == 0 {
				return next(x)
			}
			if err := x.TakeBody(); err != nil {
				return err
			}
			sb := x.Sandbox // nil if the request is for all sandboxes
			if err := x.TakeTurn(func() <-chan struct{} { return taken.take(sb) }, turnWait); err != nil {
				return err
			}
			defer taken.giveBack(sb)
			if err := x.ReserveImport(); err != nil {
				return err
			}
			return next(x)
		}
	}
}

// turnsTaken tracks the running turns.
type turnsTaken struct {
	mu    sync.Mutex
	of    map[*sandbox.Sandbox]bool // guarded by mu: the sandboxes with a turn
	ended chan struct{}             // guarded by mu: closed when a turn ends; nil if no request waits
}

// take takes a turn for the sandbox and returns nil, or returns a channel that is closed when it
// may succeed.
func (t *turnsTaken) take(sb *sandbox.Sandbox) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.of) < turns && !t.of[sb] {
		t.of[sb] = true
		return nil
	}
	if t.ended == nil {
		t.ended = make(chan struct{})
	}
	return t.ended
}

func (t *turnsTaken) giveBack(sb *sandbox.Sandbox) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.of, sb)
	if t.ended != nil {
		close(t.ended)
		t.ended = nil
	}
}
