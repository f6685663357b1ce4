package rest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
)

// pipe is the writing end of a connection that records its calls.
type pipe struct {
	httptest.ResponseRecorder
	mu        sync.Mutex
	flushed   int // bytes sent so far
	deadlines []time.Duration
	fail      error
	wait      chan struct{} // if not nil, Write waits until it is closed
}

func (p *pipe) FlushError() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flushed = p.Body.Len()
	return p.fail
}

func (p *pipe) SetWriteDeadline(t time.Time) error {
	until := time.Duration(0)
	if !t.IsZero() {
		until = time.Until(t)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deadlines = append(p.deadlines, until)
	return nil
}

func (p *pipe) Write(data []byte) (int, error) {
	if p.wait != nil {
		<-p.wait
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fail != nil {
		return 0, p.fail
	}
	return p.ResponseRecorder.Write(data)
}

// streamTo starts a stream of all events in the bubble. The stream ends with ctx.
func streamTo(ctx context.Context, method string, p *pipe, sb *registry.Entry) <-chan error {
	p.ResponseRecorder = *httptest.NewRecorder()
	x := NewExchange(new(Server), p, httptest.NewRequestWithContext(ctx, method, "/events", nil))
	x.R.Header.Set("Last-Event-ID", "0")
	x.Sandbox = sb
	ended := make(chan error, 1)
	go func() {
		ended <- x.StreamEvents(func(after int64) (*journal.Stream, error) { return sb.Journal.Listen(after, true) })
	}()
	synctest.Wait()
	return ended
}

func newSandbox() *registry.Entry { return newSandboxes().Default() }

func newSandboxes() *registry.Registry {
	return registry.New(registry.Options{Options: sandbox.Options{
		Origin: sandbox.Baseline{State: new(store.State)}, Machine: sandbox.Machine, Journal: 10,
	}}, 2, 0)
}

func TestStreamFlushesEachEvent(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p, sb := new(pipe), newSandbox()
		sb.Journal.Publish(journal.Event{Name: "pet.deleted", Data: []byte(`{"id":6}`)})
		ended := streamTo(ctx, http.MethodGet, p, sb)
		want := ": listening\n\nid: 1\nevent: pet.deleted\ndata: {\"id\":6}\n\n"
		expectFlushed := func(more string) {
			t.Helper()
			synctest.Wait()
			p.mu.Lock()
			defer p.mu.Unlock()
			want += more
			if diff := cmp.Diff(want, p.Body.String()[:p.flushed]); diff != "" {
				t.Fatalf("-want +got:\n%s", diff)
			}
		}
		expectFlushed("")
		sb.Journal.Publish(journal.Event{Name: "pet.created", Data: []byte(`{"id":7}`)})
		expectFlushed("id: 2\nevent: pet.created\ndata: {\"id\":7}\n\n")
		time.Sleep(heartbeat - time.Nanosecond)
		expectFlushed("")
		time.Sleep(time.Nanosecond)
		expectFlushed(": still here\n\n")
		sb.Journal.Publish(journal.Event{Name: journal.EventReset})
		expectFlushed("id: 3\nevent: sandbox.reset\ndata: {}\n\n")
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the stream ends with %v", err)
		}
		expectFlushed("")
		must.Equal(t, []time.Duration{PieceTime + pieceSlack, PieceTime + pieceSlack},
			p.deadlines, "write deadlines at the beginning and with the heartbeat")
		if p.Code != http.StatusOK || p.Header().Get("Content-Type") != "text/event-stream" ||
			p.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%d %v", p.Code, p.Header())
		}
	})
}

// TestBusyStreamSendsEventsTogether checks that the first event is sent at once, and the events of
// the following pause in one piece: a piece costs both sides far more than an additional event.
func TestBusyStreamSendsEventsTogether(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		p, r := new(pipe), newSandboxes()
		sb := r.Default()
		ended := streamTo(t.Context(), http.MethodGet, p, sb)
		want := ": listening\n\n"
		flushed := func() int {
			synctest.Wait()
			p.mu.Lock()
			defer p.mu.Unlock()
			return p.flushed
		}
		publish := func(sent bool) {
			t.Helper()
			sb.Journal.Publish(journal.Event{Name: "pet.created"})
			if now := flushed() > len(want); now != sent {
				t.Fatalf("sent at once: %v", now)
			}
			want += "id: 1\nevent: pet.created\ndata: {}\n\n"
		}
		publish(true)
		publish(false)
		publish(false)
		time.Sleep(pace)
		if n := flushed(); n != len(want) {
			t.Errorf("%d bytes are sent after the pause, of %d", n, len(want))
		}
		publish(false)
		r.Close()
		if <-ended; p.flushed != len(want) {
			t.Error("the last event was not sent before the end")
		}
	})
}

func TestStreamEndsForStalledReader(t *testing.T) {
	t.Parallel()
	for _, beat := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			p, sb := new(pipe), newSandbox()
			ended := streamTo(t.Context(), http.MethodGet, p, sb)
			p.mu.Lock()
			p.fail = errors.New("broken pipe")
			p.mu.Unlock()
			if beat {
				time.Sleep(heartbeat)
			} else {
				sb.Journal.Publish(journal.Event{})
			}
			synctest.Wait()
			if len(ended) == 0 {
				t.Error("the stream goes on")
			}
		})
	}
}

// TestStreamEndsWithOldOwner changes the owner while an event waits for a slow reader. The
// stream may see either first, so the test takes several rounds.
func TestStreamEndsWithOldOwner(t *testing.T) {
	t.Parallel()
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			r, p := newSandboxes(), &pipe{wait: make(chan struct{})}
			sb, _, _, err := r.Make("ada", registry.CreateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			ended := streamTo(t.Context(), http.MethodGet, p, sb)
			own := registry.CreateOptions{Private: new(true)}
			if _, _, _, err := r.Make("ada", own); err != nil {
				t.Fatal(err)
			}
			sb.Journal.Publish(journal.Event{Name: "pet.created"})
			close(p.wait)
			if err := <-ended; err != nil || p.Body.String() != ": listening\n\n" {
				t.Errorf("the reader gets %q, %v", p.Body, err)
			}
		})
	}
}

// TestStreamUnsubscribes observes the journal, which allocates nothing unless a stream
// subscribes to requests. It is not parallel, because other tests' allocations would count.
func TestStreamUnsubscribes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		sb := newSandbox()
		ended := streamTo(ctx, http.MethodGet, new(pipe), sb)
		add := func() { sb.Journal.Add(&journal.Request{Path: "/pets"}) }
		if testing.AllocsPerRun(10, add) == 0 {
			t.Fatal("no stream subscribes")
		}
		cancel()
		<-ended
		if got := testing.AllocsPerRun(10, add); got > 0 {
			t.Errorf("%v allocations after the stream's end, want 0", got)
		}
	})
}
