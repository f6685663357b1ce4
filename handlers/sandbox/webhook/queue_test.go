package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/sandbox/memory"
)

// TestQueueIsBounded has a receiver that never responds. Events wait up to the limit, further
// events are counted as dropped, and finished deliveries make room.
func TestQueueIsBounded(t *testing.T) {
	for name, test := range map[string]struct {
		data, fit int
	}{
		"in number": {0, MaxDeliveries},
		"in bytes":  {10_000, maxBytes / (10_000 + deliveryBytes + bareTry)},
	} {
		t.Run(name, func(t *testing.T) {
			testmain.Bubble(t, func(t *testing.T) {
				code := newStatus(0)
				b := newBench(t, func(r *http.Request, n int) (*http.Response, error) {
					if code.Load() == 0 {
						return hang(r, n)
					}
					return code.answer(r, n)
				}, nil)
				set(t, b.Hooks, "one")
				const events = MaxDeliveries + 1000
				for range events {
					b.Notify(Event{Type: "pet.created", Data: make([]byte, test.data)})
				}
				if i := info(t, b.Hooks, "one"); i.Pending != test.fit || i.Dropped != uint64(events-test.fit) ||
					b.sender.Dropped.Load() != i.Dropped {
					t.Errorf("%+v, of all %d; want %d", i, b.sender.Dropped.Load(), test.fit)
				}
				code.Store(204)
				time.Sleep(time.Minute)
				b.Notify(Event{Type: "pet.deleted", Data: make([]byte, test.data)})
				synctest.Wait()
				list := deliveries(t, b.Hooks, "one")
				if i := info(t, b.Hooks, "one"); i.Dropped != uint64(events-test.fit) ||
					i.Delivered != uint64(test.fit+1) || list[0].ID != 2 || list[len(list)-1].Event != "pet.deleted" {
					t.Errorf("then %+v, from %d on to %s", i, list[0].ID, list[len(list)-1].Event)
				}
			})
		})
	}
}

// TestQueueNeedsMemory checks that events are dropped if the server has no memory left.
func TestQueueNeedsMemory(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		b := newBench(t, always(204), memory.New(1, time.Now))
		set(t, b.Hooks, "one")
		notify(b.Hooks, "pet.created")
		if i := info(t, b.Hooks, "one"); i.Dropped != 1 || i.Pending != 0 {
			t.Errorf("%+v", i)
		}
	})
}

// TestWebhookCountsItsBytes runs random operations. The reported bytes of a webhook equal the bytes that
// it holds, and stay within its limits.
func TestWebhookCountsItsBytes(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		inBubble := struct{ *testing.T }{t} // keeps rapid from reading the deadline
		rapid.Check(inBubble, func(r *rapid.T) {
			code, body := newStatus(204), new(atomic.Int64)
			b := newBench(t, func(r *http.Request, n int) (*http.Response, error) {
				text := strings.Repeat("x", int(body.Load()))
				if code.Load() == 0 {
					return nil, errors.New(text)
				}
				resp, err := code.answer(r, n)
				resp.Body = readCloser(text)
				return resp, err
			}, nil)
			defer b.Reset()
			set(t, b.Hooks, "one")
			for range rapid.IntRange(1, 30).Draw(r, "steps") {
				code.Store(rapid.SampledFrom([]int64{204, 500, 0}).Draw(r, "code"))
				body.Store(rapid.SampledFrom([]int64{0, 20, 10_000}).Draw(r, "body"))
				switch rapid.SampledFrom([]string{"notify", "notify", "notify", "pass", "resend", "empty"}).
					Draw(r, "step") {
				case "notify":
					data := rapid.SampledFrom([]int{0, 100, maxBytes/3 - 1000, maxBytes}).Draw(r, "data")
					for range rapid.SampledFrom([]int{1, 100}).Draw(r, "events") {
						b.Notify(Event{Type: "pet.created", Data: make([]byte, data)})
					}
				case "pass":
					time.Sleep(rapid.SampledFrom([]time.Duration{0, time.Second, 3 * time.Minute}).Draw(r, "time"))
				case "resend":
					if list := deliveries(t, b.Hooks, "one"); len(list) > 0 {
						if _, err := b.Resend("one",
							list[rapid.IntRange(0, len(list)-1).Draw(r, "which")].ID); err != nil {
							r.Fatal(err)
						}
					}
				case "empty":
					b.Empty()
				}
				synctest.Wait()
				if wrong := b.countError(); wrong != "" {
					r.Fatal(wrong)
				}
			}
		})
	})
}

// countError describes a wrong count or an exceeded limit of the first webhook. It returns "" if
// there is none.
func (b *bench) countError() string {
	total := b.Bytes()
	b.mu.Lock()
	defer b.mu.Unlock()
	k, bytes := b.hooks[0], 0
	for _, d := range k.deliveries {
		bytes += d.size()
		if len(d.Tries) > maxKeptTries {
			return fmt.Sprintf("%d tries are kept", len(d.Tries))
		}
	}
	if total != int64(hookBytes+bytes) || bytes > maxBytes || len(k.deliveries) > MaxDeliveries {
		return fmt.Sprintf("%d bytes, said to be %d with the webhook; %d deliveries", bytes, total, len(k.deliveries))
	}
	return ""
}

// TestDeliveriesAreCancelled checks that each way to end a webhook cancels the current try and all
// later deliveries.
func TestDeliveriesAreCancelled(t *testing.T) {
	for name, end := range map[string]func(b *bench, life context.CancelFunc){
		"a reset":         func(b *bench, _ context.CancelFunc) { b.Empty() },
		"all are dropped": func(b *bench, _ context.CancelFunc) { b.Reset() },
		"one is dropped":  func(b *bench, _ context.CancelFunc) { _ = b.Drop("hangs"); _ = b.Drop("fails") },
		"the sandbox":     func(b *bench, life context.CancelFunc) { life() },
		"the server":      func(b *bench, life context.CancelFunc) { life(); b.sender.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			testmain.Bubble(t, func(t *testing.T) {
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

// TestSetKeepsPendingDeliveries changes the address of a webhook whose receiver is down. Waiting
// deliveries are sent to the new address at once, and the secret is kept unless a new one is
// given.
func TestSetKeepsPendingDeliveries(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
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
		if err != nil || made || i.Secret != "" || string(b.hooks[0].key) != key ||
			info(t, b.Hooks, "one").Secret != "" {
			t.Errorf("changed: %+v, %t, %v", i, made, err)
		}
		synctest.Wait()
		if diff := cmp.Diff([]string{"pet.created delivered - 204"},
			outline(deliveries(t, b.Hooks, "one"))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if i, _, _ := b.Set("one", Settings{URL: "http://127.0.0.1:2/", Secret: secret}); i.Secret != "" ||
			string(b.hooks[0].key) == key {
			t.Errorf("another secret: %+v", i)
		}
	})
}
