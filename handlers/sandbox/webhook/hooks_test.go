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

	"example.com/petstore/handlers/sandbox/memory"
)

// bubble runs a test in which time passes only while nothing goes on.
func bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, test)
}

func TestEventsAreDelivered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := newBench(t, always(204), nil)
		set(t, b.Hooks, "all")
		set(t, b.Hooks, "pets", "pet.*", "order.deleted")
		tell(b.Hooks, "pet.created", "order.created", "order.deleted")
		b.Tell(Event{Type: "sandbox.reset", At: b.start})
		synctest.Wait()
		if diff := cmp.Diff([]string{"pet.created delivered 204", "order.created delivered 204", "order.deleted delivered 204", "sandbox.reset delivered 204"}, outline(deliveries(t, b.Hooks, "all"))); diff != "" {
			t.Errorf("all, -want +got:\n%s", diff)
		}
		pets := deliveries(t, b.Hooks, "pets")
		if diff := cmp.Diff([]string{"pet.created delivered 204", "order.deleted delivered 204"}, outline(pets)); diff != "" {
			t.Errorf("pets, -want +got:\n%s", diff)
		}
		if of := deliveries(t, b.Hooks, "all")[0]; of.MessageID != pets[0].MessageID || of.ID == pets[0].ID || pets[0].MessageID == pets[1].MessageID {
			t.Errorf("the message of one event is %s and %s, of the next %s", of.MessageID, pets[0].MessageID, pets[1].MessageID)
		}
		if got, want := string(pets[0].Payload), `{"type":"pet.created","timestamp":"2031-01-02T03:04:05Z","data":{"id":7}}`; got != want || pets[0].Tries[0].Body != "thanks" {
			t.Errorf("the payload is %s, want %s; the body of the answer is %q", got, want, pets[0].Tries[0].Body)
		}
		last := b.receiver.requests()[5]
		if want := fmt.Sprintf(`{"type":"sandbox.reset","timestamp":%q,"data":{}}`, b.start.UTC().Format(time.RFC3339Nano)); last.body != want {
			t.Errorf("the body is %s, want %s", last.body, want)
		}
		if got := b.sender.Counts(); got != (Counts{Delivered: 6}) {
			t.Errorf("counts: %+v", got)
		}
	})
}

func TestTries(t *testing.T) {
	for name, test := range map[string]struct {
		answer func(*http.Request, int) (*http.Response, error)
		after  string // seconds
		want   string
	}{
		"all fail":           {always(500), "0 1 3 7 15 31 63 123", "pet.created failed 500 500 500 500 500 500 500 500"},
		"never an answer":    {hang, "0 16 33 52 75 106 153 228", "pet.created failed - - - - - - - -"},
		"no connection":      {broken, "0 1 3 7 15 31 63 123", "pet.created failed - - - - - - - -"},
		"a redirect":         {always(302, "Location", "http://127.0.0.1/other"), "0 1 3 7 15 31 63 123", "pet.created failed 302 302 302 302 302 302 302 302"},
		"wait as I say":      {always(429, "Retry-After", "5"), "0 5 10 15 20 25 30 35", "pet.created failed 429 429 429 429 429 429 429 429"},
		"wait for long":      {always(503, "Retry-After", "9999"), "0 60 120 180 240 300 360 420", "pet.created failed 503 503 503 503 503 503 503 503"},
		"wait for ever":      {always(503, "Retry-After", "9223372036854775807"), "0 60 120 180 240 300 360 420", "pet.created failed 503 503 503 503 503 503 503 503"},
		"wait, by a date":    {always(503, "Retry-After", "Sat, 01 Jan 2000 00:00:10 GMT"), "0 10 10 10 10 10 10 10", "pet.created failed 503 503 503 503 503 503 503 503"},
		"no longer than bad": {func(_ *http.Request, n int) (*http.Response, error) { return status([]int{500, 404, 299}[n-1]) }, "0 1 3", "pet.created delivered 500 404 299"},
		"gone":               {always(410), "0", "pet.created failed 410"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				b := newBench(t, test.answer, nil)
				set(t, b.Hooks, "one")
				tell(b.Hooks, "pet.created")
				time.Sleep(10 * time.Minute)
				if got := b.receiver.after(b.start); got != test.after {
					t.Errorf("tries after %s s, want %s", got, test.after)
				}
				list := deliveries(t, b.Hooks, "one")
				if diff := cmp.Diff([]string{test.want}, outline(list)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
				for _, c := range b.receiver.requests() {
					if c.id != list[0].MessageID {
						t.Errorf("a try has the id %s, want %s", c.id, list[0].MessageID)
					}
				}
			})
		})
	}
}

// TestGone wants a receiver that has answered 410 to be left alone until its webhook is set
// again.
func TestGone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		code := newStatus(410)
		b := newBench(t, code.answer, nil)
		set(t, b.Hooks, "one")
		tell(b.Hooks, "pet.created", "pet.updated", "pet.deleted")
		synctest.Wait()
		tell(b.Hooks, "pet.created")
		time.Sleep(time.Hour)
		if diff := cmp.Diff([]string{"pet.created failed 410", "pet.updated failed", "pet.deleted failed"}, outline(deliveries(t, b.Hooks, "one"))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if i := info(t, b.Hooks, "one"); !i.Disabled || i.Failed != 3 || i.Pending != 0 || len(b.receiver.requests()) != 1 {
			t.Errorf("%+v after %d requests", i, len(b.receiver.requests()))
		}
		code.Store(204)
		set(t, b.Hooks, "one")
		tell(b.Hooks, "order.created")
		synctest.Wait()
		if i := info(t, b.Hooks, "one"); i.Disabled || i.Delivered != 1 {
			t.Errorf("set again: %+v", i)
		}
	})
}

// TestOneIsTriedAtATime wants deliveries in their order, and one that failed to hold up none.
func TestOneIsTriedAtATime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := newBench(t, func(r *http.Request, n int) (*http.Response, error) {
			time.Sleep(100 * time.Millisecond)
			if n == 1 {
				return status(500)
			}
			return status(204)
		}, nil)
		set(t, b.Hooks, "one")
		tell(b.Hooks, "pet.created", "pet.updated", "pet.deleted")
		time.Sleep(time.Minute)
		if got, want := b.receiver.after(b.start), "0 0.1 0.2 1.1"; got != want {
			t.Errorf("requests after %s s, want %s", got, want)
		}
		if diff := cmp.Diff([]string{"pet.created delivered 500 204", "pet.updated delivered 204", "pet.deleted delivered 204"}, outline(deliveries(t, b.Hooks, "one"))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// TestDeadReceiversHoldUpNobody has more receivers that never answer than tries may go on at
// once, and one that answers: it waits for one of their tries at the most.
func TestDeadReceiversHoldUpNobody(t *testing.T) {
	bubble(t, func(t *testing.T) {
		going, most := 0, 0
		var b *bench
		b = newBench(t, func(r *http.Request, n int) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "good") {
				return status(204)
			}
			b.receiver.mu.Lock()
			going++
			most = max(most, going)
			b.receiver.mu.Unlock()
			defer func() {
				b.receiver.mu.Lock()
				going--
				b.receiver.mu.Unlock()
			}()
			return hang(r, n)
		}, nil)
		for range maxTrying/MaxHooks + 1 {
			h := b.sandbox(t)
			for i := range MaxHooks {
				set(t, h, fmt.Sprint("dead", i))
			}
			for range 100 {
				tell(h, "pet.created")
			}
		}
		good := b.sandbox(t)
		set(t, good, "good")
		tell(good, "pet.created", "pet.updated")
		time.Sleep(2*TryTime + time.Second)
		i := info(t, good, "good")
		b.receiver.mu.Lock()
		defer b.receiver.mu.Unlock()
		if i.Delivered != 2 || most != maxTrying {
			t.Errorf("delivered %d while up to %d others were tried", i.Delivered, most)
		}
	})
}

// TestQueueIsBounded has a receiver that never answers: as many events as there is room for
// wait, those beyond that are counted, and what is over makes room.
func TestQueueIsBounded(t *testing.T) {
	for name, test := range map[string]struct {
		data, fit int
	}{
		"in number": {0, MaxDeliveries},
		"in bytes":  {10_000, maxBytes / (10_000 + deliveryBytes + bareTry)},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
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
					b.Tell(Event{Type: "pet.created", Data: make([]byte, test.data)})
				}
				if i := info(t, b.Hooks, "one"); i.Pending != test.fit || i.Dropped != uint64(events-test.fit) || b.sender.Counts().Dropped != i.Dropped {
					t.Errorf("%+v, of all %d; want %d", i, b.sender.Counts().Dropped, test.fit)
				}
				code.Store(204)
				time.Sleep(time.Minute)
				b.Tell(Event{Type: "pet.deleted", Data: make([]byte, test.data)})
				synctest.Wait()
				list := deliveries(t, b.Hooks, "one")
				if i := info(t, b.Hooks, "one"); i.Dropped != uint64(events-test.fit) || i.Delivered != uint64(test.fit+1) || list[0].ID != 2 || list[len(list)-1].Event != "pet.deleted" {
					t.Errorf("then %+v, from %d on to %s", i, list[0].ID, list[len(list)-1].Event)
				}
			})
		})
	}
}

// TestQueueNeedsMemory wants events to be dropped when the server has no memory left.
func TestQueueNeedsMemory(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := newBench(t, always(204), memory.New(1, time.Now))
		set(t, b.Hooks, "one")
		tell(b.Hooks, "pet.created")
		if i := info(t, b.Hooks, "one"); i.Dropped != 1 || i.Pending != 0 {
			t.Errorf("%+v", i)
		}
	})
}

// TestBytesAreCounted does all kinds of things: what a webhook is said to hold is what it holds,
// and within its bounds.
func TestBytesAreCounted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		inBubble := struct{ *testing.T }{t} // of which rapid does not ask the deadline
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
				switch rapid.SampledFrom([]string{"tell", "tell", "tell", "pass", "resend", "empty"}).Draw(r, "step") {
				case "tell":
					data := rapid.SampledFrom([]int{0, 100, maxBytes/3 - 1000, maxBytes}).Draw(r, "data")
					for range rapid.SampledFrom([]int{1, 100}).Draw(r, "events") {
						b.Tell(Event{Type: "pet.created", Data: make([]byte, data)})
					}
				case "pass":
					time.Sleep(rapid.SampledFrom([]time.Duration{0, time.Second, 3 * time.Minute}).Draw(r, "time"))
				case "resend":
					if list := deliveries(t, b.Hooks, "one"); len(list) > 0 {
						if _, err := b.Resend("one", list[rapid.IntRange(0, len(list)-1).Draw(r, "which")].ID); err != nil {
							r.Fatal(err)
						}
					}
				case "empty":
					b.Empty()
				}
				synctest.Wait()
				if wrong := b.miscounted(); wrong != "" {
					r.Fatal(wrong)
				}
			}
		})
	})
}

func TestResend(t *testing.T) {
	bubble(t, func(t *testing.T) {
		code := newStatus(500)
		b := newBench(t, code.answer, nil)
		set(t, b.Hooks, "one")
		tell(b.Hooks, "pet.created")
		time.Sleep(time.Hour)
		code.Store(204)
		id := deliveries(t, b.Hooks, "one")[0].ID
		for range 20 { // one that is over, and one that was delivered
			d, err := b.Resend("one", id)
			if err != nil || d.State != Pending {
				t.Fatal(d, err)
			}
			synctest.Wait()
		}
		list := deliveries(t, b.Hooks, "one")
		if i := info(t, b.Hooks, "one"); len(list) != 1 || list[0].State != Delivered || i.Pending != 0 || len(list[0].Tries) != maxKeptTries {
			t.Errorf("%q, %+v", outline(list), i)
		}
		for _, c := range b.receiver.requests() {
			if c.id != list[0].MessageID {
				t.Errorf("sent again as %s, want %s", c.id, list[0].MessageID)
			}
		}
		if _, err := b.Resend("one", 99); !errors.Is(err, ErrUnknownDelivery) {
			t.Errorf("of no delivery: %v", err)
		}
		if _, err := b.Resend("two", 1); !errors.Is(err, ErrUnknown) {
			t.Errorf("of no webhook: %v", err)
		}
	})
}

// TestResendNow wants a delivery that waits for its next try to be tried at once, and as often as a new one.
func TestResendNow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := newBench(t, always(500), nil)
		set(t, b.Hooks, "one")
		tell(b.Hooks, "pet.created")
		time.Sleep(10 * time.Second)
		if _, err := b.Resend("one", 1); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if got, want := b.receiver.after(b.start), "0 1 3 7 10 11 13 17 25 41 73 133"; got != want {
			t.Errorf("tries after %s s, want %s", got, want)
		}
	})
}

// TestWhatEndsDeliveries wants nothing to be sent any more, and what is under way to be broken
// off, whoever ends it.
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
				tell(b.Hooks, "pet.created", "pet.updated")
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
				tell(b.Hooks, "pet.deleted")
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

// TestSetKeepsWhatWaits changes the address of a webhook whose receiver is not there: what waits
// goes to the new one, and its secret stays unless it is given.
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
		tell(b.Hooks, "pet.created")
		synctest.Wait()
		i, made, err = b.Set("one", Settings{URL: "http://127.0.0.1:2/", Events: []string{"order.*"}})
		if err != nil || made || i.Secret != "" || string(b.hooks[0].key) != key || info(t, b.Hooks, "one").Secret != "" {
			t.Errorf("changed: %+v, %t, %v", i, made, err)
		}
		time.Sleep(time.Minute)
		if diff := cmp.Diff([]string{"pet.created delivered - 204"}, outline(deliveries(t, b.Hooks, "one"))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if i, _, _ := b.Set("one", Settings{URL: "http://127.0.0.1:2/", Secret: secret}); i.Secret != "" || string(b.hooks[0].key) == key {
			t.Errorf("another secret: %+v", i)
		}
	})
}

func TestHooksAreBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t, always(204), nil)
	for i := range MaxHooks {
		set(t, b.Hooks, fmt.Sprint("h", i))
	}
	if _, _, err := b.Set("one-more", Settings{URL: "http://127.0.0.1/"}); !errors.Is(err, ErrFull) {
		t.Errorf("one more: %v", err)
	}
	set(t, b.Hooks, "h3")
	if n := b.Bytes(); n != MaxHooks*hookBytes || n > MaxBytes {
		t.Errorf("%d bytes", n)
	}
	if err := b.Drop("h3"); err != nil || len(b.List()) != MaxHooks-1 {
		t.Error(err)
	}
	if err := b.Drop("h3"); !errors.Is(err, ErrUnknown) {
		t.Errorf("dropped twice: %v", err)
	}
}

// miscounted says what the first webhook counts wrongly, or has too much of; empty: nothing.
func (b *bench) miscounted() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	k, bytes, over := b.hooks[0], 0, 0
	for _, d := range k.deliveries {
		bytes += d.size()
		if d.state != Pending {
			over++
		}
		if len(d.tries) > maxKeptTries {
			return fmt.Sprintf("%d tries are kept", len(d.tries))
		}
	}
	if k.bytes != bytes || k.over != over || bytes > maxBytes || len(k.deliveries) > MaxDeliveries || len(k.waiting) != len(k.deliveries)-over {
		return fmt.Sprintf("%d bytes, said to be %d; %d deliveries, %d of them over, said to be %d; %d wait", bytes, k.bytes, len(k.deliveries), over, k.over, len(k.waiting))
	}
	return ""
}
