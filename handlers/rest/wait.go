package rest

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store"
)

// notRun describes the outcome for an operation whose request was interrupted while it waited.
const notRun = ", so the operation did not run"

// Forever is a wait without a time limit.
const Forever = time.Duration(math.MaxInt64)

// Wait delays the request, by the machine's clock. It returns an error if the operation must no
// longer run: the context's error if the client has disconnected, or a 503 because the sandbox was
// dropped or reset, the server is stopping, or too many requests already wait.
func (x *Exchange) Wait(d time.Duration) error {
	return x.wait(d, notRun, true)
}

// WaitInstead is Wait for a response in place of the operation's. It does not wait for the request
// body as an operation would.
func (x *Exchange) WaitInstead(d time.Duration) error {
	return x.wait(d, notRun, false)
}

// WaitAfterwards is Wait for an operation that has run with the status.
func (x *Exchange) WaitAfterwards(d time.Duration, status int) error {
	return x.wait(d, fmt.Sprintf("; the operation returned status %d", status), true)
}

// wait is Wait with the outcome for the operation in case of a 503. reads means that the whole body
// is needed.
func (x *Exchange) wait(d time.Duration, outcome string, reads bool) error {
	if d <= 0 {
		return nil
	}
	leave, err := x.Stand(d)
	if err != nil {
		return err
	}
	defer leave()
	x.waited = true
	read := x.ReadAhead()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-x.Since.DataReset:
	case <-x.ownerChange():
	case <-x.Sandbox.Done():
	case <-x.R.Context().Done():
	}
	err = x.over(outcome)
	if err == nil && !reads {
		x.awaitAhead()
	}
	select {
	case <-read:
	default:
		if err != nil || !reads {
			x.dropBody()
		}
		<-read
	}
	return err
}

// TakeTurn waits until take returns nil. Until then take returns a channel that is closed when a
// retry may succeed. The error is that of [Exchange.Wait], or a 503 after most.
func (x *Exchange) TakeTurn(take func() <-chan struct{}, most time.Duration) error {
	timer := time.NewTimer(most)
	defer timer.Stop()
	for {
		again := take()
		if again == nil {
			return nil
		}
		select {
		case <-again:
			continue
		case <-timer.C:
			return Refuse("unavailable", "the server is busy with other imports and generated data; send the request again later").With("Retry-After", "1")
		case <-x.gone():
		case <-x.ownerChange():
		case <-x.R.Context().Done():
		}
		return x.over(notRun)
	}
}

// gone returns a channel that is closed when the sandbox is dropped. It is nil if the request is
// for all sandboxes.
func (x *Exchange) gone() <-chan struct{} {
	if x.Sandbox == nil {
		return nil
	}
	return x.Sandbox.Done()
}

// over returns why the request must stop waiting, or nil.
func (x *Exchange) over(outcome string) error {
	if err := x.R.Context().Err(); err != nil {
		return err
	}
	if err := x.Sandbox.End(); err != nil {
		return x.interrupted(err, outcome)
	}
	if err := x.checkOwner(outcome); err != nil {
		return err
	}
	if x.wasReset() {
		return x.interrupted(sandbox.ErrReset, outcome)
	}
	return nil
}

// CheckOwner returns a 503 if the sandbox's key or privacy has changed since the request was
// admitted: the request may no longer have access.
func (x *Exchange) CheckOwner() error { return x.checkOwner(notRun) }

func (x *Exchange) checkOwner(outcome string) error {
	if x.Sandbox == nil || x.Sandbox.Owner() == x.Since.Owner {
		return nil
	}
	return x.interrupted(registry.ErrOwner, outcome)
}

// closed is a channel that is closed.
var closed = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// ownerChange returns a channel that is closed when CheckOwner begins to fail. It is nil if the
// request is for all sandboxes.
func (x *Exchange) ownerChange() <-chan struct{} {
	if x.Sandbox == nil {
		return nil
	}
	change := x.Sandbox.OwnerChange()
	if x.CheckOwner() != nil { // an earlier change has closed another channel
		return closed
	}
	return change
}

// Await returns a context that ends with the request, after d, or when CheckOwner begins to fail.
func (x *Exchange) Await(d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(x.R.Context(), d)
	change := x.ownerChange()
	go func() {
		defer cancel()
		select {
		case <-change:
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

func (x *Exchange) wasReset() bool {
	select {
	case <-x.Since.DataReset:
		return true
	default:
		return false
	}
}

// Update changes the data of the request's sandbox; see [sandbox.Sandbox.Update]. If the request
// has waited and the data was reset meanwhile, even after the wait, it returns a 503: the reset
// data is for later requests.
func (x *Exchange) Update(change func(*store.Tx) (journal.Event, error)) error {
	state, err := x.Sandbox.Update(func(tx *store.Tx) (event journal.Event, err error) {
		if err := x.CheckOwner(); err != nil {
			return event, err
		}
		if x.waited && x.wasReset() {
			return event, x.interrupted(sandbox.ErrReset, notRun)
		}
		event, err = change(tx)
		event.ByWebhook = x.R.Header[webhook.Header] != nil
		return event, err
	})
	x.state = state
	return err
}

// View returns the data of the request's sandbox.
func (x *Exchange) View() *store.State {
	state, number := x.Sandbox.Store.Numbered()
	x.state = number
	return state
}

// State returns the number of the state that the request has read or left, for
// [store.Store.At]. A request that has done neither has the current state.
func (x *Exchange) State() int64 {
	if x.state == 0 {
		x.View()
	}
	return x.state
}

// shortWait is the longest wait that does not count as standing.
const shortWait = time.Second

// Standing bounds the requests that listen to events or wait, and so hold their connections for
// long. A nil Standing has no bound.
type Standing struct {
	most int64
	now  atomic.Int64
}

// NewStanding returns a bound of most requests. 0 means no bound.
func NewStanding(most int) *Standing {
	if most == 0 {
		return nil
	}
	return &Standing{most: int64(most)}
}

// Stand counts a request that may wait for d, until leave is called. The error is a 503.
func (x *Exchange) Stand(d time.Duration) (leave func(), err error) {
	s := x.Standing
	if s == nil || d <= shortWait {
		return func() {}, nil
	}
	leave = func() { s.now.Add(-1) }
	if s.now.Add(1) <= s.most {
		return leave, nil
	}
	leave()
	return nil, Refuse("unavailable", fmt.Sprintf("%d requests listen to events or wait, which is as many as may at once; end some first, or start the server with a larger --max-connections", s.most))
}
