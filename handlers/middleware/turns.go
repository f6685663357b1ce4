package middleware

import (
	"sync"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

const (
	turns    = 2                // requests that read or make a whole state at a time
	turnWait = 30 * time.Second // how long another one waits
)

// TakeTurns lets two requests run at a time that read or make a whole state, and one of each
// sandbox. A turn begins when the body of the request has come, so that a client that stalls
// holds up nothing. A request that waits for its turn for 30 seconds is refused: 503.
func TakeTurns() rest.Link {
	taken := turnsTaken{of: make(map[*sandbox.Sandbox]bool)}
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if !x.Operation.TakesTurn || x.R.ContentLength == 0 {
				return next(x)
			}
			if err := x.TakeBody(); err != nil {
				return err
			}
			sb := x.Sandbox // nil where the request is for all of them
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

// turnsTaken are the turns of the requests that run.
type turnsTaken struct {
	mu    sync.Mutex
	of    map[*sandbox.Sandbox]bool // guarded by mu: whose turn it is
	ended chan struct{}             // guarded by mu: closed when a turn ends; nil: nothing waits for that
}

// take takes a turn for the sandbox and returns nil, or returns a channel that is closed when
// it is worth trying again.
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
