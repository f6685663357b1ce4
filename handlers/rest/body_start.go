package rest

import (
	"io"
	"net/http"
	"time"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
)

// startTime is how long the answer to a request waits for the beginning of a body that
// nobody has read.
const startTime = 500 * time.Millisecond

// BodyStart returns the beginning of the request's body, for the journal, and whether that
// is all of it. Of a body that nobody has read, such as that of a refused request, it is
// what of the first [journal.MaxBody] bytes comes within half a second, so that a slow client
// does not hold up its answer; of a client that waits for 100 Continue no body comes.
// It must not be called before the answer is known: an operation could not read the body
// any more.
func (x *Exchange) BodyStart() (start []byte, whole bool) {
	if x.R.ContentLength == 0 {
		return nil, true
	}
	if x.ahead != nil && !x.awaitAhead() {
		return x.startRead(), false
	}
	if x.body == nil && x.start.Load() == nil && x.R.Header["Expect"] == nil && !x.unwanted.Load() {
		// What cannot have a deadline, such as a recorder, cannot hang.
		_ = http.NewResponseController(&x.Sent).SetReadDeadline(sandbox.Machine().Add(startTime))
		x.readStart()
	}
	if x.body != nil {
		return x.body, true
	}
	return x.startRead(), false
}

// awaitAhead gives the goroutine that reads the body the time to read its beginning, and
// reports whether it has ended.
func (x *Exchange) awaitAhead() bool {
	timer := time.NewTimer(startTime)
	defer timer.Stop()
	select {
	case <-x.ahead:
		return true
	case <-timer.C:
		return false
	}
}

// readStart reads the beginning of a body of which nothing has been read. After an error the
// deadline of its reading stays, so that net/http does not wait for the rest before it answers.
func (x *Exchange) readStart() {
	if x.R.ContentLength == 0 || x.start.Load() != nil {
		return
	}
	size := int64(journal.MaxBody)
	if length := x.R.ContentLength; length >= 0 {
		size = min(size, length)
	}
	size++ // so that the end of a short one shows
	if x.Reserve(size) != nil {
		return
	}
	start := make([]byte, 0, size)
	for len(start) < cap(start) {
		n, err := x.R.Body.Read(start[len(start):cap(start)])
		start = start[:len(start)+n]
		x.keepStart(start)
		switch {
		case err == io.EOF:
			x.freeBody()
			x.body = start
			return
		case err != nil:
			return
		}
	}
	x.boundBody()
}

// keepStart keeps what has been read of a body, as far as it is its beginning. The bytes
// stay as they are while more is read behind them.
func (x *Exchange) keepStart(read []byte) {
	if kept := x.start.Load(); kept == nil || len(*kept) < journal.MaxBody {
		x.start.Store(new(read[:min(len(read), journal.MaxBody)]))
	}
}

// startRead returns what has been read of the body; never nil.
func (x *Exchange) startRead() []byte {
	if start := x.start.Load(); start != nil {
		return *start
	}
	return []byte{}
}
