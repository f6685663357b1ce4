package middleware

import (
	"context"
	"errors"
	"maps"
	"net/http"

	"example.com/petstore/handlers/rest"
)

// recorder is where the answer of an operation goes that is not to be sent, or not
// as it is. Only a fault that lets the operation run makes one.
type recorder struct {
	header  http.Header
	status  int
	body    []byte
	streams bool
	stop    context.CancelFunc
}

// record runs the operation and returns its answer, errors as they would be
// answered. A failure of the server's own is returned as an error.
func record(x *rest.Exchange, next rest.Handler) (*recorder, error) {
	w, r := x.W, x.R
	ctx, stop := context.WithCancel(r.Context())
	real := &recorder{header: maps.Clone(w.Header()), stop: stop}
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
	return real, nil
}

// Header returns the headers, those of the outer links among them.
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
	rec.body = append(rec.body, p...)
	return len(p), nil
}

var errRecorded = errors.New("the answer is recorded; it ends with its first part")

// FlushError ends the operation: one that flushes is a stream, which would go on
// for ever.
func (rec *recorder) FlushError() error {
	rec.WriteHeader(http.StatusOK)
	rec.streams = true
	rec.stop()
	return errRecorded
}

// send answers what was recorded.
func (rec *recorder) send(x *rest.Exchange) error {
	maps.Copy(x.W.Header(), rec.header)
	x.W.WriteHeader(rec.status)
	_, _ = x.W.Write(rec.body)
	return nil
}
