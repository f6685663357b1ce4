package rest

import (
	"io"
	"net/http"
	"time"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
)

// startTime bounds how long a response waits for the start of an unread body.
const startTime = 500 * time.Millisecond

// BodyStart returns the start of the request's body for the journal, and whether it is the whole
// body. Of a body that has not been read, such as that of a refused request, it returns what
// arrives of the first [journal.MaxBody] bytes within half a second, so that a slow client does not
// delay its response. A client that waits for 100 Continue sends none. BodyStart must be called
// only when the response is known, because the operation could not read the body afterwards.
func (x *Exchange) BodyStart() (start []byte, whole bool) {
	if x.R.ContentLength == 0 {
		return nil, true
	}
	if x.ahead != nil && !x.awaitAhead() {
		return x.startRead(), false
	}
	if x.body == nil && x.start.Load() == nil && x.R.Header["Expect"] == nil && !x.unwanted.Load() {
		// A writer without deadlines, such as a recorder, cannot hang.
		_ = http.NewResponseController(&x.Sent).SetReadDeadline(sandbox.Machine().Add(startTime))
		x.readStart()
	}
	if x.body != nil {
		return x.body, true
	}
	return x.startRead(), false
}

// awaitAhead waits until the goroutine that reads the body has had time to read its start, and
// reports whether that goroutine has ended.
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

// readStart reads the start of an unread body. After an error the read deadline stays, so that
// net/http does not wait for the rest before it responds.
func (x *Exchange) readStart() {
	if x.R.ContentLength == 0 || x.start.Load() != nil {
		return
	}
	size := int64(journal.MaxBody)
	if length := x.R.ContentLength; length >= 0 {
		size = min(size, length)
	}
	size++ // to detect the end of a short body
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

// keepStart keeps the start of a body that is being read. Later reads append and do not change
// these bytes.
func (x *Exchange) keepStart(read []byte) {
	if kept := x.start.Load(); kept == nil || len(*kept) < journal.MaxBody {
		x.start.Store(new(read[:min(len(read), journal.MaxBody)]))
	}
}

// startRead returns the start of the body that has been read. It is not nil.
func (x *Exchange) startRead() []byte {
	if start := x.start.Load(); start != nil {
		return *start
	}
	return []byte{}
}
