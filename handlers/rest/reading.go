package rest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/memory"
)

// bodyTimeout limits the time for receiving a body, so that a stalled client does not occupy a
// connection forever.
const bodyTimeout = 30 * time.Second

// startTime is the maximum time that a response waits for the start of an unread body.
const startTime = 500 * time.Millisecond

// Limits on discarding an unread body after the response. No operation accepts a body larger than
// unreadBytes.
const (
	unreadBytes     = 64 << 20
	unreadPiece     = 64 << 10
	unreadPieceTime = 2 * time.Second
	unreadLastTime  = 500 * time.Millisecond // for the rest of the body, after the server has begun to stop
)

// reading holds the part of a request's body that has been read. Most operations read the whole
// body. If the operation does not read the body, the journal reads its start. After the response, the
// rest of the body is discarded.
type reading struct {
	whole []byte // the body, once all of it has arrived
	err   error  // why the body could not be read
	start []byte // the start of the body; nil if nothing has been read, or if one read returned the whole body
}

// readBody reads the whole body, unless an earlier call did.
func (x *Exchange) readBody() error {
	if x.body.whole == nil && x.body.err == nil {
		x.body.whole, x.body.err = x.receiveBody()
	}
	return x.body.err
}

// receiveBody reads the whole body. The checks of its announced length come before the first read,
// because that read asks a client that waits for 100 Continue to send the body.
func (x *Exchange) receiveBody() ([]byte, error) {
	takes := x.Operation.Body
	if x.R.ContentLength > takes.Max {
		return nil, tooLarge(takes.Max)
	}
	if takes.Import {
		// If the server can never accept the import, refuse it before the client sends the body.
		err := perByte(x.Memory.CanHold(x.R.ContentLength*memory.ImportPerByte), memory.ImportPerByte)
		if err != nil {
			return nil, err
		}
	}
	// The buffer grows with the bytes that arrive, because the announced length may be false.
	size := min(x.R.ContentLength, 64<<10)
	if size < 0 {
		size = 512
	}
	if err := x.reserveBody(0, size); err != nil {
		return nil, err
	}
	x.setDeadline(sandbox.Machine().Add(bodyTimeout)) // again, because the request may have waited
	body := http.MaxBytesReader(x.W, x.R.Body, takes.Max)
	data := make([]byte, 0, size+1) // the extra byte lets the last read detect EOF
	for {
		read, whole, err := x.receive(body, data)
		var over *http.MaxBytesError
		switch {
		case whole && takes.Import:
			// The reservation for an import counts only the length of the body, so drop the larger
			// buffer.
			return bytes.Clone(read), nil
		case whole:
			return read, nil
		case errors.As(err, &over):
			return nil, tooLarge(takes.Max)
		case err != nil:
			return nil, x.brokenBody(err)
		}
		more := int64(len(read))
		if left := x.R.ContentLength + 1 - more; left > 0 {
			more = min(more, left)
		}
		if err := x.reserveBody(int64(len(read)), more); err != nil {
			return nil, err
		}
		data = append(make([]byte, 0, int64(len(read))+more), read...)
	}
}

// receive appends to data from body until EOF, until an error, or until data is full. It also keeps
// the start of the body. whole reports whether receive reached EOF.
func (x *Exchange) receive(body io.Reader, data []byte) (read []byte, whole bool, err error) {
	for len(data) < cap(data) {
		n, err := body.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			// Clear the deadline only at EOF: after an error, net/http could otherwise wait forever
			// for the rest of the body.
			x.setDeadline(time.Time{})
			return data, true, nil
		}
		if len(x.body.start) < journal.MaxBody {
			// Later reads append to data and do not change these bytes.
			x.body.start = data[:min(len(data), journal.MaxBody)]
		}
		if err != nil {
			return data, false, err
		}
	}
	return data, false, nil
}

// setDeadline sets the deadline for reading the body. The zero time means none.
func (x *Exchange) setDeadline(by time.Time) {
	// Ignore the error: a writer without deadlines, such as a recorder, cannot block.
	_ = http.NewResponseController(&x.Sent).SetReadDeadline(by)
}

// ReadAhead reads the body before a wait, because net/http can notice that the client disconnects
// only after the body has been read. It keeps a valid body for the operation. It reports whether
// all of the body arrived.
func (x *Exchange) ReadAhead() bool {
	if x.R.ContentLength == 0 {
		return true
	}
	if _, _ = x.Body(); x.body.whole != nil {
		return true
	}
	x.readStart()
	if _, err := io.CopyN(io.Discard, x.R.Body, unreadBytes); err != io.EOF {
		return false
	}
	x.setDeadline(time.Time{})
	return true
}

// BodyStart returns the start of the request's body for the journal, and reports whether it is the
// whole body. If nothing has read the body, as in a refused request, BodyStart reads up to
// [journal.MaxBody] bytes. It stops after [startTime], so that a slow client does not delay its
// response for longer. It does not read from a client that waits for 100 Continue. BodyStart must
// not be called while the operation may still read the body.
func (x *Exchange) BodyStart() (start []byte, whole bool) {
	switch {
	case x.R.ContentLength == 0:
		return nil, true
	case x.body.whole == nil && x.body.start == nil && x.R.Header["Expect"] == nil:
		x.setDeadline(sandbox.Machine().Add(startTime))
		x.readStart()
	}
	if x.body.whole != nil {
		return x.body.whole, true
	}
	return append([]byte{}, x.body.start...), false // never nil, because nil means that there is no body
}

// readStart reads the start of an unread body. After an error, the read deadline remains set, so
// that net/http does not wait for the rest of the body before it responds.
func (x *Exchange) readStart() {
	if x.body.start != nil {
		return
	}
	size := int64(journal.MaxBody)
	if length := x.R.ContentLength; length >= 0 {
		size = min(size, length)
	}
	size++ // to detect the end of a short body
	if !x.Memory.ReserveNow(size) {
		return
	}
	x.reserved.request += size
	switch start, whole, err := x.receive(x.R.Body, make([]byte, 0, size)); {
	case whole:
		x.body.whole = start
	case err == nil:
		x.setDeadline(sandbox.Machine().Add(bodyTimeout))
	}
}

// DropUnread discards the rest of a body that is still arriving. Without this, a client that sends
// its whole body before it reads the response would find the connection closed. DropUnread must be
// called after the response has ended. It returns soon after ctx ends.
//
// It does nothing for HTTP/2, which does not need it. It does nothing for a client that waits for
// 100 Continue, because that client sends no body.
func (x *Exchange) DropUnread(ctx context.Context) {
	if x.R.ContentLength == 0 || x.body.whole != nil || x.R.ProtoMajor != 1 || x.R.Header["Expect"] != nil {
		return
	}
	_ = http.NewResponseController(&x.Sent).Flush() // for clients that read while they send
	var end atomic.Pointer[time.Time]
	end.Store(new(sandbox.Machine().Add(bodyTimeout)))
	stop := context.AfterFunc(ctx, func() {
		soon := sandbox.Machine().Add(unreadLastTime)
		end.Store(&soon)
		x.setDeadline(soon)
	})
	defer stop()
	for range unreadBytes / unreadPiece {
		by := sandbox.Machine().Add(unreadPieceTime)
		if end := *end.Load(); by.After(end) {
			by = end
		}
		x.setDeadline(by)
		if _, err := io.CopyN(io.Discard, x.R.Body, unreadPiece); err != nil {
			return
		}
	}
}
