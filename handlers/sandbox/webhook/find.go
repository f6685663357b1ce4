package webhook

import (
	"context"
	"fmt"
	"slices"

	"example.com/petstore/store/field"
)

// Filter selects those deliveries of a webhook that match all fields of the Filter. The zero Filter
// matches every delivery.
type Filter struct {
	State State  // "" matches any
	Event string // an event type; "" matches any
	Since int64  // a delivery matches if its id is greater
}

// CheckFilter validates a filter.
func (h *Hooks) CheckFilter(f Filter) (problems field.Problems) {
	if f.State != "" && !slices.Contains(states, f.State) {
		problems.Add("/state", "%s", field.MustBeOneOf(states, string(f.State)))
	}
	if types := h.sender.Types; f.Event != "" && !slices.Contains(types, f.Event) {
		problems.Add("/event", "%s", field.MustBeOneOf(types, f.Event))
	}
	return problems
}

func (f *Filter) matches(d *delivery) bool {
	return d.ID > f.Since && (f.State == "" || f.State == d.State) && (f.Event == "" || f.Event == d.event.Type)
}

// Found is the result of a search through a webhook's deliveries.
type Found struct {
	Deliveries []Delivery `json:"deliveries"` // matching deliveries, up to the limit
	Matched    int        `json:"matched"`    // the number of matching deliveries
	Dropped    uint64     `json:"dropped"`    // the number of events dropped because there was no room
	TimedOut   bool       `json:"timedOut,omitzero"`
}

// Select returns at most limit matching deliveries of the webhook: the oldest in ascending order
// or, if newest is set, the newest in descending order. If reserve is not nil, Select first calls
// it with the size of the result and returns its error. The error may also be [ErrUnknown].
func (h *Hooks) Select(name string, f Filter, limit int, newest bool, reserve func(bytes int64) error) (Found, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k, err := h.findLocked(name)
	if err != nil {
		return Found{}, err
	}
	var chosen []*delivery
	for _, d := range k.deliveries {
		if f.matches(d) {
			chosen = append(chosen, d)
		}
	}
	found := Found{Deliveries: []Delivery{}, Matched: len(chosen), Dropped: k.Dropped}
	if newest {
		slices.Reverse(chosen)
	}
	chosen = chosen[:min(len(chosen), limit)]
	bytes := 0
	for _, d := range chosen {
		bytes += 2 * d.size() // twice, because the result also has the payload
	}
	if reserve != nil {
		if err := reserve(int64(bytes)); err != nil {
			return Found{}, err
		}
	}
	for _, d := range chosen {
		found.Deliveries = append(found.Deliveries, d.view())
	}
	return found, nil
}

// Resend restarts a delivery, whatever its state. The delivery becomes due now and gets as many
// tries as a new one. The error is [ErrUnknown] or [ErrUnknownDelivery].
func (h *Hooks) Resend(name string, id int64) (Delivery, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k, err := h.findLocked(name)
	if err != nil {
		return Delivery{}, err
	}
	at := slices.IndexFunc(k.deliveries, func(d *delivery) bool { return d.ID == id })
	if at < 0 {
		return Delivery{}, fmt.Errorf("%w: %d", ErrUnknownDelivery, id)
	}
	d := k.deliveries[at]
	d.State = Pending
	k.retryNowLocked(d)
	h.notifyWaitersLocked()
	return d.view(), nil
}

// maxWaiters limits the requests that wait for deliveries of one sandbox, because each request
// scans all deliveries of a webhook whenever a delivery changes.
const maxWaiters = 100

// Wait returns true as soon as at least count deliveries of the webhook match, or false if ctx ends
// first. The error is [ErrUnknown] or [ErrWaiters].
func (h *Hooks) Wait(ctx context.Context, name string, f Filter, count int) (bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waiters >= maxWaiters {
		return false, ErrWaiters
	}
	h.waiters++
	defer func() { h.waiters-- }()
	for {
		k, err := h.findLocked(name)
		if err != nil {
			return false, err
		}
		matched := 0
		for _, d := range k.deliveries {
			if f.matches(d) {
				matched++
			}
		}
		if matched >= count {
			return true, nil
		}
		if ctx.Err() != nil {
			return false, nil
		}
		if h.changed == nil {
			h.changed = make(chan struct{})
		}
		changed := h.changed
		h.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		h.mu.Lock()
	}
}
