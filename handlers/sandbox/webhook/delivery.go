package webhook

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// State is the state of a delivery.
type State string

// The states of a delivery.
const (
	Pending   State = "pending"   // will be tried, now or later
	Delivered State = "delivered" // the last try got a status from 200 to 299
	Failed    State = "failed"    // all tries failed, or the receiver returned 410
)

var states = []State{Pending, Delivered, Failed}

// Delivery is the delivery of one event to one webhook.
type Delivery struct {
	ID        int64     `json:"id"`        // counts from 1 in each sandbox; a reset does not restart it
	MessageID string    `json:"messageId"` // the webhook-id header of every try
	Event     string    `json:"event"`     // the type of the event
	CreatedAt time.Time `json:"createdAt"` // by the machine's clock
	State     State     `json:"state"`
	// NextTryAt is by the machine's clock. It is nil if no try is planned or a try is running.
	NextTryAt *time.Time     `json:"nextTryAt,omitzero"`
	Tries     []Try          `json:"tries"`   // oldest first
	Payload   jsontext.Value `json:"payload"` // the request body
}

// Try is one request to the receiver.
type Try struct {
	At         time.Time `json:"at"` // by the machine's clock
	DurationMS float64   `json:"durationMs"`
	Status     int       `json:"status,omitzero"` // 0 without a response
	Error      string    `json:"error,omitzero"`  // why there was no response
	Body       string    `json:"body,omitzero"`   // the first [MaxBody] bytes of the response body
}

// These constants are limits and sizes of the data that is kept for a delivery.
const (
	MaxBody       = 512 // how many bytes of each response body are kept
	maxKeptTries  = 16  // how many tries are kept; older ones are dropped
	deliveryBytes = 320 // the size of a delivery without its data and tries, in bytes
	bareTry       = 256 // the maximum size of a try without a body, in bytes
)

// delivery is the stored form of a Delivery. Its Tries are never changed in place.
type delivery struct {
	Delivery // without NextTryAt and Payload
	event    Event
	next     time.Time // the time of the next try, unless one is running
	trying   bool
	failed   int // the number of failed tries since the delivery was created or last restarted
}

// size returns the memory that the delivery uses, in bytes. It includes at least the size of one
// try without a response body.
func (d *delivery) size() int {
	tries := 0
	for i := range d.Tries {
		tries += d.Tries[i].size()
	}
	return cap(d.event.Data) + deliveryBytes + max(bareTry, tries)
}

func (t *Try) size() int { return 96 + len(t.Error) + len(t.Body) }

// payload returns the request body, which is the same for each try.
func (d *delivery) payload() []byte {
	data := d.event.Data
	if data == nil {
		data = []byte("{}")
	}
	at := d.event.At.UTC().Format(time.RFC3339Nano)
	return fmt.Appendf(nil, `{"type":"%s","timestamp":"%s","data":%s}`, d.event.Type, at, data)
}

// view returns a copy for callers outside the package.
func (d *delivery) view() Delivery {
	view := d.Delivery
	view.Tries = append([]Try{}, d.Tries...)
	view.Payload = d.payload()
	if d.State == Pending && !d.trying {
		view.NextTryAt = new(d.next)
	}
	return view
}
