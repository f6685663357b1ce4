package webhook

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// These constants determine the schedule of a delivery. The first try is immediate. The waits
// before the next tries are 1, 2, 4, 8, 16, 32 and 60 seconds. With Retry-After, a receiver can set
// a wait from shortestWait to longestWait.
const (
	MaxTries     = 8
	shortestWait = time.Second
	longestWait  = time.Minute
)

// These constants limit the deliveries of a webhook. To make room, the oldest completed deliveries
// are dropped. If all deliveries are pending, or if the server has no memory left, a new event is
// dropped.
const (
	MaxDeliveries = 400
	maxBytes      = 256 << 10
)

// hook holds the state of one webhook. All fields except hooks and the name are guarded by hooks.mu.
type hook struct {
	Info  // without Pending and Secret
	hooks *Hooks
	key   []byte

	ctx context.Context // the context of its tries
	end context.CancelFunc

	deliveries []*delivery // oldest first
	bytes      int         // the size of all deliveries

	busy  bool        // whether the webhook is waiting for a turn to send, or is sending
	timer *time.Timer // runs until the next delivery is due; nil before its first use
}

// abortLocked aborts the running try and makes a new context for later tries.
func (k *hook) abortLocked() {
	k.end()
	k.ctx, k.end = context.WithCancel(k.hooks.life)
}

func (k *hook) setLocked(s Settings) {
	k.URL = strings.Clone(s.URL)
	k.Events = s.Events
	if len(s.Events) == 0 {
		k.Events = []string{everything}
	}
	if s.Secret != "" {
		k.key, _ = keyOf(s.Secret) // valid: Hooks.Check has accepted it
	}
	k.Disabled = false
}

func (k *hook) infoLocked() Info {
	info := k.Info
	info.Events = slices.Clone(info.Events)
	for _, d := range k.deliveries {
		if d.State == Pending {
			info.Pending++
		}
	}
	return info
}

// forgetLocked drops every delivery, resets the counts and aborts the running try.
func (k *hook) forgetLocked() {
	k.abortLocked()
	k.deliveries, k.bytes = nil, 0
	k.Delivered, k.Failed, k.Dropped = 0, 0, 0
	k.hooks.notifyWaitersLocked()
}

// addLocked adds a delivery of the event. If there is no room, it drops the event and counts it.
func (k *hook) addLocked(e Event, message string) {
	h := k.hooks
	now := h.sender.now()
	d := &delivery{Delivery: Delivery{MessageID: message, Event: e.Type, CreatedAt: now, State: Pending},
		event: e, next: now}
	if !k.makeRoomLocked(1, d.size()) {
		k.Dropped++
		h.sender.Dropped.Add(1)
		return
	}
	h.lastID++
	d.ID = h.lastID
	k.deliveries = append(k.deliveries, d)
	k.bytes += d.size()
	k.scheduleLocked()
	h.notifyWaitersLocked()
}

// makeRoomLocked drops completed deliveries until there is room for the given number of new ones
// with the given total size. It then counts the size as memory in use. It returns false if there is
// no room in the webhook or in the server's memory.
func (k *hook) makeRoomLocked(more, bytes int) bool {
	for len(k.deliveries)+more > MaxDeliveries || k.bytes+bytes > maxBytes {
		oldest := slices.IndexFunc(k.deliveries, func(d *delivery) bool { return d.State != Pending })
		if oldest < 0 {
			return false
		}
		k.bytes -= k.deliveries[oldest].size()
		k.deliveries = slices.Delete(k.deliveries, oldest, oldest+1)
	}
	return k.hooks.sender.memory.Keep(int64(bytes))
}

// restartLocked restarts all pending deliveries and aborts the running try.
func (k *hook) restartLocked() {
	k.abortLocked()
	for _, d := range k.deliveries {
		if d.State == Pending {
			d.trying = false
			k.retryNowLocked(d)
		}
	}
}

// retryNowLocked makes a pending delivery due now. The delivery gets as many tries as a new one. A
// running try is the first of them.
func (k *hook) retryNowLocked(d *delivery) {
	d.failed, d.next = 0, k.hooks.sender.now()
	k.scheduleLocked()
}

// nextLocked returns the delivery to try next, or nil if no delivery waits for a try.
func (k *hook) nextLocked() *delivery {
	var next *delivery
	for _, d := range k.deliveries {
		if d.State == Pending && !d.trying && (next == nil || d.next.Before(next.next)) {
			next = d
		}
	}
	return next
}

// scheduleLocked queues the webhook at the sender if its next delivery is due. If not, it sets the
// timer for that delivery.
func (k *hook) scheduleLocked() {
	if k.busy || k.hooks.life.Err() != nil {
		return
	}
	d := k.nextLocked()
	if d == nil {
		return
	}
	if k.timer != nil {
		k.timer.Stop()
	}
	wait := d.next.Sub(k.hooks.sender.now())
	if wait <= 0 {
		k.busy = true
		k.hooks.sender.enqueue(k)
		return
	}
	k.timer = time.AfterFunc(wait, func() {
		k.hooks.mu.Lock()
		defer k.hooks.mu.Unlock()
		k.scheduleLocked()
	})
}

// turn tries the next delivery that is due.
func (k *hook) turn() {
	h := k.hooks
	h.mu.Lock()
	d := k.nextLocked()
	if d == nil || k.ctx.Err() != nil || d.next.After(h.sender.now()) {
		k.busy = false
		k.scheduleLocked()
		h.mu.Unlock()
		return
	}
	d.trying = true
	m := message{url: k.URL, hook: k.Name, key: k.key, id: d.MessageID, payload: d.payload(), failed: d.failed}
	ctx := k.ctx
	h.mu.Unlock()

	try, wait := h.sender.try(ctx, m)

	h.mu.Lock()
	defer h.mu.Unlock()
	k.busy = false
	if ctx.Err() == nil { // otherwise the try was aborted
		d.trying = false
		k.recordLocked(d, try, wait)
	}
	k.scheduleLocked()
}

// recordLocked records a try and the resulting state of its delivery. A 410 also disables the
// webhook and makes all its pending deliveries fail. wait is the time until the next try.
func (k *hook) recordLocked(d *delivery, t Try, wait time.Duration) {
	k.keepLocked(d, t)
	d.failed++
	switch {
	case t.Status >= 200 && t.Status < 300:
		k.finishLocked(d, Delivered)
	case t.Status == http.StatusGone:
		k.Disabled = true
		for _, pending := range k.deliveries {
			if pending.State == Pending {
				k.finishLocked(pending, Failed)
			}
		}
	case d.failed >= MaxTries:
		k.finishLocked(d, Failed)
	default:
		d.next = k.hooks.sender.now().Add(wait)
	}
	k.hooks.notifyWaitersLocked()
}

func (k *hook) finishLocked(d *delivery, state State) {
	d.State = state
	if state == Delivered {
		k.Delivered++
		k.hooks.sender.Delivered.Add(1)
	} else {
		k.Failed++
		k.hooks.sender.Failed.Add(1)
	}
}

// keepLocked adds a try to those of the delivery. If there is no room, the new try, without its
// body, replaces the earlier ones.
func (k *hook) keepLocked(d *delivery, t Try) {
	before := d.Tries[max(0, len(d.Tries)+1-maxKeptTries):]
	room := k.makeRoomLocked(0, t.size())
	k.bytes -= d.size()
	if room {
		d.Tries = append(slices.Clip(before), t)
	} else {
		t.Body = ""
		d.Tries = []Try{t}
	}
	k.bytes += d.size()
}

// backoff returns the wait from now until the next try. failed is the number of earlier failed
// tries. resp is the response to the last try, or nil. If it is a 429 or a 503, its Retry-After
// header sets the wait.
func backoff(failed int, resp *http.Response, now time.Time) time.Duration {
	wait := shortestWait << min(failed, 10)
	if resp != nil &&
		(resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable) {
		header := resp.Header.Get("Retry-After") // RFC 9110, section 10.2.3
		if seconds, err := strconv.ParseInt(header, 10, 64); err == nil && seconds >= 0 {
			wait = time.Duration(min(seconds, 3600)) * time.Second
		} else if at, err := http.ParseTime(header); err == nil {
			wait = at.Sub(now)
		}
	}
	return min(max(wait, shortestWait), longestWait)
}
