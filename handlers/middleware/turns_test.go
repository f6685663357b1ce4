package middleware

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
)

// turnsWorld are sandboxes whose requests take turns.
type turnsWorld struct {
	t         *testing.T
	sandboxes *registry.Registry
	link      rest.Link

	mu      sync.Mutex
	running []string // guarded by mu: the sandboxes whose turn it is, in order
}

func newTurnsWorld(t *testing.T) *turnsWorld {
	return &turnsWorld{t: t, sandboxes: newRegistry(nil, 10), link: TakeTurns()}
}

// turn is one request.
type turn struct {
	visit
	finish chan struct{}
	done   chan struct{} // closed when the request has ended
}

// send sends an import to the sandbox, whose turn takes until it is finished.
func (w *turnsWorld) send(name string) *turn {
	v := &turn{finish: make(chan struct{}), done: make(chan struct{})}
	r := httptest.NewRequest(http.MethodPut, "/admin/state", strings.NewReader("{}"))
	r.Header.Set("Content-Type", "application/json")
	v.x = rest.NewExchange(new(rest.Server), httptest.NewRecorder(), r)
	v.x.Operation = &rest.Operation{ID: "importState", Method: http.MethodPut, TakesTurn: true,
		Body: rest.Body{Max: 100, Import: true}}
	sb, _, _, err := w.sandboxes.Make(name, registry.CreateOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	v.x.TakeSandbox(sb)
	go func() {
		defer close(v.done)
		defer v.x.End()
		v.to(w.link, func(*rest.Exchange) error {
			w.change(func() { w.running = append(w.running, name) })
			<-v.finish
			w.change(func() {
				w.running = slices.DeleteFunc(w.running, func(other string) bool { return other == name })
			})
			return nil
		})
	}()
	synctest.Wait()
	return v
}

func (w *turnsWorld) change(do func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	do()
}

func (w *turnsWorld) expectRunning(want ...string) {
	w.t.Helper()
	synctest.Wait()
	w.change(func() {
		if !slices.Equal(w.running, want) {
			w.t.Errorf("it is the turn of %v, want %v", w.running, want)
		}
	})
}

// TestTurnsAreBounded sends more imports than run at once.
func TestTurnsAreBounded(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		w := newTurnsWorld(t)
		first, again := w.send("ada"), w.send("ada")
		w.expectRunning("ada")
		second, third := w.send("bob"), w.send("cyd")
		w.expectRunning("ada", "bob")
		close(second.finish)
		w.expectRunning("ada", "cyd") // and no second import of ada, though it came earlier
		close(first.finish)
		w.expectRunning("cyd", "ada")
		close(third.finish)
		close(again.finish)
		for _, v := range []*turn{first, second, third, again} {
			<-v.done
			v.expectPassed(t)
		}
		w.expectRunning()
	})
}

// TestTurnsEnd checks that a request is refused after half a minute in the queue, with a
// Retry-After.
func TestTurnsEnd(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		w := newTurnsWorld(t)
		first, second := w.send("ada"), w.send("bob")
		began, late := time.Now(), w.send("cyd")
		<-late.done
		if e := late.expectRefused(t, http.StatusServiceUnavailable,
			"unavailable"); e.Header.Get("Retry-After") != "1" {
			t.Errorf("Retry-After is %q, want 1", e.Header.Get("Retry-After"))
		}
		if waited := time.Since(began); waited != 30*time.Second {
			t.Errorf("it waited for %v", waited)
		}
		close(first.finish)
		last := w.send("cyd")
		w.expectRunning("bob", "cyd")
		close(second.finish)
		close(last.finish)
	})
}

// TestTurnsEndWithTheSandbox checks that waiting requests are refused when their sandbox is
// dropped or its owner changes, and that all of them are when the server stops.
func TestTurnsEndWithTheSandbox(t *testing.T) {
	t.Parallel()
	key, none := "a-key-of-sixteen-characters", ""
	for name, end := range map[string]func(*registry.Registry){
		"dropped": func(r *registry.Registry) { _ = r.Drop("cyd") },
		"stopped": (*registry.Registry).Close,
		"with a key for a moment": func(r *registry.Registry) {
			for _, key := range []*string{&key, &none} {
				if _, _, _, err := r.Make("cyd", registry.CreateOptions{Key: key}); err != nil {
					t.Error(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			testmain.Bubble(t, func(t *testing.T) {
				w := newTurnsWorld(t)
				first, second := w.send("ada"), w.send("bob")
				began, waits := time.Now(), w.send("cyd")
				end(w.sandboxes)
				<-waits.done
				waits.expectRefused(t, http.StatusServiceUnavailable, "unavailable")
				if took := time.Since(began); took != 0 {
					t.Errorf("it is refused after %v, want at once", took)
				}
				close(first.finish)
				close(second.finish)
			})
		})
	}
}
