package rest

import (
	"io"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// halfBody is a connection whose client sends nothing more. Reads return at the deadline.
type halfBody struct {
	httptest.ResponseRecorder
	mu       sync.Mutex
	deadline time.Time
	changed  chan struct{}
}

func (b *halfBody) SetReadDeadline(t time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.deadline = t
	close(b.changed)
	b.changed = make(chan struct{})
	return nil
}

func (b *halfBody) Read([]byte) (int, error) {
	for {
		b.mu.Lock()
		left, changed := time.Until(b.deadline), b.changed
		b.mu.Unlock()
		if left <= 0 {
			return 0, os.ErrDeadlineExceeded
		}
		select {
		case <-time.After(left):
		case <-changed:
		}
	}
}

// TestInterruptedWaitLeavesTheBody checks that an interrupted wait returns at once, whether or not
// reading ahead has started.
func TestInterruptedWaitLeavesTheBody(t *testing.T) {
	t.Parallel()
	for range 200 {
		synctest.Test(t, func(t *testing.T) {
			b := &halfBody{changed: make(chan struct{})}
			r := httptest.NewRequest("POST", "/pets", io.NopCloser(b))
			r.Header.Set("Content-Type", "application/json")
			x := NewExchange(new(Server), b, r)
			sandboxes := registry.New(registry.Options{Options: sandbox.Options{Origin: sandbox.Baseline{State: new(store.State)}, Machine: sandbox.Machine}}, 1, 0)
			x.Sandbox = sandboxes.Default()
			sandboxes.Close()
			start := time.Now()
			if err := x.Wait(time.Minute); err == nil {
				t.Error("the wait was not interrupted")
			}
			if waited := time.Since(start); waited != 0 {
				t.Fatalf("it waited %v for the rest of the body", waited)
			}
		})
	}
}
