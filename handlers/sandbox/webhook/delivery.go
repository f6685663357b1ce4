package webhook

import (
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// State is what has become of a delivery.
type State string

// The states of a delivery.
const (
	Pending   State = "pending"   // it is tried, now or later
	Delivered State = "delivered" // the last try was answered with a status from 200 to 299
	Failed    State = "failed"    // all tries failed, or the receiver has answered 410
)

// States returns every state.
func States() []State { return []State{Pending, Delivered, Failed} }

// Delivery is one event for one webhook.
type Delivery struct {
	ID        int64          `json:"id"`        // counts up from 1 in each sandbox, and on after a reset
	MessageID string         `json:"messageId"` // the webhook-id of every try
	Event     string         `json:"event"`     // its type
	CreatedAt time.Time      `json:"createdAt"` // by the machine's time
	State     State          `json:"state"`
	NextTryAt *time.Time     `json:"nextTryAt,omitzero"` // by the machine's time; nil: there is none, or it is under way
	Tries     []Try          `json:"tries"`              // the oldest first
	Payload   jsontext.Value `json:"payload"`            // what is sent
}

// Try is one request to the receiver.
type Try struct {
	At         time.Time `json:"at"` // by the machine's time
	DurationMS float64   `json:"durationMs"`
	Status     int       `json:"status,omitzero"` // 0: there was no answer
	Error      string    `json:"error,omitzero"`  // why there was none
	Body       string    `json:"body,omitzero"`   // of the answer, its first [MaxBody] bytes
}

// Bounds of what is kept of a delivery.
const (
	MaxBody       = 512 // bytes of the body of an answer
	maxKeptTries  = 16  // the oldest go
	deliveryBytes = 320 // what a delivery costs besides its data and its tries
	bareTry       = 256 // what a try costs at the most without a body
)

// delivery is a Delivery as it is kept.
type delivery struct {
	id      int64
	message string
	event   Event
	created time.Time
	state   State
	next    time.Time // when it is to be tried, unless that goes on
	trying  bool
	again   bool  // whether to begin anew with it after the try that goes on
	failed  int   // tries since it was made or sent again
	tries   []Try // never changed, but replaced
}

// size returns what it costs to keep the delivery. There is always room for one try without a
// body in it.
func (d *delivery) size() int {
	tries := 0
	for i := range d.tries {
		tries += d.tries[i].size()
	}
	return cap(d.event.Data) + deliveryBytes + max(bareTry, tries)
}

func (t *Try) size() int { return 96 + len(t.Error) + len(t.Body) }

// payload returns what is sent, the same at each try.
func (d *delivery) payload() []byte {
	data := d.event.Data
	if data == nil {
		data = []byte("{}")
	}
	b := make([]byte, 0, len(data)+128)
	b = append(b, `{"type":"`...)
	b = append(b, d.event.Type...)
	b = append(b, `","timestamp":"`...)
	b = d.event.At.UTC().AppendFormat(b, time.RFC3339Nano)
	b = append(b, `","data":`...)
	b = append(b, data...)
	return append(b, '}')
}

// tell returns it for others to read.
func (d *delivery) tell() Delivery {
	told := Delivery{
		ID: d.id, MessageID: d.message, Event: d.event.Type, CreatedAt: d.created, State: d.state,
		Tries: slices.Clone(d.tries), Payload: d.payload(),
	}
	if told.Tries == nil {
		told.Tries = []Try{}
	}
	if d.state == Pending && !d.trying {
		told.NextTryAt = new(d.next)
	}
	return told
}
