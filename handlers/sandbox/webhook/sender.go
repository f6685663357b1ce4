package webhook

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/sandbox/memory"
)

// maxTrying is the maximum number of concurrent tries for all sandboxes. It limits the connections
// to receivers that never respond.
const maxTrying = 64

// Sender sends the deliveries of all sandboxes of a server. Each webhook has at most one running
// try, and webhooks take turns, so that none delays the others. An idle Sender has no goroutines. A
// Sender is safe for concurrent use.
type Sender struct {
	targets Targets
	Types   []string // the types of all events; never changed
	now     func() time.Time
	memory  *memory.Budget
	client  *http.Client

	// These count the deliveries of all sandboxes, including sandboxes that were dropped.
	Delivered, Failed atomic.Uint64
	Dropped           atomic.Uint64 // the number of events dropped because there was no room

	mu     sync.Mutex
	turns  []*hook       // guarded by mu: the webhooks with a delivery that is due, in the order of their turns
	trying int           // guarded by mu: the number of running goroutines
	quiet  chan struct{} // guarded by mu: closed when no try is running; nil if no caller waits
}

// NewSender returns a sender for events of the given types. Signatures and retries use the time
// that now returns, not a sandbox's clock.
func NewSender(targets Targets, types []string, now func() time.Time, budget *memory.Budget) *Sender {
	return &Sender{targets: targets, Types: types, now: now, memory: budget, client: newClient(targets)}
}

// Flush waits until no delivery is running or due, or until ctx ends. It does not wait for
// scheduled retries.
func (s *Sender) Flush(ctx context.Context) {
	s.mu.Lock()
	if s.trying == 0 {
		s.mu.Unlock()
		return
	}
	if s.quiet == nil {
		s.quiet = make(chan struct{})
	}
	quiet := s.quiet
	s.mu.Unlock()
	select {
	case <-quiet:
	case <-ctx.Done():
	}
}

// Close closes idle connections. It must be called after all sandboxes have ended, which ends their
// deliveries.
func (s *Sender) Close() { s.client.CloseIdleConnections() }

// enqueue adds a webhook to the end of the queue.
func (s *Sender) enqueue(k *hook) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns = append(s.turns, k)
	if s.trying < maxTrying {
		s.trying++
		go s.work()
	}
}

// work processes the queue until it is empty.
func (s *Sender) work() {
	for k := s.next(); k != nil; k = s.next() {
		k.turn()
	}
}

// next returns the next webhook in the queue. If there is none, it returns nil, and the calling
// goroutine must return.
func (s *Sender) next() *hook {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.turns) > 0 {
		k := s.turns[0]
		s.turns[0] = nil
		s.turns = s.turns[1:]
		return k
	}
	s.turns = nil
	s.trying--
	if s.trying == 0 && s.quiet != nil {
		close(s.quiet)
		s.quiet = nil
	}
	return nil
}
