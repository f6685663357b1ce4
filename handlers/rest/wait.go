package rest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
)

// NotRun is the outcome for [Exchange.Wait] before the operation has run.
const NotRun = ", so the operation did not run"

// Forever is the duration of a wait without a time limit.
const Forever = time.Duration(math.MaxInt64)

// Wait delays the request by d, on the machine's clock. The delay begins when the body has arrived.
// If the body does not arrive completely, there is no delay. If the request must not continue, Wait
// returns an error. The error is the context's if the client has disconnected. It is a 503 if the
// sandbox was dropped or reset, if its key or privacy changed, if the server is stopping, or if too
// many requests already wait. The message ends with outcome, which says whether the operation ran.
func (x *Exchange) Wait(d time.Duration, outcome string) error {
	if d <= 0 {
		return nil
	}
	leave, err := x.AddWaiter(d)
	if err != nil {
		return err
	}
	defer leave()
	if !x.ReadAhead() {
		return nil // the body is incomplete, and the operation returns an error when it reads the body
	}
	ctx, cancel := x.Await(d)
	defer cancel()
	select {
	case <-x.Since.DataReset:
	case <-ctx.Done():
	}
	return x.waitError(outcome)
}

// TakeTurn calls take until it returns nil. If take returns a channel, TakeTurn waits until the
// channel is closed before it calls take again. TakeTurn returns a 503 if it has waited for limit,
// or one of the errors of [Exchange.Wait].
func (x *Exchange) TakeTurn(take func() <-chan struct{}, limit time.Duration) error {
	ctx, cancel := x.Await(limit)
	defer cancel()
	for again := take(); again != nil; again = take() {
		select {
		case <-again:
		case <-ctx.Done():
			if ctx.Err() != context.DeadlineExceeded {
				// If waitError returns nil, the sandbox got a key during the wait and lost it again.
				return cmp.Or[error](x.waitError(NotRun), x.interrupted(registry.ErrOwner, NotRun))
			}
			return Refuse("unavailable",
				"the server is busy with other imports and generated data; send the request again later").
				With("Retry-After", "1")
		}
	}
	return nil
}

// waitError returns the error that ends the request's wait, or nil if the request may continue.
func (x *Exchange) waitError(outcome string) error {
	if err := cmp.Or(x.R.Context().Err(), x.Ended(outcome)); err != nil {
		return err
	}
	if x.Sandbox.DataReset() != x.Since.DataReset {
		return x.interrupted(sandbox.ErrReset, outcome)
	}
	return nil
}

// Ended returns the 503 for a request whose sandbox has ended or whose access has changed, or nil.
// outcome is as in [Exchange.Wait].
func (x *Exchange) Ended(outcome string) error {
	if err := context.Cause(x.Sandbox.Life); err != nil {
		return x.interrupted(err, outcome)
	}
	if x.CheckOwner() != nil {
		return x.interrupted(registry.ErrOwner, outcome)
	}
	return nil
}

// Await returns a context that ends after d, when the request or its sandbox ends, or when
// CheckOwner starts to fail.
func (x *Exchange) Await(d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(x.R.Context(), d)
	if x.Sandbox == nil { // the request is for all sandboxes
		return ctx, cancel
	}
	change, gone := x.Sandbox.OwnerChange(), x.Sandbox.Life.Done()
	if x.CheckOwner() != nil { // the owner has already changed, and change is the channel for the next change
		cancel()
	}
	go func() {
		defer cancel()
		select {
		case <-change:
		case <-gone:
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// shortWait is the duration of the longest wait that AddWaiter does not count.
const shortWait = time.Second

// AddWaiter counts a request that may listen to events or wait for d, unless d is at most shortWait.
// The request is counted until leave is called. The error is a 503 if there are MaxWaiters already,
// because each of them occupies its connection for a long time.
func (x *Exchange) AddWaiter(d time.Duration) (leave func(), err error) {
	s := x.Server
	if s.MaxWaiters == 0 || d <= shortWait {
		return func() {}, nil
	}
	leave = func() { s.waiters.Add(-1) }
	if s.waiters.Add(1) <= int64(s.MaxWaiters) {
		return leave, nil
	}
	leave()
	return nil, Refuse("unavailable",
		fmt.Sprintf(
			"%d requests listen to events or wait, the most that may at once; end some first, or start the server "+
				"with a larger --max-connections", s.MaxWaiters))
}
