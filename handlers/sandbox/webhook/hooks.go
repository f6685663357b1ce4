package webhook

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/petstore/store/field"
)

// MaxHooks is the maximum number of webhooks in a sandbox.
const MaxHooks = 10

// hookBytes is the size of a webhook without its deliveries, in bytes. It includes the goroutine that
// waits for a turn of the sender.
const hookBytes = 8 << 10

// Errors of [Hooks].
var (
	ErrUnknown         = field.Refusal("not_found", "there is no such webhook")
	ErrUnknownDelivery = field.Refusal("not_found", "there is no such delivery, or none any more")
	ErrFull            = field.Refusal("sandbox_full", "a sandbox can have at most %d webhooks; delete one first",
		MaxHooks)
	ErrWaiters = field.Refusal("unavailable",
		"a sandbox can have at most %d requests that wait for its deliveries; end some first", maxWaiters)
)

// Hooks holds the webhooks of a sandbox. It is safe for concurrent use.
type Hooks struct {
	sender *Sender
	life   context.Context // done when the sandbox ends, which stops all deliveries

	mu      sync.Mutex
	hooks   []*hook       // guarded by mu; sorted by name
	lastID  int64         // guarded by mu: the largest id assigned so far
	changed chan struct{} // guarded by mu: closed when a delivery changes; nil if no request waits
	waiters int           // guarded by mu: the number of requests that wait
}

// Init prepares an empty set of webhooks. It must be called before any other method.
func (h *Hooks) Init(life context.Context, sender *Sender) { h.life, h.sender = life, sender }

// Info describes a webhook.
type Info struct {
	Name      string    `json:"name"`
	URL       string    `json:"url"`
	Events    []string  `json:"events"`
	CreatedAt time.Time `json:"createdAt"` // by the machine's clock
	Disabled  bool      `json:"disabled"`  // set after the receiver returned 410; a disabled webhook gets no events
	Pending   int       `json:"pending"`   // the number of deliveries that will be tried
	Delivered uint64    `json:"delivered"` // since the last reset, like Failed and Dropped
	Failed    uint64    `json:"failed"`
	Dropped   uint64    `json:"dropped"`         // events dropped because there was no room
	Secret    string    `json:"secret,omitzero"` // "" unless Set has just generated the secret
}

// Set creates or changes the named webhook, and reports whether it is new. It enables the webhook,
// aborts the running try, and restarts pending deliveries with the new settings. The settings
// must have passed [Hooks.Check]. The error is [ErrFull].
func (h *Hooks) Set(name string, s Settings) (info Info, made bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at, there := h.searchLocked(name)
	secret := ""
	if !there {
		if len(h.hooks) >= MaxHooks {
			return Info{}, false, ErrFull
		}
		k := &hook{hooks: h, Info: Info{Name: strings.Clone(name), CreatedAt: h.sender.now()}, end: func() {}}
		h.hooks = slices.Insert(h.hooks, at, k)
		if s.Secret == "" {
			secret = makeSecret()
			s.Secret = secret
		}
	}
	k := h.hooks[at]
	k.setLocked(s)
	k.restartLocked()
	info = k.infoLocked()
	info.Secret = secret
	return info, !there, nil
}

func (h *Hooks) searchLocked(name string) (at int, there bool) {
	return slices.BinarySearchFunc(h.hooks, name, func(k *hook, name string) int {
		return strings.Compare(k.Name, name)
	})
}

// Find returns the named webhook, or [ErrUnknown].
func (h *Hooks) Find(name string) (Info, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k, err := h.findLocked(name)
	if err != nil {
		return Info{}, err
	}
	return k.infoLocked(), nil
}

func (h *Hooks) findLocked(name string) (*hook, error) {
	at, there := h.searchLocked(name)
	if !there {
		return nil, fmt.Errorf("%w: %q", ErrUnknown, name)
	}
	return h.hooks[at], nil
}

// List returns the webhooks, sorted by name.
func (h *Hooks) List() []Info {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]Info, 0, len(h.hooks))
	for _, k := range h.hooks {
		list = append(list, k.infoLocked())
	}
	return list
}

// Drop removes the named webhook and its deliveries, or returns [ErrUnknown].
func (h *Hooks) Drop(name string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	k, err := h.findLocked(name)
	if err != nil {
		return err
	}
	k.forgetLocked()
	k.end()
	h.hooks = slices.DeleteFunc(h.hooks, func(other *hook) bool { return other == k })
	return nil
}

// Reset removes all webhooks.
func (h *Hooks) Reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, k := range h.hooks {
		k.forgetLocked()
		k.end()
	}
	h.hooks = nil
}

// Empty removes all deliveries, resets the counts and aborts running tries. It keeps the webhooks.
func (h *Hooks) Empty() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, k := range h.hooks {
		k.forgetLocked()
	}
}

// Notify queues an event for each enabled webhook whose patterns match the event. It does not
// block.
func (h *Hooks) Notify(e Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	message := ""
	for _, k := range h.hooks {
		if k.Disabled || !wants(k.Events, e.Type) || h.life.Err() != nil {
			continue
		}
		if message == "" {
			message = "msg_" + rand.Text() // all webhooks use the same id, because the event is the same
		}
		k.addLocked(e, message)
	}
}

// Bytes returns the memory that the webhooks and their deliveries use.
func (h *Hooks) Bytes() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, k := range h.hooks {
		n += hookBytes + k.bytes
	}
	return int64(n)
}

// notifyWaitersLocked wakes the requests that wait for deliveries.
func (h *Hooks) notifyWaitersLocked() {
	if h.changed != nil {
		close(h.changed)
		h.changed = nil
	}
}
