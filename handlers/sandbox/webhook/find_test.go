package webhook

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
)

func readCloser(text string) io.ReadCloser { return io.NopCloser(strings.NewReader(text)) }

func TestSelect(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		b := newBench(t,
			func(_ *http.Request, n int) (*http.Response, error) { return status([]int{204, 500, 204, 410}[n-1]) }, nil)
		set(t, b.Hooks, "one")
		notify(b.Hooks, "pet.created", "pet.updated", "pet.updated")
		synctest.Wait()
		for _, test := range []struct {
			filter Filter
			limit  int
			newest bool
			want   []string
			all    int
		}{
			{Filter{}, 10, false,
				[]string{"pet.created delivered 204", "pet.updated pending 500", "pet.updated delivered 204"}, 3},
			{Filter{}, 2, false, []string{"pet.created delivered 204", "pet.updated pending 500"}, 3},
			{Filter{}, 2, true, []string{"pet.updated delivered 204", "pet.updated pending 500"}, 3},
			{Filter{State: Delivered}, 1, true, []string{"pet.updated delivered 204"}, 2},
			{Filter{Event: "pet.updated", Since: 2}, 10, false, []string{"pet.updated delivered 204"}, 1},
			{Filter{State: Failed}, 10, false, []string{}, 0},
		} {
			found, err := b.Select("one", test.filter, test.limit, test.newest, func(int64) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, outline(found.Deliveries)); diff != "" || found.Matched != test.all {
				t.Errorf("%+v: %d match, want %d; -want +got:\n%s", test.filter, found.Matched, test.all, diff)
			}
		}
		if got := b.sender.Delivered.Load(); got != 2 {
			t.Errorf("%d deliveries are counted, want 2", got)
		}
		full := errors.New("full")
		if _, err := b.Select("one", Filter{}, 10, false, func(int64) error { return full }); !errors.Is(err, full) {
			t.Errorf("without memory: %v", err)
		}
	})
}

func TestWait(t *testing.T) {
	for name, test := range map[string]struct {
		do   func(*bench)
		ends bool // returns at once
		want bool
		err  error
	}{
		"for enough": {func(b *bench) { notify(b.Hooks, "pet.created") }, true,
			true, nil},
		"for others": {func(b *bench) { notify(b.Hooks, "order.created") }, false,
			false, nil},
		"until the webhook is gone": {func(b *bench) { _ = b.Drop("one") }, true, false,
			ErrUnknown},
		"across a reset": {func(b *bench) {
			b.Empty()
			notify(b.Hooks, "pet.created")
		}, false, false, nil},
		"for as long as it may take": {func(*bench) {}, false, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			testmain.Bubble(t, func(t *testing.T) {
				b := newBench(t, always(204), nil)
				set(t, b.Hooks, "one")
				notify(b.Hooks, "pet.created")
				synctest.Wait()
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				type outcome struct {
					enough bool
					err    error
				}
				over := make(chan outcome, 1)
				go func() {
					enough, err := b.Wait(ctx, "one", Filter{Event: "pet.created", State: Delivered}, 2)
					over <- outcome{enough, err}
				}()
				synctest.Wait()
				if len(over) > 0 {
					t.Fatal("did not wait")
				}
				test.do(b)
				synctest.Wait()
				if atOnce := len(over) > 0; atOnce != test.ends {
					t.Errorf("the wait is over: %t, want %t", atOnce, test.ends)
				}
				if got := <-over; got.enough != test.want || !errors.Is(got.err, test.err) {
					t.Errorf("Wait() = %+v", got)
				}
				if b.waiters != 0 {
					t.Error("a waiter remains")
				}
			})
		})
	}
}

func TestWaitersAreBounded(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		b := newBench(t, always(204), nil)
		set(t, b.Hooks, "one")
		ctx, cancel := context.WithCancel(t.Context())
		for range maxWaiters {
			go func() { _, _ = b.Wait(ctx, "one", Filter{}, 1) }()
		}
		synctest.Wait()
		if _, err := b.Wait(ctx, "one", Filter{}, 1); !errors.Is(err, ErrWaiters) {
			t.Errorf("one more: %v", err)
		}
		cancel()
	})
}

func TestFlush(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		b := newBench(t, func(r *http.Request, n int) (*http.Response, error) {
			time.Sleep(time.Second)
			return status(503, "Retry-After", "60")
		}, nil)
		b.sender.Flush(t.Context()) // nothing to flush
		set(t, b.Hooks, "one")
		notify(b.Hooks, "pet.created", "pet.updated")
		b.sender.Flush(t.Context())
		if got, took := b.receiver.after(b.start), time.Since(b.start); got != "0 1" || took != 2*time.Second {
			t.Errorf("requests after %s s; waited for %v", got, took)
		}
		notify(b.Hooks, "pet.deleted")
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		before := time.Now()
		b.sender.Flush(ctx)
		if took := time.Since(before); took != 10*time.Millisecond {
			t.Errorf("waited for %v", took)
		}
		b.Reset()
		b.sender.Flush(t.Context())
	})
}

func TestResend(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		code := newStatus(500)
		b := newBench(t, code.answer, nil)
		set(t, b.Hooks, "one")
		notify(b.Hooks, "pet.created")
		time.Sleep(time.Hour)
		code.Store(204)
		id := deliveries(t, b.Hooks, "one")[0].ID
		for range 20 { // one that has failed for good, and one that was delivered
			d, err := b.Resend("one", id)
			if err != nil || d.State != Pending {
				t.Fatal(d, err)
			}
			synctest.Wait()
		}
		list := deliveries(t, b.Hooks, "one")
		if i := info(t, b.Hooks, "one"); len(list) != 1 || list[0].State != Delivered || i.Pending != 0 ||
			len(list[0].Tries) != maxKeptTries {
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

// TestResendNow checks that a resent delivery that waits for its next try is tried at once, and as
// often as a new one.
func TestResendNow(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		b := newBench(t, always(500), nil)
		set(t, b.Hooks, "one")
		notify(b.Hooks, "pet.created")
		time.Sleep(10 * time.Second)
		must.Get(b.Resend("one", 1))(t)
		time.Sleep(time.Hour)
		if got, want := b.receiver.after(b.start), "0 1 3 7 10 11 13 17 25 41 73 133"; got != want {
			t.Errorf("tries after %s s, want %s", got, want)
		}
	})
}

// TestResendDuringTry resends a delivery, or sets its webhook, during a try. The try is the first of
// the resent delivery. With new settings, its result is ignored.
func TestResendDuringTry(t *testing.T) {
	resend := func(t *testing.T, b *bench) {
		if _, err := b.Resend("one", 1); err != nil {
			t.Error(err)
		}
	}
	for name, test := range map[string]struct {
		again    func(*testing.T, *bench)
		statuses []int
		want     string
	}{
		"resend what fails":    {resend, []int{500, 500, 204}, "0 3 7"},
		"resend what succeeds": {resend, []int{204}, "0"},
		"resend what is gone":  {resend, []int{410}, "0"},
		"set": {func(t *testing.T, b *bench) { set(t, b.Hooks, "one") }, []int{204, 500, 204},
			"0 1 4"},
	} {
		t.Run(name, func(t *testing.T) {
			testmain.Bubble(t, func(t *testing.T) {
				b := newBench(t, func(r *http.Request, n int) (*http.Response, error) {
					select {
					case <-time.After(2 * time.Second):
						return status(test.statuses[n-1])
					case <-r.Context().Done():
						return nil, context.Cause(r.Context())
					}
				}, nil)
				set(t, b.Hooks, "one")
				notify(b.Hooks, "pet.created")
				time.Sleep(time.Second)
				test.again(t, b)
				time.Sleep(time.Hour)
				if got := b.receiver.after(b.start); got != test.want {
					t.Errorf("tries after %s s, want %s", got, test.want)
				}
				if i := info(t, b.Hooks, "one"); i.Pending != 0 {
					t.Errorf("%+v", i)
				}
			})
		})
	}
}
