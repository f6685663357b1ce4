package rest

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store"
)

// notRun is what became of an operation whose request waited in vain.
const notRun = ", so the operation did not run"

// Forever is a wait that only its reason to end ends.
const Forever = time.Duration(math.MaxInt64)

// Wait holds the request up, by the machine's time. It returns an error where the
// operation must not run any more: that of the request's context, since the client
// has gone; or a 503, since the sandbox has or is reset, the server is stopping, or too many
// wait already.
func (x *Exchange) Wait(d time.Duration) error {
	return x.wait(d, notRun, true)
}

// WaitInstead is Wait for an answer, or its lack, that comes in place of the operation's. Who
// still sends the body then does not hold it up as an operation that reads it would.
func (x *Exchange) WaitInstead(d time.Duration) error {
	return x.wait(d, notRun, false)
}

// WaitAfterwards is Wait for an operation that has run, whose answer of the status is held up.
func (x *Exchange) WaitAfterwards(d time.Duration, status int) error {
	return x.wait(d, fmt.Sprintf("; the operation returned status %d", status), true)
}

// wait says in its 503 what became of the operation; reads: somebody wants the whole body.
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
	case <-x.Reset:
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

// TakeTurn waits until take returns nil. Until then take returns a channel that is closed when
// it is worth trying again. The error is that of [Exchange.Wait], or a 503 after so long.
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

// gone returns a channel that is closed when the sandbox goes; nil, which never is: the
// request is for all of them.
func (x *Exchange) gone() <-chan struct{} {
	if x.Sandbox == nil {
		return nil
	}
	return x.Sandbox.Done()
}

// over returns why the request has nothing more to wait for; nil: it has.
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

// CheckOwner returns a 503 where the key or the privacy of the sandbox has changed since the
// request was let in, so that what it waited for is not for it any more.
func (x *Exchange) CheckOwner() error { return x.checkOwner(notRun) }

func (x *Exchange) checkOwner(outcome string) error {
	if x.Sandbox == nil || x.Sandbox.Owner() == x.owner {
		return nil
	}
	return x.interrupted(sandbox.ErrOwner, outcome)
}

// closed is a channel that is closed.
var closed = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// ownerChange returns a channel that is closed once CheckOwner returns an error. It is nil,
// which never is, where the request is for all sandboxes.
func (x *Exchange) ownerChange() <-chan struct{} {
	if x.Sandbox == nil {
		return nil
	}
	change := x.Sandbox.OwnerChange()
	if x.CheckOwner() != nil { // a change before that closed another channel
		return closed
	}
	return change
}

// Await returns a context that ends with the request, after d, and once CheckOwner returns an
// error.
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
	case <-x.Reset:
		return true
	default:
		return false
	}
}

// Update changes the data of the request's sandbox; see [sandbox.Sandbox.Update]. It is
// a 503 where the request has waited and the data was reset since it came, be it between
// the end of the wait and now: what a reset brought back is for those who come after it.
func (x *Exchange) Update(change func(*store.Tx) error, event func() journal.Event) error {
	if x.Sandbox.Webhooks.Any() && x.R.Header[webhook.Header] != nil {
		tell := event
		event = func() journal.Event {
			e := tell()
			e.ByWebhook = true
			return e
		}
	}
	return x.Sandbox.Update(func(tx *store.Tx) error {
		if err := x.CheckOwner(); err != nil {
			return err
		}
		if x.waited && x.wasReset() {
			return x.interrupted(sandbox.ErrReset, notRun)
		}
		return change(tx)
	}, event)
}

// ReadAhead begins to read the request's body, and throws away what no operation will take:
// net/http notices only then that a client has gone. The channel is closed at its end.
func (x *Exchange) ReadAhead() <-chan struct{} {
	if x.ahead != nil {
		return x.ahead
	}
	read := make(chan struct{})
	x.ahead = read
	if x.R.ContentLength == 0 {
		close(read)
		return read
	}
	go func() {
		defer close(read)
		if _, err := x.Body(); err == nil {
			return
		}
		x.readStart()
		if _, err := io.Copy(io.Discard, x.R.Body); err == nil {
			x.freeBody()
		}
	}()
	return read
}
