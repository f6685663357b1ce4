package handlers

import (
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store"
)

var messages = newResource(resource[store.Message, store.MessageQuery]{
	Noun:  store.Messages,
	path:  "/messages",
	param: "messageId",
	read:  func(_ *rest.Query, p store.Paging) store.MessageQuery { return store.MessageQuery{Paging: p} },
	page:  (*store.State).ListMessages,
	blank: func(x *rest.Exchange) store.Message {
		// Truncate the time, because JavaScript dates have a precision of milliseconds.
		return store.Message{CreatedAt: x.Sandbox.Clock.Now().Truncate(time.Millisecond)}
	},
})
