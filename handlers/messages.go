package handlers

import (
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store"
)

var messages = &resource[store.Message]{
	kind:   "message",
	path:   "/messages",
	param:  "messageId",
	idName: "id",
	read:   readMessage,
	id:     func(m *store.Message) *int64 { return &m.ID },
	find:   (*store.State).FindMessage,
	insert: (*store.Tx).CreateMessage,
}

func readMessage(o *rest.Object, m *store.Message) {
	o.String("message", &m.Message, rest.Must, "", 1, longestMessage)
}

func createMessage(x *rest.Exchange) error {
	// To the millisecond, which is what a JavaScript Date holds.
	return messages.createFrom(x, store.Message{CreatedAt: x.Sandbox.Clock.Now().Truncate(time.Millisecond)})
}

var messageQuery = []string{"limit", "offset", "sort"}

func listMessages(x *rest.Exchange) error {
	q := x.ReadQuery()
	query := store.MessageQuery{Paging: q.Paging("id", "message", "createdAt")}
	if err := q.Err(); err != nil {
		return err
	}
	return rest.List(x, x.Sandbox.Store.View().ListMessages(query), query.Paging)
}
