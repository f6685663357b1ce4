package middleware

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/fault"
)

// applyFault applies a fault rule, which can delay, replace or abort the response. A delay is
// measured by the machine's clock, not by the sandbox's.
func applyFault(x *rest.Exchange, next rest.Handler, rule *fault.Rule, delay time.Duration) error {
	x.Fault = rule.ID
	if rule.When != fault.After {
		if err := x.Wait(delay, rest.NotRun); err != nil {
			return err
		}
	}
	if rule.Status == nil && rule.Abort == "" && rule.When != fault.After {
		return next(x)
	}
	var real *recorder
	if rule.Runs() {
		var err error
		if real, err = record(x, next,
			rule.Abort == fault.AbortTruncate || rule.Abort == "" && rule.Status == nil); err != nil {
			return err
		}
	}
	if rule.When == fault.After {
		if err := x.Wait(delay, fmt.Sprintf("; the operation returned status %d", real.status)); err != nil {
			return err
		}
	}
	switch {
	case rule.Abort == fault.AbortReset:
		reset(x)
	case rule.Abort == fault.AbortTruncate:
		truncate(x, real)
	case rule.Abort == fault.AbortHang:
		hang(x)
	case rule.Status != nil:
		return inject(x, rule, real)
	}
	return real.send(x)
}

// inject returns the rule's response as an error, or writes the response and returns nil if its
// status allows no body. real is the operation's response, or nil if the operation has not run.
func inject(x *rest.Exchange, rule *fault.Rule, real *recorder) error {
	status := *rule.Status
	e := x.Injected(status)
	switch {
	case rule.Message != "":
		e.Message = rule.Message
	case real != nil:
		e.Message = fmt.Sprintf("fault rule %d replaced the operation's response (status %d) with status %d", rule.ID,
			real.status, status)
	default:
		e.Message = fmt.Sprintf("fault rule %d returned status %d, so the operation did not run", rule.ID, status)
	}
	if rule.Code != "" {
		e.Code = rule.Code
	}
	for _, name := range slices.Sorted(maps.Keys(rule.Headers)) {
		e.With(name, rule.Headers[name])
		expose(x.W.Header(), name)
	}
	switch status {
	case http.StatusNoContent, http.StatusResetContent, http.StatusNotModified:
		// Responses with these statuses have no body.
		maps.Copy(x.W.Header(), e.Header)
		x.W.WriteHeader(status)
		return nil
	}
	return e
}

// expose lets scripts of other origins read the named header. It adds the name to
// Access-Control-Expose-Headers, unless the response lacks that field.
func expose(header http.Header, name string) {
	if exposed := header["Access-Control-Expose-Headers"]; exposed != nil {
		header["Access-Control-Expose-Headers"] = []string{strings.Join(exposed, ", ") + ", " + name}
	}
}

// reset aborts the connection with a TCP reset. With HTTP/2, it resets only the stream, because
// other requests use the same connection.
func reset(x *rest.Exchange) {
	x.Sent.BreakOff(rest.Beginning{})
	connection, _, err := http.NewResponseController(&x.Sent).Hijack()
	if err == nil {
		under := connection
		if secured, ok := connection.(interface{ NetConn() net.Conn }); ok {
			under = secured.NetConn()
		}
		if tcp, ok := under.(interface{ SetLinger(seconds int) error }); ok {
			_ = tcp.SetLinger(0) // makes Close send a reset
		}
		_ = under.Close()
	}
	x.Sent.Abort()
}

// truncate sends the headers of the response and half of its body, and then aborts the connection.
// It sends nothing if the request is a HEAD or if the body has fewer than two bytes. It does not
// compress the body, because a compressor would buffer a partial body.
func truncate(x *rest.Exchange, real *recorder) {
	if half := real.body[:len(real.body)/2]; len(half) > 0 && x.R.Method != http.MethodHead {
		x.W = &x.Sent
		header := x.W.Header()
		maps.Copy(header, real.header)
		if !real.streams {
			header["Content-Length"] = []string{strconv.Itoa(len(real.body))}
		}
		x.Sent.BreakOff(rest.Beginning{Status: real.status, Body: half, Size: int64(len(real.body))})
		x.W.WriteHeader(real.status)
		_, _ = x.W.Write(half)
		_ = http.NewResponseController(x.W).Flush() // send the half before the abort
	}
	x.Sent.Abort()
}

// hang sends no response. It aborts the connection when [rest.Exchange.Wait] ends, for example
// because the client disconnects.
func hang(x *rest.Exchange) {
	x.ReadAhead() // otherwise, the journal would read only the start of the body
	x.Sent.BreakOff(rest.Beginning{})
	_ = x.Wait(rest.Forever, rest.NotRun)
	x.Sent.Abort()
}

// recorder is an http.ResponseWriter that records an operation's response, so that the response can
// be dropped or replaced.
type recorder struct {
	x       *rest.Exchange
	header  http.Header
	status  int
	keeps   bool // whether to record the body
	body    []byte
	room    int   // the size that the body may reach before more memory is reserved
	full    error // why the rest of the body cannot be recorded, or nil
	streams bool
	stop    context.CancelFunc
}

// recordedBytes is the size up to which a body is recorded without reserving memory. No response to
// a write is larger.
const recordedBytes = 64 << 10

// record runs the operation and returns its response. The response includes the body if body is
// set. Errors become responses, except internal errors, which record returns. If there is not
// enough memory to record the body, the error is a [memory.Full].
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

// Header returns the headers, including those set by outer links.
func (rec *recorder) Header() http.Header { return rec.header }

// WriteHeader records the status.
func (rec *recorder) WriteHeader(status int) {
	if rec.status == 0 {
		rec.status = status
	}
}

// Write records a part of the body.
func (rec *recorder) Write(p []byte) (int, error) {
	rec.WriteHeader(http.StatusOK)
	if !rec.keeps {
		return len(p), nil
	}
	if n := len(rec.body) + len(p); n > rec.room && rec.full == nil {
		rec.room = 2 * n
		rec.full = rec.x.Reserve(int64(2 * rec.room)) // twice, because growing the slice copies it
	}
	if rec.full != nil {
		return 0, rec.full
	}
	rec.body = append(rec.body, p...)
	return len(p), nil
}

var errRecorded = errors.New("the answer is recorded; it ends with its first part")

// FlushError ends the operation. Only a stream flushes its response, and a stream would otherwise
// not end.
func (rec *recorder) FlushError() error {
	rec.WriteHeader(http.StatusOK)
	rec.streams = true
	rec.stop()
	return errRecorded
}

func (rec *recorder) send(x *rest.Exchange) error {
	maps.Copy(x.W.Header(), rec.header)
	x.W.WriteHeader(rec.status)
	_, _ = x.W.Write(rec.body)
	return nil
}
