package webhook

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/sandbox/memory"
)

// maxTrying is how many tries go on at once for all sandboxes together, so that receivers that
// never answer cost no more than so many connections.
const maxTrying = 64

// Sender delivers for all sandboxes of a server. Each webhook has one try at a time, and they
// take turns, so that none holds up the others. Without work it has no goroutine. Its methods
// may be called by any number of goroutines.
type Sender struct {
	targets Targets
	types   []string // of the events that there are
	now     func() time.Time
	memory  *memory.Budget
	client  *http.Client

	delivered, failed, dropped atomic.Uint64

	mu     sync.Mutex
	turns  []*hook       // guarded by mu: those who have something to deliver, in the order of their coming
	trying int           // guarded by mu: goroutines that take them
	closed bool          // guarded by mu
	quiet  chan struct{} // guarded by mu: closed when nothing goes on; nil: nobody waits for that
}

// NewSender returns a sender of events of the types, by the machine's time, which signatures
// and retries go by, whatever a sandbox's clock shows.
func NewSender(targets Targets, types []string, now func() time.Time, budget *memory.Budget) *Sender {
	return &Sender{targets: targets, types: types, now: now, memory: budget, client: newClient(targets)}
}

// Counts are the deliveries of all sandboxes, those that are gone too.
type Counts struct {
	Delivered, Failed uint64
	Dropped           uint64 // events that there was no room for
}

// Counts returns how many deliveries there were.
func (s *Sender) Counts() Counts {
	return Counts{s.delivered.Load(), s.failed.Load(), s.dropped.Load()}
}

// Types returns the types of the events that there are, which nobody changes.
func (s *Sender) Types() []string { return s.types }

// Flush waits until no delivery is under way or due, or ctx ends. Those that wait for another
// try are not waited for.
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

// Close ends all deliveries, once the lives of the sandboxes are over.
func (s *Sender) Close() {
	s.mu.Lock()
	s.closed, s.turns = true, nil
	s.mu.Unlock()
	s.client.CloseIdleConnections()
}

// enqueue gives a webhook its turn when those before it have had theirs.
func (s *Sender) enqueue(k *hook) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.turns = append(s.turns, k)
	if s.trying < maxTrying {
		s.trying++
		go s.work()
	}
}

// work takes turns until there are none.
func (s *Sender) work() {
	for k := s.next(); k != nil; k = s.next() {
		k.turn()
	}
}

// next returns the webhook whose turn it is; nil: there is none, and the goroutine that asks
// ends.
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
