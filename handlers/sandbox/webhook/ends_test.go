package webhook

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestWhatEndsDeliveries checks that each way to end a webhook cancels the current try and all
// later deliveries.
func TestWhatEndsDeliveries(t *testing.T) {
	for name, end := range map[string]func(b *bench, life context.CancelFunc){
		"a reset":                    func(b *bench, _ context.CancelFunc) { b.Empty() },
		"all are dropped":            func(b *bench, _ context.CancelFunc) { b.Reset() },
		"one is dropped":             func(b *bench, _ context.CancelFunc) { _ = b.Drop("hangs"); _ = b.Drop("fails") },
		"the sandbox":                func(b *bench, life context.CancelFunc) { life(); b.Stop() },
		"the server":                 func(b *bench, life context.CancelFunc) { life(); b.Stop(); b.sender.Close() },
		"the sandbox, without words": func(b *bench, life context.CancelFunc) { life() },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				var cut atomic.Int64
				b := newBench(t, func(r *http.Request, n int) (*http.Response, error) {
					if strings.HasSuffix(r.URL.Path, "fails") {
						return status(500)
					}
					defer cut.Add(1)
					return hang(r, n)
				}, nil)
				life, cancel := context.WithCancel(t.Context())
				b.Init(life, b.sender)
				set(t, b.Hooks, "fails")
				set(t, b.Hooks, "hangs")
				notify(b.Hooks, "pet.created", "pet.updated")
				time.Sleep(5 * time.Second)
				before := len(b.receiver.requests())
				end(b, cancel)
				synctest.Wait()
				if n := cut.Load(); n != 1 {
					t.Errorf("%d tries were broken off, want 1", n)
				}
				time.Sleep(time.Hour)
				if n := len(b.receiver.requests()); n != before {
					t.Errorf("%d more requests", n-before)
				}
				notify(b.Hooks, "pet.deleted")
				synctest.Wait()
				later := len(b.receiver.requests()) - before
				if want := map[string]int{"a reset": 2}[name]; later != want {
					t.Errorf("an event afterwards is sent %d times, want %d", later, want)
				}
				cancel()
			})
		})
	}
}

// TestSetKeepsWhatWaits changes the address of a webhook whose receiver is down. Waiting
// deliveries are sent to the new address at once, and the secret is kept unless a new one is
// given.
func TestSetKeepsWhatWaits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := newBench(t, func(r *http.Request, _ int) (*http.Response, error) {
			if r.URL.Port() == "1" {
				return broken(r, 0)
			}
			return status(204)
		}, nil)
		i, made, err := b.Set("one", Settings{URL: "http://127.0.0.1:1/"})
		if err != nil || !made || !strings.HasPrefix(i.Secret, secretPrefix) {
			t.Fatal(i, made, err)
		}
		key := string(b.hooks[0].key)
		notify(b.Hooks, "pet.created")
		synctest.Wait()
		i, made, err = b.Set("one", Settings{URL: "http://127.0.0.1:2/", Events: []string{"order.*"}})
		if err != nil || made || i.Secret != "" || string(b.hooks[0].key) != key || info(t, b.Hooks, "one").Secret != "" {
			t.Errorf("changed: %+v, %t, %v", i, made, err)
		}
		synctest.Wait()
		if diff := cmp.Diff([]string{"pet.created delivered - 204"}, outline(deliveries(t, b.Hooks, "one"))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if i, _, _ := b.Set("one", Settings{URL: "http://127.0.0.1:2/", Secret: secret}); i.Secret != "" || string(b.hooks[0].key) == key {
			t.Errorf("another secret: %+v", i)
		}
	})
}
