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
// try, and webhooks take turns, so that one slow receiver does not delay the others. A Sender starts
// a goroutine only when a delivery is due. A Sender is safe for concurrent use.
type Sender struct {
	targets Targets
	Types   []string // the types of all events; never changed
	now     func() time.Time
	memory  *memory.Budget
	client  *http.Client

	// These count the deliveries of all sandboxes, including sandboxes that were dropped.
	Delivered, Failed atomic.Uint64
	Dropped           atomic.Uint64 // the number of events dropped because there was no room

	turns chan struct{} // holds a value for each running try

	mu    sync.Mutex
	due   int           // guarded by mu: the number of webhooks that wait for a turn or have one
	quiet chan struct{} // guarded by mu: closed when no webhook is due; nil until one has been due
}

// NewSender returns a sender for events of the given types. Signatures and retries use the time
// that now returns, not a sandbox's clock.
func NewSender(targets Targets, types []string, now func() time.Time, budget *memory.Budget) *Sender {
	return &Sender{targets: targets, Types: types, now: now, memory: budget, client: newClient(targets),
		turns: make(chan struct{}, maxTrying)}
}

// Flush waits until no delivery is running or due, or until ctx ends. It does not wait for
// scheduled retries.
func (s *Sender) Flush(ctx context.Context) {
	s.mu.Lock()
	idle, quiet := s.due == 0, s.quiet
	s.mu.Unlock()
	if idle {
		return
	}
	select {
	case <-quiet:
	case <-ctx.Done():
	}
}

// Close closes idle connections. It must be called after all sandboxes have ended, which ends their
// deliveries.
func (s *Sender) Close() { s.client.CloseIdleConnections() }

// enqueue starts a goroutine that calls k.turn when one of the maxTrying turns is free.
func (s *Sender) enqueue(k *hook) {
	s.mu.Lock()
	if s.due == 0 {
		s.quiet = make(chan struct{})
	}
	s.due++
	s.mu.Unlock()
	go func() {
		s.turns <- struct{}{}
		k.turn()
		<-s.turns
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.due--; s.due == 0 {
			close(s.quiet)
		}
	}()
}
