package store

import "time"

// MaxMessage is the length of the longest message, in code points.
const MaxMessage = 4000

// Message is a note that the holder of a key left.
type Message struct {
	ID        int64     `json:"id"`
	Message   string    `json:"message"`
	CreatedAt time.Time `json:"createdAt"` // UTC
}

// MessageQuery selects a page of messages.
type MessageQuery struct {
	Paging
}

// FindMessage returns the message with the id, or a [NotFound] error.
func (s *State) FindMessage(id int64) (Message, error) {
	m, ok := s.messages.get(id)
	if !ok {
		return Message{}, notFound("message", id)
	}
	return *m, nil
}

// ListMessages returns a page of the messages. Sort fields are id, message and
// createdAt.
func (s *State) ListMessages(q MessageQuery) Page[Message] {
	var order order[Message]
	switch q.Sort.Field {
	case "message":
		order = by(func(m *Message) (string, bool) { return m.Message, true })
	case "createdAt":
		order = byFunc(func(m *Message) (time.Time, bool) { return m.CreatedAt, true }, time.Time.Compare)
	}
	return list(&s.messages, nil, order, q.Paging)
}

// CreateMessage adds a message and returns it. If m.ID is 0, the message gets the next id. The
// error is [Full] or [NoID].
func (tx *Tx) CreateMessage(m Message) (Message, error) {
	id, err := tx.assign(m.ID, &tx.state.last.Message)
	if err != nil {
		return Message{}, err
	}
	m.ID = id
	m.put(tx)
	return m, nil
}

// DeleteMessage deletes a message, or returns a [NotFound] error.
func (tx *Tx) DeleteMessage(id int64) error {
	m, ok := tx.state.messages.get(id)
	if !ok {
		return notFound("message", id)
	}
	m.remove(tx)
	return nil
}
