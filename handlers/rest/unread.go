package rest

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/sandbox"
)

// What is read, and thrown away, of a body that was still to come when the request was
// answered: as much as any operation takes, for as long as any body has, and only while
// its pieces come in their time.
const (
	unreadBytes     = 64 << 20
	unreadPiece     = 64 << 10
	unreadPieceTime = 2 * time.Second
	unreadLastTime  = 500 * time.Millisecond // when the server stops
)

// DropUnread reads on where the answer came before the body, as a refusal does: a client
// that sends all of its body before it reads would find the connection closed instead of
// the answer. It must be called when the answer has ended. Soon after the end of ctx it ends.
//
// HTTP/2 has a frame that says so, and of a client that waits for 100 Continue no body
// comes.
func (x *Exchange) DropUnread(ctx context.Context) {
	if x.R.ContentLength == 0 || x.body != nil || x.R.ProtoMajor != 1 || x.R.Header["Expect"] != nil {
		return
	}
	control := http.NewResponseController(&x.Sent)
	_ = control.Flush() // for a client that does read meanwhile
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
		_ = control.SetReadDeadline(by) // what has none, such as a recorder, cannot hang
		if _, err := io.CopyN(io.Discard, x.R.Body, unreadPiece); err != nil {
			return
		}
	}
}
