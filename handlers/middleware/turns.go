package middleware

import (
	"time"

	"example.com/petstore/handlers/rest"
)

const (
	turns    = 2                // requests that read or make a whole state at a time
	turnWait = 30 * time.Second // how long another one waits
)

// TakeTurns lets two requests run at a time that read or make a whole state. Others wait
// for their turn with their bodies unread, so that a queue of them takes no memory. After
// 30 seconds one that still waits is refused: 503.
func TakeTurns() rest.Link {
	taken := make(chan struct{}, turns)
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if !x.Operation.TakesTurn || x.R.ContentLength == 0 {
				return next(x)
			}
			if err := x.TakeTurn(taken, turnWait); err != nil {
				return err
			}
			defer func() { <-taken }()
			return next(x)
		}
	}
}
