package rest

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/sandbox"
)

// Bounds for discarding an unread body after the response: the most that any operation takes, the
// time that any body has, and the time for each piece.
const (
	unreadBytes     = 64 << 20
	unreadPiece     = 64 << 10
	unreadPieceTime = 2 * time.Second
	unreadLastTime  = 500 * time.Millisecond // after the server began to stop
)

// DropUnread discards the rest of a body that is still arriving after the response, such as a
// refusal: a client that sends its whole body before it reads would otherwise find the connection
// closed. It must be called when the response has ended. It returns soon after ctx ends.
//
// HTTP/2 does not need it, and clients that wait for 100 Continue send no body.
func (x *Exchange) DropUnread(ctx context.Context) {
	if x.R.ContentLength == 0 || x.body != nil || x.R.ProtoMajor != 1 || x.R.Header["Expect"] != nil {
		return
	}
	control := http.NewResponseController(&x.Sent)
	_ = control.Flush() // for clients that read meanwhile
	var end atomic.Pointer[time.Time]
	end.Store(new(sandbox.Machine().Add(bodyTimeout)))
	stop := context.AfterFunc(ctx, func() {
		soon := sandbox.Machine().Add(unreadLastTime)
		end.Store(&soon)
		_ = control.SetReadDeadline(soon)
	})
	defer stop()
	for range unreadBytes / unreadPiece {
		by := sandbox.Machine().Add(unreadPieceTime)
		if end := *end.Load(); by.After(end) {
			by = end
		}
		_ = control.SetReadDeadline(by) // a writer without deadlines, such as a recorder, cannot hang
		if _, err := io.CopyN(io.Discard, x.R.Body, unreadPiece); err != nil {
			return
		}
	}
}
