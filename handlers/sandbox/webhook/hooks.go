package webhook

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// MaxHooks is how many webhooks a sandbox can have.
const MaxHooks = 10

// MaxBytes is the most that [Hooks.Bytes] returns.
const MaxBytes = MaxHooks * (hookBytes + maxBytes)

// hookBytes is what a webhook costs besides its deliveries.
const hookBytes = 8 << 10

// What [Hooks] refuses.
var (
	ErrUnknown         = errors.New("there is no such webhook")
	ErrUnknownDelivery = errors.New("there is no such delivery, or none any more")
	ErrFull            = fmt.Errorf("a sandbox can have at most %d webhooks; delete one first", MaxHooks)
	ErrWaiters         = fmt.Errorf("a sandbox can have at most %d requests that wait for its deliveries; end some first", maxWaiters)
)

// Hooks are the webhooks of a sandbox. They take no memory while there are none. The methods
// may be called by any number of goroutines.
type Hooks struct {
	sender *Sender
	life   context.Context // of the sandbox: with it all deliveries end
	any    atomic.Bool     // whether there was ever a webhook

	mu      sync.Mutex
	hooks   []*hook       // guarded by mu; by name
	lastID  int64         // guarded by mu: id of the newest delivery that ever was
	changed chan struct{} // guarded by mu: closed when a delivery has changed; nil: nobody waits
	waiters int           // guarded by mu
}

// Init sets up the webhooks of a sandbox, which are none, before anything else is done.
func (h *Hooks) Init(life context.Context, sender *Sender) { h.life, h.sender = life, sender }

// Info tells of a webhook.
type Info struct {
	Name      string    `json:"name"`
	URL       string    `json:"url"`
	Events    []string  `json:"events"`
	CreatedAt time.Time `json:"createdAt"` // by the machine's time
	Disabled  bool      `json:"disabled"`  // whether it gets nothing, since the receiver has answered 410
	Pending   int       `json:"pending"`   // deliveries that are tried, now or later
	Delivered uint64    `json:"delivered"` // deliveries since the last reset, as are those below
	Failed    uint64    `json:"failed"`
	Dropped   uint64    `json:"dropped"`         // events that there was no room for
	Secret    string    `json:"secret,omitzero"` // told by the answer that made it, and never again
}

// Any reports whether the sandbox has webhooks, or had some.
func (h *Hooks) Any() bool { return h.any.Load() }

// Set makes the webhook of the name, or changes the one there is, and reports whether there
// was none. It breaks off the try that goes on, and begins anew with what is pending, as the
// settings say now. They have passed [Settings.Check]. The error is [ErrFull].
func (h *Hooks) Set(name string, s Settings) (info Info, made bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at, there := h.searchLocked(name)
	secret := ""
	if !there {
		if len(h.hooks) >= MaxHooks {
			return Info{}, false, ErrFull
		}
		k := &hook{hooks: h, name: strings.Clone(name), created: h.sender.now()}
		k.renewLocked()
		h.hooks = slices.Insert(h.hooks, at, k)
		h.any.Store(true)
		if s.Secret == "" {
			secret = makeSecret()
			s.Secret = secret
		}
	}
	k := h.hooks[at]
	k.setLocked(s)
	k.restartLocked()
	info = k.tellLocked()
	info.Secret = secret
	return info, !there, nil
}

func (h *Hooks) searchLocked(name string) (at int, there bool) {
	return slices.BinarySearchFunc(h.hooks, name, func(k *hook, name string) int { return strings.Compare(k.name, name) })
}

// Find returns the webhook of the name, or [ErrUnknown].
func (h *Hooks) Find(name string) (Info, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k, err := h.findLocked(name)
	if err != nil {
		return Info{}, err
	}
	return k.tellLocked(), nil
}

func (h *Hooks) findLocked(name string) (*hook, error) {
	at, there := h.searchLocked(name)
	if !there {
		return nil, fmt.Errorf("%w: %q", ErrUnknown, name)
	}
	return h.hooks[at], nil
}

// List returns the webhooks by name.
func (h *Hooks) List() []Info {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]Info, 0, len(h.hooks))
	for _, k := range h.hooks {
		list = append(list, k.tellLocked())
	}
	return list
}

// Drop forgets the webhook of the name with all that it has to deliver, or returns
// [ErrUnknown].
func (h *Hooks) Drop(name string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	k, err := h.findLocked(name)
	if err != nil {
		return err
	}
	k.forgetLocked()
	k.gone = true
	h.hooks = slices.DeleteFunc(h.hooks, func(other *hook) bool { return other == k })
	return nil
}

// Reset forgets all webhooks.
func (h *Hooks) Reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, k := range h.hooks {
		k.forgetLocked()
		k.gone = true
	}
	h.hooks = nil
}

// Empty forgets what is to be delivered and what was, and breaks off what is under way. The
// webhooks stay.
func (h *Hooks) Empty() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, k := range h.hooks {
		k.forgetLocked()
	}
}

// Stop ends all deliveries where they are, since the life of the sandbox is over.
func (h *Hooks) Stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, k := range h.hooks {
		k.stopLocked()
	}
}

// Tell takes an event to each webhook that wants it, without waiting for any.
func (h *Hooks) Notify(e Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	message := ""
	for _, k := range h.hooks {
		if k.disabled || !wants(k.events, e.Type) || h.life.Err() != nil {
			continue
		}
		if message == "" {
			message = "msg_" + rand.Text() // the same for all, since it is one event
		}
		k.addLocked(e, message)
	}
}

// Bytes returns what the webhooks and their deliveries hold.
func (h *Hooks) Bytes() int64 {
	if !h.Any() {
		return 0
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, k := range h.hooks {
		n += hookBytes + k.bytes
	}
	return int64(n)
}

// tellChangeLocked wakes those who wait for deliveries.
func (h *Hooks) tellChangeLocked() {
	if h.changed != nil {
		close(h.changed)
		h.changed = nil
	}
}
