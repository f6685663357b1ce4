package store

import (
	"time"

	"example.com/petstore/store/field"
)

// Message is a note left by the holder of an API key.
type Message struct {
	ID        int64     `json:"id"`
	Message   string    `json:"message"`
	CreatedAt time.Time `json:"createdAt"` // UTC
}

// Messages is the [Noun] for messages.
var Messages = &Noun[Message]{
	Name: "message", Plural: "messages", Key: "id",
	ID: func(m *Message) *int64 { return &m.ID },
	Fields: field.Fields[Message]{
		field.Required("message", func(m *Message) *string { return &m.Message }, field.Text(1, 4000)),
	},
	Stamped: field.Fields[Message]{
		field.Required("createdAt", func(m *Message) *time.Time { return &m.CreatedAt }, field.Time),
	},
	Counter: func(c *Counters) *int64 { return &c.Message },
	rows:    wholeRows(messageRows, sameMessage),
}

var messageRows = &table[Message]{
	kind:  "message",
	of:    func(s *State) *tree[*Message] { return &s.messages },
	id:    func(m *Message) *int64 { return &m.ID },
	bytes: func(m *Message) int64 { return messageBytes + int64(len(m.Message)) },
}

const messageBytes = 112 // the size of a message without its text

// AppendJSON appends the message as JSON.
func (m Message) AppendJSON(b []byte) []byte {
	b = appendInt(b, `{"id":`, m.ID)
	b = appendText(b, `,"message":`, m.Message)
	b = append(b, `,"createdAt":"`...)
	b = m.CreatedAt.AppendFormat(b, time.RFC3339Nano)
	return append(b, `"}`...)
}

// MessageQuery selects a page of messages.
type MessageQuery struct {
	Paging
}

// FindMessage returns the message with the id, or a [NotFound] error.
func (s *State) FindMessage(id int64) (Message, error) { return Messages.Find(s, id) }

// ListMessages returns a page of the messages. They can be sorted by id, message and createdAt.
func (s *State) ListMessages(q MessageQuery) Page[Message] {
	return records(list(&s.messages, nil, messageOrders[q.Sort.Field], q.Paging), whole)
}

var messageOrders = map[string]order[Message]{
	"message":   by(func(m *Message) (string, bool) { return m.Message, true }),
	"createdAt": byFunc(func(m *Message) (time.Time, bool) { return m.CreatedAt, true }, time.Time.Compare),
}

func sameMessage(a, b Message) bool {
	return a.ID == b.ID && a.Message == b.Message && a.CreatedAt.Equal(b.CreatedAt)
}
