package rest

import (
	"io"
	"math"
	"time"
)

// Forever is a wait that only its reason to end ends.
const Forever = time.Duration(math.MaxInt64)

// Wait holds the request up, by the machine's time. It returns an error where the
// operation must not run any more: that of the request's context, since the client
// has gone; or a 503, since the sandbox has, or the server is stopping.
func (x *Exchange) Wait(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	read := x.readAhead()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-x.Sandbox.Done():
	case <-x.R.Context().Done():
	}
	err := x.over()
	select {
	case <-read:
	default:
		if err != nil {
			x.dropBody()
		}
		<-read
	}
	return err
}

// over returns why the request has nothing more to wait for; nil: it has.
func (x *Exchange) over() error {
	if err := x.R.Context().Err(); err != nil {
		return err
	}
	select {
	case <-x.Sandbox.Done():
		return interrupted()
	default:
		return nil
	}
}

// readAhead reads the request's body, and throws away what no operation will take:
// net/http notices only then that a client has gone. The channel is closed at its
// end.
func (x *Exchange) readAhead() <-chan struct{} {
	read := make(chan struct{})
	if x.R.ContentLength == 0 {
		close(read)
		return read
	}
	go func() {
		defer close(read)
		if _, err := x.Body(); err == nil {
			return
		}
		if _, err := io.Copy(io.Discard, x.R.Body); err == nil {
			x.freeBody()
		}
	}()
	return read
}
