package middleware

import (
	"context"
	"errors"
	"maps"
	"net/http"

	"example.com/petstore/handlers/rest"
)

// recorder buffers an operation's response so that a fault can drop or replace it. Only a fault
// that lets the operation run makes one.
type recorder struct {
	x       *rest.Exchange
	header  http.Header
	status  int
	keeps   bool // keep the body
	body    []byte
	room    int   // bytes of the body that memory is reserved for
	full    error // why the rest of the body cannot be kept, or nil
	streams bool
	stop    context.CancelFunc
}

// recordedBytes is how much of a body is kept without reserving memory: more than any response to a
// write.
const recordedBytes = 64 << 10

// record runs the operation and returns its response, with its body if body is set. Errors become
// responses, except for the server's own failures and for missing memory, which record returns.
func record(x *rest.Exchange, next rest.Handler, body bool) (*recorder, error) {
	w, r := x.W, x.R
	ctx, stop := context.WithCancel(r.Context())
	real := &recorder{x: x, header: maps.Clone(w.Header()), keeps: body, room: recordedBytes, stop: stop}
	x.W, x.R = real, r.WithContext(ctx)
	defer func() {
		stop()
		x.W, x.R = w, r
	}()
	if err := next(x); err != nil {
		answer := rest.AsError(err)
		if answer.Cause != nil && answer.Status >= http.StatusInternalServerError {
			return nil, err
		}
		x.Fail(answer)
	}
	return real, real.full
}

// Header returns the headers, including those of the outer links.
func (rec *recorder) Header() http.Header { return rec.header }

// WriteHeader keeps the status.
func (rec *recorder) WriteHeader(status int) {
	if rec.status == 0 && status >= http.StatusOK {
		rec.status = status
	}
}

// Write keeps a part of the body.
func (rec *recorder) Write(p []byte) (int, error) {
	rec.WriteHeader(http.StatusOK)
	if !rec.keeps {
		return len(p), nil
	}
	if n := len(rec.body) + len(p); n > rec.room && rec.full == nil {
		rec.room = 2 * n
		rec.full = rec.x.Reserve(int64(2 * rec.room)) // twice, because growing copies it
	}
	if rec.full != nil {
		return 0, rec.full
	}
	rec.body = append(rec.body, p...)
	return len(p), nil
}

var errRecorded = errors.New("the answer is recorded; it ends with its first part")

// FlushError ends the operation: an operation that flushes is a stream, which would not end by
// itself.
func (rec *recorder) FlushError() error {
	rec.WriteHeader(http.StatusOK)
	rec.streams = true
	rec.stop()
	return errRecorded
}

// send sends the recorded response.
func (rec *recorder) send(x *rest.Exchange) error {
	maps.Copy(x.W.Header(), rec.header)
	x.W.WriteHeader(rec.status)
	_, _ = x.W.Write(rec.body)
	return nil
}
