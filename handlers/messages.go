package handlers

import (
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

var messages = &resource[store.Message]{
	kind:   "message",
	path:   "/messages",
	param:  "messageId",
	idName: "id",
	fields: messageFields,
	id:     func(m *store.Message) *int64 { return &m.ID },
	find:   (*store.State).FindMessage,
	insert: (*store.Tx).CreateMessage,
}

var messageFields = field.Fields[store.Message]{
	field.Ignored[store.Message]("id"), // set by the server
	field.Required("message", func(m *store.Message) *string { return &m.Message }, field.Text(1, store.MaxMessage)),
}

func createMessage(x *rest.Exchange) error {
	// In milliseconds, the precision of a JavaScript Date.
	return messages.createFrom(x, store.Message{CreatedAt: x.Sandbox.Clock.Now().Truncate(time.Millisecond)})
}

var messageQuery = []string{"limit", "offset", "sort"}

func listMessages(x *rest.Exchange) error {
	q := x.ReadQuery()
	query := store.MessageQuery{Paging: q.Paging("id", "message", "createdAt")}
	if err := q.Err(); err != nil {
		return err
	}
	return rest.List(x, x.View().ListMessages(query), query.Paging)
}
